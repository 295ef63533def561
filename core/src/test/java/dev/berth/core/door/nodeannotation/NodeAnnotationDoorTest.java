package dev.berth.core.door.nodeannotation;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeAnnotationDoorTest {
    private static final Node NODE =
            aNode("n1").with("6 cpu", "8Gi memory", "10 pods").build();

    private final NodeAnnotationScene scene = new NodeAnnotationScene();

    @Test
    void reservedResourcesAreRefusedToOtherPodsAndUsedByTheOwner() {
        annotateNode(Map.of("rs-1", amounts("5 cpu")));
        scene.upsert(pod("stranger", "rs-2", "2 cpu"));
        scene.upsert(pod("web", "rs-1", "2 cpu"));
        List<Effect.Bind> binds = scene.schedulePods();
        assertThat(binds).singleElement().satisfies(bind -> {
            assertThat(bind.pod().name()).isEqualTo("web");
            assertThat(bind.annotations()).containsEntry("berth.dev/hold", "node-annotation/n1/rs-1");
        });
        assertThat(free()).as("6 - 2 used - 3 still kept").isEqualTo(1000);
    }

    @Test
    void aPodOfAnotherNamespaceThatNamesTheOwnerAsItsControllerDoesNotGetTheCapacity() {
        Workload owner = new Workload(
                Workload.Kind.REPLICA_SET, "team-a", "web-1", LabelSelector.EVERYTHING, "rs-1", Optional.empty());
        annotateNode(Map.of("rs-1", amounts("6 cpu")));
        scene.apply(new Fact.WorkloadUpserted(owner));
        scene.upsert(pod("team-b/thief", "rs-1", "2 cpu"));
        assertThat(scene.schedulePods())
                .as("the room is kept for ReplicaSet team-a/web-1, and any tenant can write its UID as a controller")
                .isEmpty();
        scene.upsert(pod("team-a/web", "rs-1", "2 cpu"));
        assertThat(scene.schedulePods()).extracting(bind -> bind.pod().name()).containsExactly("web");
    }

    @Test
    void annotationSeenAfterAPendingPodStillRefusesThePod() {
        scene.upsert(pod("stranger", "rs-2", "2 cpu"));
        annotateNode(Map.of("rs-1", amounts("5 cpu")));
        assertThat(scene.schedulePods()).isEmpty();
    }

    @Test
    void removedAnnotationFreesItsResources() {
        annotateNode(Map.of("rs-1", amounts("5 cpu"), "rs-3", amounts("1 cpu")));
        assertThat(free()).isZero();
        annotateNode(Map.of("rs-3", amounts("1 cpu")));
        assertThat(free()).isEqualTo(5000);
        annotateNode(Map.of());
        assertThat(free()).isEqualTo(6000);
    }

    @Test
    void theHoldsEndWithTheNode() {
        annotateNode(Map.of("rs-1", amounts("5 cpu")));
        scene.delete(NODE);
        assertThat(scene.ledger().holdsWithoutNode()).isEmpty();
        scene.upsert(NODE);
        assertThat(free()).isEqualTo(6000);
    }

    @Test
    void malformedAnnotationIsReportedOnceOnTheNode() {
        String problem = "annotation (reserve.cpu/x): nonsense";
        scene.annotate(NODE, Map.of(), problem).reconcile();
        assertThat(scene.recordedEvents).singleElement().satisfies(event -> {
            assertThat(event.target()).hasToString("Node n1");
            assertThat(event.kind().type()).isEqualTo("Warning");
            assertThat(event.note()).isEqualTo("annotation (reserve.cpu/x): nonsense");
        });
        scene.annotate(NODE, Map.of(), problem).reconcile();
        assertThat(scene.recordedEvents).as("the same is not said again").hasSize(1);
    }

    private void annotateNode(Map<String, Resources> reserved) {
        scene.annotate(NODE, reserved);
    }

    private long free() {
        return scene.cpuFree("n1");
    }

    private static Pod pod(String name, String owner, String cpu) {
        ControllerRef controller = new ControllerRef("apps/v1", "ReplicaSet", owner, owner);
        return aPod(name)
                .asking(cpu)
                .with(pod -> pod.schedulerName(NodeAnnotationScene.SCHEDULER).controller(Optional.of(controller)))
                .build();
    }
}
