package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Amounts;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Killed at any moment and started anew, and reservations that people wrote themselves. */
class RestartTest {
    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    private static Placeholder byHand(String name, Scene scene) {
        return scene.byHand(name).toBuilder()
                .size(Amounts.amounts("3 cpu").plus(Resources.of(ResourceName.PODS, 1)))
                .build();
    }

    @Test
    void whatIsWrittenKeepsItsPlace() {
        scene.pod(asking("p").on("n1")).delete("p").restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.pod(asking("back"));
        assertThat(scene.matchOf("back")).isEqualTo("default/p-placeholder");
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aDeletionWhileNobodyLedIsToldAndLeavesThePlace() {
        Pod pod = asking("p").on("n1").build();
        scene.restart(pod);
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.reservations()).containsExactly("p");
    }

    @Test
    void aDeletionThatIsToldTwiceLeavesThePlaceOnce() {
        Pod pod = asking("p").on("n1").build();
        scene.pod(asking("p").on("n1")).delete("p").restart(pod);
        assertThat(scene.writes).containsExactly("create p on n1");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
    }

    @Test
    void aPlaceThatWasTakenIsNotGivenAgainThoughTheDeletionIsToldTwice() {
        Pod pod = asking("p").on("n1").build();
        scene.pod(asking("p").on("n1")).delete("p").pod(asking("back")).restart(pod);
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aMatchThatWasNotMarkedIsKnownByThePodsRecord() {
        scene.pod(asking("p").on("n1")).delete("p").silent(true).pod(asking("back"));
        assertThat(scene.reservations()).containsExactly("p");
        scene.silent(true).restart().silent(false);
        assertThat(scene.writes).containsExactly("create p on n1", "match p with back", "delete p");
    }

    @Test
    void aMatchThatWasMarkedIsDeleted() {
        scene.reservation(Scene.in("Matched", byHand("p", scene))).settle();
        assertThat(scene.writes).containsExactly("delete p");
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aTakerThatIsGoneBeforeTheMatchWasMarkedTookItAllTheSame() {
        scene.pod(asking("p").on("n1"))
                .delete("p")
                .silent(true)
                .pod(aPod("back").asking("3 cpu").annotated(ReturnKey.INDEX, "i"));
        Pod back = scene.podNamed("back");
        scene.delete("back");
        assertThat(scene.cpuKept("n1")).isZero();
        scene.restart(back).silent(false);
        assertThat(scene.writes).containsExactly("create p on n1", "match p with back", "delete p");
    }

    @Test
    void aTimeThatRanOutMeanwhileIsOver() {
        scene.pod(asking("p").on("n1")).delete("p");
        scene.clock.advance(Duration.ofMinutes(2));
        scene.restart();
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aPodThatWasEndingIsSeenOut() {
        scene.pod(asking("p").on("n1")).pod(asking("p").on("n1").terminating().in(Phase.FAILED));
        scene.restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.delete("p");
        assertThat(scene.reservations()).containsExactly("p");
    }

    @Test
    void aReservationMadeByHandNeedsNeitherTimeNorPod() {
        scene.reservation(byHand("mine", scene)).settle();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.pod(asking("back"));
        assertThat(scene.matchOf("back")).isEqualTo("default/mine-placeholder");
        scene.reservation(byHand("late", scene)).pass(Scene.USUAL);
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aReservationOnANodeThatIsNotThereYetKeepsItsPlaceOnceItIs() {
        scene.reservation(byHand("mine", scene).toBuilder().node("n2").build()).settle();
        assertThat(scene.events)
                .containsExactly(
                        "Reservation default/mine: spec.nodename (n2): there is no such node. The Reservation keeps nothing until the node exists.");
        scene.node(aNode("n2").with("4 cpu"));
        assertThat(scene.cpuKept("n2")).isEqualTo(3000);
    }

    @Test
    void theEndOfAReservationWhoseNodeNeverExistedSaysThatItKeptNothing() {
        scene.reservation(byHand("mine", scene).toBuilder().node("n22").build()).settle();

        scene.pass(Scene.USUAL);

        assertThat(scene.events)
                .as("there was no node n22 whose room could be free")
                .noneMatch(event -> event.contains("Its room is free"))
                .containsOnlyOnce(
                        "Reservation default/mine: The Reservation expired. It kept no room: there is no node n22.");
    }

    @Test
    void theEndOfAReservationWithoutAKeySaysThatItKeptNothing() {
        scene.reservation(byHand("mine", scene).toBuilder().key("").build()).settle();

        scene.pass(Scene.USUAL);

        assertThat(scene.events)
                .noneMatch(event -> event.contains("Its room is free"))
                .containsOnlyOnce("Reservation default/mine: The Reservation expired. It kept no room: annotation"
                        + " godel.bytedance.com/reservation-index is missing: nobody could come back to the place.");
    }

    @Test
    void aReservationThatMakesNoSenseIsAnsweredKeepsNothingAndEndsInItsTime() {
        scene.reservation(byHand("keyless", scene).toBuilder().key("").build())
                .reservation(byHand("broken", scene).toBuilder()
                        .ttl(Optional.of(30L))
                        .problem("cpu (lots) is no quantity")
                        .build())
                .settle();
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.events)
                .containsExactlyInAnyOrder(
                        "Reservation default/keyless: annotation godel.bytedance.com/reservation-index is missing:"
                                + " nobody could come back to the place",
                        "Reservation default/broken: The Reservation keeps nothing: cpu (lots) is no quantity");
        scene.pass(Duration.ofSeconds(30));
        assertThat(scene.reservations()).containsExactly("keyless");
        scene.pass(Duration.ofSeconds(30));
        assertThat(scene.reservations()).isEmpty();
    }
}
