package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.group;
import static dev.berth.core.door.reserve.ReserveDesk.groupBy;
import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A place that is over keeps its room, for no pod, until its Hold object says so: the next Berth reads the object. */
class EndedPlaceTest {
    private static final Node N1 = aNode("n1").with("4 cpu", "10 pods").build();
    private static final Node N2 = aNode("n2").with("4 cpu", "10 pods").build();

    private final ReserveDesk berth = new ReserveDesk();

    @BeforeEach
    void aClusterOfTwo() {
        berth.add(N1);
        berth.add(N2);
    }

    private static PodBuilder large(String name) {
        return aPod(name).asking("4 cpu");
    }

    private static Pod pod(String name) {
        return large(name).build();
    }

    private static Pod ofBerth(String name) {
        return large(name).with(it -> it.schedulerName("berth-scheduler")).build();
    }

    private long freeCpu(String node) {
        return berth.free(node).get(ResourceName.CPU);
    }

    private void noRoomIsPromisedTwice() {
        assertThat(Invariants.promises(berth.ledger().snapshot(), (NodeState node) -> Resources.NONE))
                .isEmpty();
    }

    /** How a place ends whose pod is not bound to its node. */
    enum End {
        GIVEN_BACK,
        POD_DELETED,
        POD_FAILED,
        POD_BOUND_ELSEWHERE;

        void happens(ReserveDesk berth) {
            switch (this) {
                case GIVEN_BACK -> berth.unreserveUnsent(seat(pod("a"), "n1"));
                case POD_DELETED -> berth.remove(pod("a"));
                case POD_FAILED -> berth.add(large("a").in(Phase.FAILED).build());
                case POD_BOUND_ELSEWHERE -> berth.add(large("a").on("n2").build());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void thePlaceKeepsItsRoomUntilItsHoldIsDeleted(End end) {
        berth.add(pod("a"));
        berth.reserve(seat(pod("a"), "n1"));

        end.happens(berth);

        assertThat(freeCpu("n1")).as("the Hold still promises the place").isZero();
        assertThat(berth.ledger().holdsFor(pod("a"))).as("no pod can use it").isEmpty();
        berth.goOn();
        assertThat(berth.objects).isEmpty();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void ifBerthIsKilledBeforeTheHoldIsDeletedItsRoomWasGivenToNoOtherPod(End end) {
        berth.add(pod("a"));
        berth.reserve(seat(pod("a"), "n1"));
        berth.add(aPod("full").asking("4 cpu").on("n2").build());

        end.happens(berth);
        berth.remove(pod("a"));
        berth.add(ofBerth("b"));
        assertThat(berth.schedule()).noneMatch(Effect.Bind.class::isInstance);
        berth.restart(true);

        assertThat(berth.kept()).containsExactly("a on n1");
        noRoomIsPromisedTwice();
    }

    @Test
    void aBoundPodUsesItsPlaceAndKeepsNothingBesideIt() {
        berth.add(aPod("a").asking("2 cpu").build());
        berth.reserve(seat(aPod("a").asking("2 cpu").build(), "n1"));

        berth.add(aPod("a").asking("2 cpu").on("n1").build());

        assertThat(freeCpu("n1")).as("before the Hold is deleted").isEqualTo(2_000);
        noRoomIsPromisedTwice();
        berth.goOn();
        assertThat(berth.kept()).isEmpty();
        assertThat(freeCpu("n1")).isEqualTo(2_000);
    }

    @Test
    void ifABoundPodGoesBeforeItsHoldIsDeletedItsRoomStaysKeptUntilThen() {
        berth.add(pod("a"));
        berth.reserve(seat(pod("a"), "n1"));
        berth.add(large("a").on("n1").build());

        berth.remove(pod("a"));

        assertThat(freeCpu("n1")).as("a Berth that starts now keeps the place").isZero();
        berth.goOn();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void aPodThatIsBoundAfterItsPlaceWasGivenBackIsNotCountedTwice() {
        berth.add(pod("a"));
        berth.reserve(seat(pod("a"), "n1"));
        berth.unreserveUnsent(seat(pod("a"), "n1"));

        berth.add(large("a").on("n1").build());

        assertThat(freeCpu("n1")).isZero();
        noRoomIsPromisedTwice();
    }

    @Test
    void aPlaceThatMovedKeepsItsOldRoomUntilTheOldHoldIsDeleted() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.ask(group(seat(pod("a"), "n2")));

        berth.writeNext();

        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
        assertThat(freeCpu("n1")).as("the old Hold is still there").isZero();
        berth.goOn();
        assertThat(berth.kept()).containsExactly("a on n2");
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void ofAGroupTheRoomOfOnePlaceIsFreeWhenTheHoldIsSeenWithoutIt() {
        Pod a = aPod("a").asking("2 cpu").build();
        Pod b = aPod("b").asking("2 cpu").build();
        berth.reserve(seat(a, "n1"), seat(b, "n1"));

        berth.unreserveUnsent(seat(a, "n1"));
        assertThat(freeCpu("n1")).isZero();
        berth.goOn();

        assertThat(berth.kept()).containsExactly("b on n1");
        assertThat(freeCpu("n1")).isEqualTo(2_000);
    }

    @Test
    void aGroupThatFailedKeepsItsRoomWhileItsCreationMayStillArrive() {
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.wake();

        assertThat(call.answer().orElseThrow().done()).isFalse();
        assertThat(freeCpu("n1"))
                .as("the creation may arrive, and then a new Berth keeps the place")
                .isZero();
        berth.goOn();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void ifTheDeletionIsDeniedTheRoomIsFreeAtTheDeadlineAndAnEventSaysSo() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.unreserveUnsent(seat(pod("a"), "n1"));
        berth.answerNext(Outcome.Kind.DENIED, "webhook says no");
        String deadline =
                berth.objects.values().iterator().next().spec().deadline().toString();

        assertThat(berth.events).singleElement().asString().contains("stays kept", "until " + deadline);
        berth.refuseWrites(Outcome.Kind.DENIED);
        berth.clock.advance(Duration.ofSeconds(59));
        berth.tick();
        assertThat(freeCpu("n1")).isZero();
        berth.clock.advance(Duration.ofSeconds(1));
        berth.tick();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
        berth.takeWrites();
        berth.clock.advance(Duration.ofMinutes(1));
        berth.tick();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void oldNewsOfAHoldThatWasDeletedKeepsNothing() {
        berth.reserve(seat(pod("a"), "n1"));
        HoldFact.Seen old = berth.objects.values().iterator().next();
        berth.unreserveUnsent(seat(pod("a"), "n1"));
        berth.write();

        berth.learn(old);

        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void unreserveIsAnsweredAtOnceAndTheNextGroupHasTheRoomAsSoonAsTheHoldIsDeleted() {
        berth.reserve(seat(pod("a"), "n1"));
        assertThat(berth.unreserveUnsent(seat(pod("a"), "n1"))).isEqualTo(ReserveAnswer.DONE);

        ReserveDesk.Call call = berth.ask(groupBy("other", seat(pod("b"), "n1")));
        assertThat(call.answer())
                .as("it is not refused for a write that is under way")
                .isEmpty();
        berth.goOn();

        assertThat(call.answer()).contains(ReserveAnswer.DONE);
        assertThat(berth.kept()).containsExactly("b on n1 by other");
    }

    @Test
    void aSchedulerThatReservesAgainForThePodNeedNotWaitForTheDeletion() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.unreserveUnsent(seat(pod("a"), "n1"));

        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));
        assertThat(berth.onTheirWay()).containsExactly("Delete", "Create");
        berth.goOn();

        assertThat(call.answer()).contains(ReserveAnswer.DONE);
        assertThat(berth.kept()).containsExactly("a on n1");
        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
        assertThat(berth.objects).hasSize(1);
    }

    @Test
    void aGroupThatDoesNotFitIsRefusedWhenTheRoomThatIsReleasedIsTooLittle() {
        berth.reserve(
                seat(aPod("a").asking("2 cpu").build(), "n1"),
                seat(aPod("c").asking("2 cpu").build(), "n1"));
        berth.unreserveUnsent(seat(aPod("a").build(), "n1"));

        ReserveDesk.Call call = berth.ask(group(seat(pod("b"), "n1")));
        assertThat(call.answer()).isEmpty();
        berth.goOn();

        assertThat(call.answer().orElseThrow().error()).isEqualTo(ReserveAnswer.NO_ROOM);
        assertThat(call.answer().orElseThrow().details())
                .singleElement()
                .asString()
                .contains("4 more needed, 2 free");
    }

    @Test
    void aGroupThatWaitsForADeletionThatDoesNotComeIsRefusedInTime() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.unreserveUnsent(seat(pod("a"), "n1"));
        ReserveDesk.Call call = berth.ask(group(seat(pod("b"), "n1")));

        assertThat(berth.nextWake()).contains(berth.clock.instant().plusMillis(3_500));
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.wake();

        assertThat(call.answer().orElseThrow().error()).isEqualTo(ReserveAnswer.NO_ROOM);
    }

    @Test
    void aGroupDoesNotWaitForADeletionThatIsDenied() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.unreserveUnsent(seat(pod("a"), "n1"));
        berth.answerNext(Outcome.Kind.DENIED, "webhook says no");

        ReserveDesk.Call call = berth.ask(group(seat(pod("b"), "n1")));

        assertThat(call.answer().orElseThrow().error()).isEqualTo(ReserveAnswer.NO_ROOM);
    }

    @Test
    void whenAPlaceOnAFullNodeEndsWithItsNodeNothingIsKept() {
        berth.reserve(seat(pod("a"), "n1"));

        berth.remove(N1);

        assertThat(berth.kept()).isEmpty();
        assertThat(List.copyOf(berth.onTheirWay())).containsExactly("Delete");
    }
}
