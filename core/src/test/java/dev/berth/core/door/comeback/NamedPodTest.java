package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant writes a Reservation that names a pod of its namespace: the pod leaves its own place all the same. */
class NamedPodTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);
    private static final String UID = "12345678-uid";
    private static final String BOTH = "cpu kept: 3 for the successor of the pod, 1 by the tenant's Reservation";

    private final Scene scene = new Scene().node(aNode("n1").with("8 cpu")).listed();

    private static PodBuilder returning(String name, String uid) {
        return aPod(name)
                .uid(uid)
                .asking("3 cpu")
                .annotated(Words.RESERVATION, "true")
                .annotated(ReturnKey.INDEX, "i");
    }

    private static PodBuilder running() {
        return returning("first", UID).on("n1");
    }

    private Placeholder naming(String name, int cpus) {
        return scene.byHand(name).toBuilder()
                .key("j")
                .podUid(UID)
                .nodeUid("n1")
                .size(Resources.of(ResourceName.CPU, 1_000L * cpus).plus(Resources.of(ResourceName.PODS, 1)))
                .build();
    }

    private void theSuccessorTakesThePlaceOfThePod() {
        assertThat(scene.keepsPlaceOf(new PodUid(UID)))
                .as("the place of the pod is kept")
                .isTrue();
        scene.pod(returning("back", "back-uid"));
        assertThat(scene.matchOf("back")).startsWith("default/first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mine", "first", "first-12345678"})
    void aRunningPodLeavesItsPlaceThoughAReservationNamesIt(String name) {
        scene.pod(running()).reservation(naming(name, 1)).settle();
        assertThat(scene.events)
                .singleElement()
                .isEqualTo(
                        "Reservation default/%s: annotation godel.bytedance.com/placeholder-uid (%s) is ignored: pod first has not left its place. The Reservation keeps a place of its own."
                                .formatted(name, UID));
        scene.delete("first");

        assertThat(scene.cpuKept("n1")).as(BOTH).isEqualTo(4_000);
        theSuccessorTakesThePlaceOfThePod();
        assertThat(scene.cpuKept("n1")).as("the tenant's Reservation").isEqualTo(1_000);
    }

    @Test
    void aPodThatIsShownAfterTheReservationThatNamesItLeavesItsPlace() {
        scene.reservation(naming("mine", 1)).settle();
        scene.pod(running()).delete("first");

        assertThat(scene.cpuKept("n1")).as(BOTH).isEqualTo(4_000);
        theSuccessorTakesThePlaceOfThePod();
    }

    @Test
    void theDeletionOfTheReservationTakesNothingFromThePlaceOfThePod() {
        scene.pod(running()).reservation(naming("first", 1)).settle();
        scene.delete("first").deleteReservation("first").settle();

        theSuccessorTakesThePlaceOfThePod();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPodThatIsDeletedWhileNoBerthLeadsLeavesItsPlaceThoughAReservationNamesIt(boolean replayed) {
        scene.pod(running()).reservation(naming("mine", 1)).pass(A_BATCH).pass(A_BATCH);
        Pod gone = scene.podNamed("first");
        scene.deleteUnseen("first");
        if (replayed) {
            scene.restart(gone);
        } else {
            scene.restartWithoutHistory();
        }

        assertThat(scene.cpuKept("n1")).as(BOTH).isEqualTo(4_000);
        theSuccessorTakesThePlaceOfThePod();
    }

    @Test
    void afterARestartThePlaceOfThePodAndTheReservationThatNamesItAreBothKept() {
        scene.pod(running()).reservation(naming("mine", 1)).pass(A_BATCH).pass(A_BATCH);
        scene.delete("first").pass(A_BATCH).pass(A_BATCH);
        scene.restartWithoutHistory();

        assertThat(scene.cpuKept("n1")).as(BOTH).isEqualTo(4_000);
        theSuccessorTakesThePlaceOfThePod();
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.reservations()).containsExactly("mine");
    }

    @Test
    void aReservationThatIsWrittenBeforeBerthWritesItsOwnDoesNotReplaceThePlaceOfThePod() {
        scene.pod(running()).silent(true).delete("first");
        scene.reservation(naming("first", 1)).settle();
        scene.silent(false).pass(A_BATCH).pass(A_BATCH);

        assertThat(scene.cpuKept("n1")).as(BOTH).isEqualTo(4_000);
        assertThat(scene.reservations()).containsExactly("first", "first-12345678");
        theSuccessorTakesThePlaceOfThePod();
    }

    @Test
    void aReservationThatIsWrittenAfterBerthWroteItsOwnDoesNotReplaceThePlaceOfThePod() {
        scene.pod(running()).delete("first");
        scene.reservation(naming("mine", 1)).settle();
        assertThat(scene.cpuKept("n1")).as(BOTH).isEqualTo(4_000);

        scene.deleteReservation("mine").settle();
        theSuccessorTakesThePlaceOfThePod();
    }

    @Test
    void whoTakesTheReservationDoesNotTakeThePlaceOfThePod() {
        scene.pod(running()).reservation(naming("mine", 3).toBuilder().key("i").build());
        scene.pod(returning("other", "other-uid"));
        assertThat(scene.matchOf("other")).isEqualTo("default/mine-placeholder");
        scene.delete("first");

        theSuccessorTakesThePlaceOfThePod();
    }

    @Test
    void aReservationThatWasTakenIsNotKeptAgainAfterTheNamedPodWentAndBerthRestarted() {
        scene.pod(aPod("first").uid(UID).asking("1 cpu").on("n1")).reservation(naming("mine", 1));
        scene.server(Scene.Mood.DENYING).pod(aPod("other").asking("1 cpu").annotated(ReturnKey.INDEX, "j"));
        assertThat(scene.matchOf("other")).isEqualTo("default/mine-placeholder");
        scene.delete("first").restart();

        assertThat(scene.cpuKept("n1")).isZero();
        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(20));
        assertThat(scene.reservations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReservationOfARunningPodDoesNotSayThatAnotherPlaceWasTaken(boolean restarted) {
        scene.pod(running()).pod(returning("second", "second-uid").on("n1"));
        scene.pass(A_BATCH).pass(A_BATCH).delete("second").pass(A_BATCH);
        HoldId place = scene.reservation("second").orElseThrow().holdId();
        Placeholder lying = naming("mine", 1).toBuilder()
                .key("i")
                .took(Optional.of(new Placeholder.Took(place, "first")))
                .build();
        scene.reservation(lying).settle();
        if (restarted) {
            scene.restart();
        }

        assertThat(scene.keepsPlaceOf(new PodUid("second-uid")))
                .as("the place of the second pod is kept")
                .isTrue();
    }
}
