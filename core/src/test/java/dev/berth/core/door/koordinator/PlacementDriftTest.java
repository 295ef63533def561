package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edit of a placed reservation that would have led to another place is reported, because it moves nothing. */
class PlacementDriftTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String NOT_CURRENT = READY + " PlacementCurrent=false/TemplateEdited";
    private static final NodeAffinity SSD = selecting("disk", "ssd");

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aReservationOnANodeWithAnHdd() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory").labelled("disk", "hdd"))
                .createReservation(valid());
    }

    private static ReservationBuilder valid() {
        return aReservation("r").requesting("6 cpu").shared();
    }

    private static ReservationBuilder validWith(NodeAffinity affinity) {
        return valid().withTemplate(spec -> spec.nodeAffinity(affinity));
    }

    private static ReservationBuilder tolerating(String key) {
        return valid().withTemplate(spec ->
                spec.tolerations(List.of(new Toleration(key, Toleration.Operator.EXISTS, "", Optional.empty()))));
    }

    private static NodeAffinity selecting(String key, String value) {
        return new NodeAffinity(Labels.of(key, value), Optional.empty(), List.of());
    }

    private String message() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.PLACEMENT_CURRENT)
                .map(ReservationCondition::message)
                .orElse("");
    }

    @Test
    void aMalformedResizeAnnotationDoesNotHideAnEditAndDoesNotResize() {
        cluster.edit(validWith(SSD));
        String edited = message();
        Resources size = cluster.status("r").allocatable();
        cluster.edit(validWith(SSD).requesting("1 cpu").malformedResizeAnnotation("annotation x is invalid"));
        assertThat(message()).isNotEmpty().isEqualTo(edited);
        assertThat(cluster.conditions("r")).contains("Ready=false/InvalidReservation");
        assertThat(cluster.status("r").allocatable()).isEqualTo(size);
    }

    @Test
    void anEditOfTheNodeSelectorIsReportedUntilItIsTakenBack() {
        cluster.edit(validWith(SSD));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_CURRENT);
        assertThat(message())
                .isEqualTo("the Reservation keeps its place on node n1, but spec.template.spec.nodeSelector (disk=ssd)"
                        + " does not match that node. Delete it and create it again to move it");
        assertThat(cluster.events).containsOnlyOnce("TemplateEdited: " + message());
        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheNodeSelectorIsReportedAfterARestartAndTakenBack() {
        cluster.edit(validWith(SSD)).restart().advance(Duration.ofMinutes(1));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_CURRENT);
        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheNodeSelectorToOneThatTheNodeMatchesIsNotReported() {
        cluster.edit(validWith(selecting("disk", "hdd")));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aNodeThatNoLongerMatchesTheNodeSelectorIsReportedUntilItDoes() {
        cluster.edit(validWith(selecting("disk", "hdd")));
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory").labelled("disk", "nvme"));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_CURRENT);
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory").labelled("disk", "hdd"));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheRequiredNodeAffinityIsReportedUntilItIsTakenBack() {
        NodeSelectorTerm term = new NodeSelectorTerm(
                List.of(new Requirement("disk", Requirement.Operator.IN, List.of("ssd"))), List.of());
        cluster.edit(validWith(new NodeAffinity(Labels.NONE, Optional.of(List.of(term)), List.of())));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_CURRENT);
        assertThat(message()).contains("spec.template.spec.affinity.nodeAffinity does not match that node");
        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheTolerationsIsReportedUntilItIsTakenBack() {
        cluster.edit(tolerating("gpu"));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_CURRENT);
        assertThat(message())
                .isEqualTo(
                        "the Reservation keeps its place on node n1, but spec.template.spec.tolerations changed since"
                                + " it was placed. Delete it and create it again to move it");
        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void severalEditsAreReportedTogether() {
        cluster.edit(
                tolerating("gpu").withTemplate(spec -> spec.nodeAffinity(SSD)).onNode("n2"));
        assertThat(message())
                .contains(
                        "spec.template.spec.nodeName is now n2, spec.template.spec.nodeSelector (disk=ssd) does not match"
                                + " that node and spec.template.spec.tolerations changed since it was placed.");
    }

    @Test
    void anEditThatIsSeenTogetherWithTheFirstStatusIsReported() {
        KoordinatorScene hiding = new KoordinatorScene();
        hiding.upsert(aNode("n1").with("8 cpu", "16Gi memory")).setServerMode(SchedulerScene.ServerMode.WATCH_STALLED);
        hiding.createReservation(valid()).setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        hiding.edit(tolerating("gpu"));
        assertThat(hiding.conditions("r")).isEqualTo(NOT_CURRENT);
    }

    @Test
    void anEditBeforeTheReservationIsPlacedIsNotReported() {
        cluster.createReservation(aReservation("late").requesting("6 cpu").shared());
        cluster.edit(aReservation("late").requesting("6 cpu").shared().withTemplate(spec -> spec.nodeAffinity(SSD)));
        cluster.upsert(aNode("n2").with("8 cpu", "16Gi memory").labelled("disk", "ssd"))
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.status("late").nodeName()).isEqualTo("n2");
        assertThat(cluster.conditions("late")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheHostPortsTakesEffectAndIsNotReported() {
        cluster.edit(valid().requestingHostPort(8080));
        cluster.upsert(aPod("other").asking("1 cpu").withHostPort(8080));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aMalformedEditRetractsTheReportOnTheLastValidEdit() {
        cluster.edit(validWith(SSD).requesting("9 cpu"));
        assertThat(cluster.conditions("r"))
                .contains("Resized=false/InsufficientCapacity", "PlacementCurrent=false/TemplateEdited");
        cluster.edit(aReservation("r").malformed("six is no quantity"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");
        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }
}
