package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Phase;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pod goes and its place waits: every way in which that begins, and every way in which it ends. */
class ComebackDoorTest {
    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder asking(String name, String index) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, index);
    }

    private static PodBuilder back(String name, String index) {
        return aPod(name).asking("3 cpu").annotated(ReturnKey.INDEX, index);
    }

    @Test
    void aDeletedPodLeavesItsPlaceToThePodWithItsIndexAndToNobodyElse() {
        scene.pod(asking("res-pod", "i").on("n1")).delete("res-pod");
        assertThat(scene.reservation("res-pod").orElseThrow().node()).isEqualTo("n1");
        scene.pod(aPod("other").asking("2 cpu"));
        assertThat(scene.nodeOf("other")).as("the room is kept").isEmpty();
        scene.pod(back("back-pod", "i"));
        assertThat(scene.nodeOf("back-pod")).isEqualTo("n1");
        assertThat(scene.matchOf("back-pod")).isEqualTo("default/res-pod-placeholder");
        assertThat(scene.writes)
                .containsExactly("create res-pod on n1", "match res-pod with back-pod", "delete res-pod");
        assertThat(scene.owed()).isEmpty();
    }

    @Test
    void aPodThatAnotherSchedulerBindsOntoAKeptPlaceIsReportedOnTheNodeAndOnTheReservation() {
        scene.pod(asking("res-pod", "i").on("n1")).delete("res-pod");
        scene.events.clear();
        scene.pod(aPod("intruder").asking("2 cpu").on("n1"));
        String missing = "node n1 is over-committed: 1 cpu of what is reserved there are not available; pods there that"
                + " use no hold: default/intruder (scheduler default-scheduler)";
        assertThat(scene.events)
                .containsExactly(
                        "Node n1: " + missing + "; reserved by: godelreservation default/res-pod",
                        "Reservation default/res-pod: " + missing);
    }

    @Test
    void aReservationThatArrivesAfterItsTimeIsDeletedAndDoesNotTakeBackRoomThatWasGivenAway() {
        scene.pod(asking("res-pod", "i").annotated(Words.TTL, "10").on("n1"))
                .silent(true)
                .delete("res-pod")
                .pass(Duration.ofSeconds(10));
        scene.pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).as("the time is over").isEqualTo("n1");

        scene.silent(false);
        assertThat(scene.cpuKept("n1")).isZero();
        scene.pass(Duration.ofMinutes(1));

        assertThat(scene.writes).containsExactly("create res-pod on n1", "delete res-pod");
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void theSameIndexInAnotherNamespaceIsAnother() {
        scene.pod(asking("res-pod", "i").on("n1")).delete("res-pod");
        scene.pod(back("elsewhere/back-pod", "i"));
        assertThat(scene.nodeOf("back-pod")).isEmpty();
    }

    @Test
    void aPodThatDoesNotAskLeavesNothing() {
        scene.pod(asking("p", "i").annotated(Words.RESERVATION, "false").on("n1"))
                .delete("p");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void theOlderAnnotationIsUnderstoodToo() {
        scene.pod(back("p", "i").annotated(Words.RESERVATION_BEFORE, "true").on("n1"))
                .delete("p");
        assertThat(scene.reservations()).containsExactly("p");
    }

    @Test
    void aPodThatWasNowhereLeavesNothing() {
        scene.pod(asking("p", "i").asking("8 cpu")).delete("p");
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aPodThatEndedByItselfLeavesNothing() {
        scene.pod(asking("p", "i").on("n1"))
                .pod(asking("p", "i").on("n1").in(Phase.SUCCEEDED))
                .delete("p");
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aPodThatEndsBecauseItIsDeletedLeavesItsPlaceWithoutAMomentInBetween() {
        scene.pod(asking("p", "i").on("n1"));
        scene.pod(aPod("other").asking("2 cpu"));
        scene.pod(asking("p", "i").on("n1").terminating());
        assertThat(scene.cpuKept("n1")).as("the pod itself is still there").isZero();
        scene.pod(asking("p", "i").on("n1").terminating().in(Phase.FAILED));
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.delete("p");
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.reservations()).containsExactly("p");
    }

    @Test
    void thePlaceOfAPodThatIsStillThereIsNobodysYet() {
        scene.node(aNode("n1").with("7 cpu"));
        scene.pod(asking("p", "i").on("n1")).pod(asking("p", "i").on("n1").terminating());
        scene.pod(back("back", "i"));
        assertThat(scene.matchOf("back")).as("it takes free room").isEmpty();
    }

    @Test
    void itIsAPreferenceAndNotAMust() {
        scene.pod(asking("p", "i").on("n1")).delete("p");
        scene.node(aNode("n2").with("8 cpu"));
        scene.pod(back("larger", "i").asking("6 cpu"));
        assertThat(scene.nodeOf("larger")).isEqualTo("n2");
        assertThat(scene.matchOf("larger")).isEmpty();
        assertThat(scene.reservations()).containsExactly("p");
    }

    @Test
    void onePodTakesOnePlaceAndOfSeveralTheOneItFits() {
        scene.node(aNode("n1").with("8 cpu"));
        scene.pod(asking("large", "i").asking("5 cpu").on("n1")).delete("large");
        scene.pod(asking("small", "i").asking("2 cpu").on("n1")).delete("small");
        scene.pod(back("first", "i").asking("2 cpu"));
        assertThat(scene.matchOf("first")).isEqualTo("default/small-placeholder");
        scene.pod(back("second", "i").asking("2 cpu"));
        assertThat(scene.matchOf("second")).isEqualTo("default/large-placeholder");
        assertThat(scene.cpuKept("n1")).as("what it does not need is free").isZero();
    }

    @Test
    void thePlaceIsFreeAfterItsTime() {
        scene.pod(asking("p", "i").on("n1")).delete("p");
        scene.pod(aPod("other").asking("2 cpu"));
        scene.pass(Scene.USUAL.minusSeconds(1));
        assertThat(scene.nodeOf("other")).isEmpty();
        scene.pass(Duration.ofSeconds(1)).pass(Duration.ofSeconds(10));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.events)
                .anyMatch(event -> event.contains("No pod returned to node n1 before the Reservation expired."));
    }

    @Test
    void aReservationDeletedByHandGivesThePlaceFreeAtOnce() {
        scene.pod(asking("p", "i").on("n1")).delete("p");
        scene.pod(aPod("other").asking("2 cpu"));
        scene.deleteReservation("p").pass(Duration.ofSeconds(10));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void aNodeThatIsGoneKeepsNothingAndNeitherDoesItsNamesake() {
        scene.pod(asking("p", "i").on("n1")).delete("p");
        scene.tell(new Fact.NodeGone(new NodeUid("n1"))).settle();
        assertThat(scene.reservations()).isEmpty();
        scene.node(aNode("n1").uid("another").with("4 cpu")).settle();
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aPodOfTheSameNameThatGoesFromElsewhereLosesNeitherPlace() {
        scene.node(aNode("n2").with("4 cpu"));
        scene.pod(asking("p", "i").uid("0123456789").on("n1")).delete("p");
        scene.pod(asking("p", "j").uid("abcdefghijk").on("n2")).delete("p");
        assertThat(scene.reservations()).containsExactly("p", "p-abcdefgh");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.cpuKept("n2")).isEqualTo(3000);
    }

    @Test
    void namesakesThatGoBeforeTheFirstIsWrittenLoseNeitherPlace() {
        scene.node(aNode("n2").with("4 cpu")).silent(true);
        scene.pod(asking("p", "i").uid("0123456789").on("n1")).delete("p");
        scene.pod(asking("p", "j").uid("abcdefghijk").on("n2")).delete("p");
        scene.silent(false);
        assertThat(scene.reservations()).containsExactly("p", "p-abcdefgh");
        assertThat(scene.owed()).isEmpty();
    }

    @Test
    void aReservationThatSomebodyWroteUnderThePodsNameMeanwhileStays() {
        scene.silent(true).pod(asking("p", "i").uid("0123456789").on("n1")).delete("p");
        scene.reservation(scene.byHand("p"));
        scene.silent(false).pass(Duration.ofSeconds(1));
        assertThat(scene.reservations()).containsExactly("p", "p-01234567");
        assertThat(scene.owed()).isEmpty();
    }

    @Test
    void aPodThatTookItsOwnPlaceLeavesItAgain() {
        scene.pod(asking("p", "i").uid("a").on("n1")).delete("p");
        scene.pod(asking("p", "i").uid("b"));
        assertThat(scene.nodeOf("p")).isEqualTo("n1");
        scene.delete("p");
        assertThat(scene.reservation("p").orElseThrow().podUid()).isEqualTo("b");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
    }

    @Test
    void whoeverComesBeforeTheReservationIsWrittenFindsThePlaceAllTheSame() {
        scene.silent(true).pod(asking("p", "i").on("n1")).delete("p");
        assertThat(scene.owed()).hasSize(1);
        scene.pod(back("back", "i"));
        assertThat(scene.matchOf("back")).isEqualTo("default/p-placeholder");
        scene.silent(false);
        assertThat(scene.writes).containsExactly("create p on n1", "match p with back", "delete p");
        assertThat(scene.owed()).isEmpty();
    }

    @Test
    void aRecordThatSomebodyElseWroteIsNoMatch() {
        scene.pod(asking("p", "i").on("n1")).delete("p");
        scene.pod(aPod("liar").annotated(Words.MATCHED, "default/p-placeholder").on("n1"));
        assertThat(scene.reservations()).containsExactly("p");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
    }

    @Test
    void aPodThatAsksWithoutAReturnKeyIsToldAtItsCreationAndNotAtItsDeletion() {
        scene.pod(aPod("p").asking("3 cpu").annotated(Words.RESERVATION, "true"));
        assertThat(scene.events)
                .containsExactly("Pod default/p: No reservation will be created: the pod has no return key. Set the"
                        + " annotation godel.bytedance.com/reservation-index.");
        scene.delete("p");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.events).hasSize(1);
    }

    @Test
    void aPodThatIsLargerThanTheNodeThatReplacedItsOwnLeavesNoPlaceAndAnEventSaysSo() {
        scene.node(aNode("n1").with("8 cpu"));
        scene.pod(aPod("p")
                .asking("6 cpu")
                .annotated(Words.RESERVATION, "true")
                .annotated(ReturnKey.INDEX, "i")
                .on("n1"));
        scene.node(aNode("n1").with("4 cpu"));
        scene.delete("p");
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.events)
                .contains("Pod default/p: no reservation was created: the pod requests 6 of cpu, but node n1 has 4"
                        + " allocatable");
    }

    @Test
    void aPlaceIsWrittenUnderAnotherNameWhereAReservationOfItsNameWaitsForAFinalizer() {
        scene.pod(asking("web-0", "i").uid("u1").on("n1")).delete("web-0");
        Placeholder old = scene.reservation("web-0").orElseThrow();
        scene.pod(asking("web-0", "i").uid("u2"));
        assertThat(scene.nodeOf("web-0")).isEqualTo("n1");
        scene.reservation(Scene.in("Matched", old).toBuilder().terminating(true).build())
                .settle();

        scene.delete("web-0").pass(Duration.ofSeconds(5));
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.reservations()).containsExactly("web-0", "web-0-u2");
    }

    @Test
    void aPlaceThatWaitsForItsNameTakesAnotherOneWhenTheReservationOfThatNameBeginsToWaitForAFinalizer() {
        scene.pod(asking("web-0", "i").uid("u1").on("n1")).delete("web-0");
        Placeholder old = scene.reservation("web-0").orElseThrow();
        scene.pod(asking("web-0", "i").uid("u2"));
        scene.server(Scene.Mood.DENYING).reservation(Scene.in("Matched", old)).delete("web-0");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);

        scene.reservation(Scene.in("Matched", old).toBuilder().terminating(true).build());
        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(20)).pass(Duration.ofSeconds(20));
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.reservations()).containsExactly("web-0", "web-0-u2");
    }

    @Test
    void placesThatATurnHasNoTimeForAreWrittenInTheNextTurns() {
        scene.node(aNode("n1").with("40 cpu", "100 pods"));
        List<String> names = IntStream.range(0, 30).mapToObj("p%02d"::formatted).toList();
        names.forEach(name -> scene.pod(asking(name, name).asking("1 cpu").on("n1")));
        scene.hurried();
        names.forEach(name -> {
            Fact gone = new Fact.PodGone(scene.podNamed(name).uid());
            scene.deleteUnseen(name).hear(gone);
        });

        scene.settle();
        assertThat(scene.reservations().size()).as("after ten turns").isBetween(1, 10);
        scene.settle().settle().settle();
        assertThat(scene.reservations()).containsExactlyElementsOf(names);
    }
}
