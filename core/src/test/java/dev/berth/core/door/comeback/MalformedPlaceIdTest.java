package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants write the ids of places on pods and on Gödel Reservations. What is no such id costs its object alone. */
class MalformedPlaceIdTest {
    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return",
                "return/",
                "return//",
                "return///",
                "return/default",
                "return/default/x",
                "return/default/x/",
                "return/default/x/ ",
                "return/default/x/ u",
                "return/default//u",
                "return/ /x/u",
                "return/default/x/u/",
                "return/default/x/u/v",
                "reservation/default/x/u"
            })
    void textThatIsNotReturnNamespaceNameUidIsNoPlace(String text) {
        assertThat(PlaceId.parse(new HoldId(text))).isEmpty();
    }

    @Test
    void idOfAPlaceIsReadAsItIsWritten() {
        PlaceId place = new PlaceId("default", "x", new PodUid("u"));

        assertThat(place.holdId()).isEqualTo(new HoldId("return/default/x/u"));
        assertThat(PlaceId.parse(place.holdId())).contains(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {"return", "return/", "return/default/x/", "return/default/x/ ", "return/default/x//"})
    void podWithAMalformedRecordOfAPlaceLeavesOthersAlone(String record) {
        scene.pod(aPod("mine").on("n1"));

        scene.pod(aPod("mine").on("n1").annotated(Claim.ANNOTATION, record));

        othersArePlaced();
    }

    @Test
    void podWithAMalformedRecordOfADrawingHoldLeavesOthersAlone() {
        scene.pod(aPod("mine").on("n1").annotated(Claim.DRAWING_HOLDS, "return/,return/default/x/"));

        othersArePlaced();
    }

    @Test
    void berthStartsWithAPodThatHasAMalformedRecordOfAPlace() {
        scene.createUnseen(aPod("mine").on("n1").annotated(Claim.ANNOTATION, "return/"));

        scene.restart();

        othersArePlaced();
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "/", "a/ ", "a/b", " u"})
    void reservationOfAPodWithAMalformedUidKeepsNothingAndSaysSo(String uid) {
        scene.reservation(scene.byHand("x").toBuilder().podUid(uid).build()).settle();

        says("annotation godel.bytedance.com/placeholder-uid (%s) must be the UID of the pod that left".formatted(uid));
        othersArePlaced();
    }

    @ParameterizedTest
    @ValueSource(strings = {"return/default/z/ ", "return/", "reservation/r", "return/other/z/u"})
    void reservationThatTookAMalformedPlaceKeepsNothingAndSaysSo(String took) {
        scene.reservation(scene.byHand("x").toBuilder()
                        .podUid("u")
                        .ttl(Optional.of(1L))
                        .took(Optional.of(new Placeholder.Took(new HoldId(took), "z")))
                        .build())
                .settle();

        says("annotation berth.dev/took (%s) must be return/default/<name>/<UID of the pod that left the place>"
                .formatted(took));
        scene.pass(Duration.ofSeconds(100));
        othersArePlaced();
    }

    @Test
    void reservationThatDrawsOnItselfKeepsNothingAndSaysSo() {
        Draw itself = Draw.forSuccessorOf(asking("y").build(), new HoldId("return/default/x/u"));
        scene.reservation(scene.byHand("x").toBuilder()
                        .podUid("u")
                        .draw(Optional.of(itself))
                        .build())
                .settle();

        says("annotation berth.dev/draws-on (return/default/x/u) names the Reservation's own place:"
                + " name the hold that its room is part of");
        othersArePlaced();
    }

    @Test
    void reservationOfBerthThatIsEditedIntoAMalformedOneKeepsThePlace() {
        scene.pod(asking("p").on("n1")).delete("p");
        Placeholder written = scene.reservation("p").orElseThrow();

        scene.reservation(written.toBuilder().podUid("/").build()).settle();

        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.events).anyMatch(event -> event.contains("keeps the place as before the edit"));
        scene.pod(asking("back"));
        assertThat(scene.nodeOf("back")).isEqualTo("n1");
    }

    private void says(String problem) {
        assertThat(scene.events).anyMatch(event -> event.contains("The Reservation keeps nothing: " + problem));
    }

    private void othersArePlaced() {
        scene.pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
    }

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }
}
