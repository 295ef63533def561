package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edit of a placed reservation that would have led to another place is reported, because it moves nothing. */
class EditsWithoutEffectTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String NOT_MOVED = READY + " Moved=false/MoveNotSupported";
    private static final NodeAffinity SSD = selecting("disk", "ssd");

    private final Scene scene = new Scene();

    @BeforeEach
    void aReservationOnANodeWithAnHdd() {
        scene.node(aNode("n1").with("8 cpu", "16Gi memory").labelled("disk", "hdd"))
                .reservation(valid());
    }

    private static ReservationBuilder valid() {
        return aReservation("r").keeping("6 cpu").shared();
    }

    private static ReservationBuilder validWith(NodeAffinity affinity) {
        return valid().shaped(shape -> shape.affinity(affinity));
    }

    private static ReservationBuilder tolerating(String key) {
        return valid().shaped(shape ->
                shape.tolerations(List.of(new Toleration(key, Toleration.Operator.EXISTS, "", Optional.empty()))));
    }

    private static NodeAffinity selecting(String key, String value) {
        return new NodeAffinity(Labels.of(key, value), Optional.empty(), List.of());
    }

    private String message() {
        return scene.status("r")
                .condition(Condition.Type.MOVED)
                .map(Condition::message)
                .orElse("");
    }

    @Test
    void anEditOfTheNodeSelectorIsReportedUntilItIsTakenBack() {
        scene.edit(validWith(SSD));
        assertThat(scene.conditions("r")).isEqualTo(NOT_MOVED);
        assertThat(message())
                .isEqualTo("the Reservation keeps its place on node n1, but spec.template.spec.nodeSelector (disk=ssd)"
                        + " does not match that node. Delete it and create it again to move it");
        assertThat(scene.events).containsOnlyOnce("MoveNotSupported: " + message());
        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheNodeSelectorIsReportedAfterARestartAndTakenBack() {
        scene.edit(validWith(SSD)).restart().pass(Duration.ofMinutes(1));
        assertThat(scene.conditions("r")).isEqualTo(NOT_MOVED);
        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheNodeSelectorToOneThatTheNodeMatchesIsNotReported() {
        scene.edit(validWith(selecting("disk", "hdd")));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aNodeThatNoLongerMatchesTheNodeSelectorIsReportedUntilItDoes() {
        scene.edit(validWith(selecting("disk", "hdd")));
        scene.node(aNode("n1").with("8 cpu", "16Gi memory").labelled("disk", "nvme"));
        assertThat(scene.conditions("r")).isEqualTo(NOT_MOVED);
        scene.node(aNode("n1").with("8 cpu", "16Gi memory").labelled("disk", "hdd"));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheRequiredNodeAffinityIsReportedUntilItIsTakenBack() {
        NodeTerm term =
                new NodeTerm(List.of(new Requirement("disk", Requirement.Operator.IN, List.of("ssd"))), List.of());
        scene.edit(validWith(new NodeAffinity(Labels.NONE, Optional.of(List.of(term)), List.of())));
        assertThat(scene.conditions("r")).isEqualTo(NOT_MOVED);
        assertThat(message()).contains("spec.template.spec.affinity.nodeAffinity does not match that node");
        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheTolerationsIsReportedUntilItIsTakenBack() {
        scene.edit(tolerating("gpu"));
        assertThat(scene.conditions("r")).isEqualTo(NOT_MOVED);
        assertThat(message())
                .isEqualTo(
                        "the Reservation keeps its place on node n1, but spec.template.spec.tolerations changed since"
                                + " it was placed. Delete it and create it again to move it");
        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void severalEditsAreReportedTogether() {
        scene.edit(tolerating("gpu").shaped(shape -> shape.affinity(SSD)).onlyOn("n2"));
        assertThat(message())
                .contains(
                        "spec.template.spec.nodeName is now n2, spec.template.spec.nodeSelector (disk=ssd) does not match"
                                + " that node and spec.template.spec.tolerations changed since it was placed.");
    }

    @Test
    void anEditThatIsSeenTogetherWithTheFirstStatusIsReported() {
        Scene hiding = new Scene();
        hiding.node(aNode("n1").with("8 cpu", "16Gi memory")).server(Scene.Mood.HIDING);
        hiding.reservation(valid()).server(Scene.Mood.TAKING);
        hiding.edit(tolerating("gpu"));
        assertThat(hiding.conditions("r")).isEqualTo(NOT_MOVED);
    }

    @Test
    void anEditBeforeTheReservationIsPlacedIsNotReported() {
        scene.reservation(aReservation("late").keeping("6 cpu").shared());
        scene.edit(aReservation("late").keeping("6 cpu").shared().shaped(shape -> shape.affinity(SSD)));
        scene.node(aNode("n2").with("8 cpu", "16Gi memory").labelled("disk", "ssd"))
                .pass(Duration.ofMinutes(1));
        assertThat(scene.status("late").nodeName()).isEqualTo("n2");
        assertThat(scene.conditions("late")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheHostPortsTakesEffectAndIsNotReported() {
        scene.edit(valid().keepingHostPort(8080));
        scene.pod(aPod("other").asking("1 cpu").withHostPort(8080));
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aMalformedEditTakesBackWhatIsReportedOfTheLastValidOne() {
        scene.edit(validWith(SSD).keeping("7 cpu"));
        assertThat(scene.conditions("r")).contains("Resized=false/ResizeNotSupported", "Moved=false/MoveNotSupported");
        scene.edit(aReservation("r").senseless("six is no quantity"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");
        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }
}
