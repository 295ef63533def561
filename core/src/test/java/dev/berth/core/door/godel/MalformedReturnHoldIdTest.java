package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants write hold ids on pods and on Gödel Reservations. A malformed id affects only its own object. */
class MalformedReturnHoldIdTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "godel",
                "godel/",
                "godel//",
                "godel///",
                "godel/default",
                "godel/default/x",
                "godel/default/x/",
                "godel/default/x/ ",
                "godel/default/x/ u",
                "godel/default//u",
                "godel/ /x/u",
                "godel/default/x/u/",
                "godel/default/x/u/v",
                "koordinator/default/x/u"
            })
    void textThatIsNotGodelNamespaceNameUidIsNotAReturnHoldId(String text) {
        assertThat(ReturnHoldId.parse(new HoldId(text))).isEmpty();
    }

    @Test
    void returnHoldIdIsParsedAsItIsWritten() {
        ReturnHoldId place = new ReturnHoldId("default", "x", new PodUid("u"));

        assertThat(place.holdId()).isEqualTo(new HoldId("godel/default/x/u"));
        assertThat(ReturnHoldId.parse(place.holdId())).contains(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {"godel", "godel/", "godel/default/x/", "godel/default/x/ ", "godel/default/x//"})
    void podWithAMalformedHoldAnnotationDoesNotAffectOtherPods(String record) {
        scene.upsert(aPod("mine").on("n1"));

        scene.upsert(aPod("mine").on("n1").annotated(Claim.ANNOTATION, record));

        assertOtherPodsArePlaced();
    }

    @Test
    void podWithAMalformedDrawingHoldsAnnotationDoesNotAffectOtherPods() {
        scene.upsert(aPod("mine").on("n1").annotated(Claim.DRAWING_HOLDS, "godel/,godel/default/x/"));

        assertOtherPodsArePlaced();
    }

    @Test
    void berthStartsDespiteAPodWithAMalformedHoldAnnotation() {
        scene.upsertUnseen(aPod("mine").on("n1").annotated(Claim.ANNOTATION, "godel/"));

        scene.restart();

        assertOtherPodsArePlaced();
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "/", "a/ ", "a/b", " u"})
    void reservationWithAMalformedPodUidHoldsNothingAndAnEventReportsIt(String uid) {
        scene.upsertReservation(scene.handWrittenReservation("x").toBuilder()
                        .originalPodUid(uid)
                        .build())
                .runTurns();

        assertReported("annotation godel.bytedance.com/placeholder-uid (%s) must be the UID of the original pod"
                .formatted(uid));
        assertOtherPodsArePlaced();
    }

    @ParameterizedTest
    @ValueSource(strings = {"godel/default/z/ ", "godel/", "koordinator/r", "godel/other/z/u"})
    void reservationWithAMalformedPreviousHoldHoldsNothingAndAnEventReportsIt(String took) {
        scene.upsertReservation(scene.handWrittenReservation("x").toBuilder()
                        .originalPodUid("u")
                        .ttlSeconds(Optional.of(1L))
                        .claimedHold(Optional.of(new GodelReservation.ClaimedHold(new HoldId(took), "z")))
                        .build())
                .runTurns();

        assertReported(
                "annotation berth.dev/previous-hold (%s) must be godel/default/<name>/<UID of the original pod of that hold>"
                        .formatted(took));
        scene.advance(Duration.ofSeconds(100));
        assertOtherPodsArePlaced();
    }

    @Test
    void reservationThatDrawsOnItselfHoldsNothingAndAnEventReportsIt() {
        Draw itself = Draw.forSuccessorOf(requestingPod("y").build(), new HoldId("godel/default/x/u"));
        scene.upsertReservation(scene.handWrittenReservation("x").toBuilder()
                        .originalPodUid("u")
                        .draw(Optional.of(itself))
                        .build())
                .runTurns();

        assertReported("annotation berth.dev/draws-on (godel/default/x/u) names the Reservation's own hold:"
                + " name the hold that its capacity is part of");
        assertOtherPodsArePlaced();
    }

    @Test
    void reservationOfBerthEditedIntoAMalformedOneHoldsWhatItHeldBefore() {
        scene.upsert(requestingPod("p").on("n1")).deletePod("p");
        GodelReservation written = scene.findReservation("p").orElseThrow();

        scene.upsertReservation(written.toBuilder().originalPodUid("/").build()).runTurns();

        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.events).anyMatch(event -> event.contains("holds what it held before the edit"));
        scene.upsert(requestingPod("back"));
        assertThat(scene.nodeOf("back")).isEqualTo("n1");
    }

    private void assertReported(String problem) {
        assertThat(scene.events).anyMatch(event -> event.contains("The Reservation holds nothing: " + problem));
    }

    private void assertOtherPodsArePlaced() {
        scene.upsert(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
    }
}
