package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Places that the pods of a StatefulSet leave. */
class StatefulSetPlacesTest {
    private static final Workload WEB =
            new Workload(Workload.Kind.STATEFUL_SET, "default", "web", LabelSelector.EVERYTHING);

    private final Scene scene = new Scene()
            .node(aNode("n1").with("4 cpu"))
            .hear(new Fact.WorkloadSeen(WEB))
            .listed();

    private static PodBuilder web0() {
        return aPod("web-0").asking("3 cpu").ownedBy("StatefulSet/web");
    }

    private Scene annotated() {
        return scene.hear(new ComebackFact.PetitionSeen(
                new Petition(Petition.Kind.STATEFUL_SET, "default", "web", "s1", "true", "90")));
    }

    @Test
    void theAnnotationOnAStatefulSetKeepsThePlacesOfItsPods() {
        annotated();
        scene.pod(web0().on("n1")).delete("web-0");
        assertThat(scene.reservation("web-0").orElseThrow().ttl()).contains(90L);
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.pod(web0().uid("next"));
        assertThat(scene.matchOf("web-0")).isEqualTo("default/web-0-placeholder");
    }

    @Test
    void aDeploymentOfTheSameNameDoesNotAskForAStatefulSetsPods() {
        scene.hear(new ComebackFact.PetitionSeen(new Petition("default", "web", "d1", "true", "")))
                .pod(web0().on("n1"))
                .delete("web-0");
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aStatefulSetThatIsDeletedBeforeItsPodsLeavesNoPlaces() {
        annotated();
        scene.pod(web0().on("n1")).hear(new Fact.WorkloadGone(WEB.key())).delete("web-0");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aStatefulSetThatIsDeletedAfterItsPodsTakesItsPlacesAlong() {
        annotated();
        scene.pod(web0().on("n1")).delete("web-0");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.hear(new Fact.WorkloadGone(WEB.key())).settle();
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aPlaceThatIsNotWrittenYetEndsWithItsStatefulSet() {
        annotated();
        scene.pod(web0().on("n1")).silent(true).delete("web-0");
        scene.hear(new Fact.WorkloadGone(WEB.key())).settle();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.silent(false).pass(Duration.ofSeconds(2));
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }
}
