package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.door.globalreserve.GlobalReserveScene.group;
import static dev.berth.core.door.globalreserve.GlobalReserveScene.groupBy;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
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

/** A place that is over keeps its room, for no pod, until its StoredHold object says so: the next Berth reads the object. */
class PendingReleasesTest {
    private static final Node N1 = aNode("n1").with("4 cpu", "10 pods").build();
    private static final Node N2 = aNode("n2").with("4 cpu", "10 pods").build();

    private final GlobalReserveScene berth = new GlobalReserveScene();

    @BeforeEach
    void aClusterOfTwo() {
        berth.upsert(N1);
        berth.upsert(N2);
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

    private void noCapacityIsPromisedTwice() {
        assertThat(Invariants.checkPromises(berth.ledger().snapshot(), (NodeState node) -> Resources.NONE))
                .isEmpty();
    }

    /** How a place ends whose pod is not bound to its node. */
    enum End {
        GIVEN_BACK,
        POD_DELETED,
        POD_FAILED,
        POD_BOUND_ELSEWHERE;

        void happens(GlobalReserveScene berth) {
            switch (this) {
                case GIVEN_BACK -> berth.submitUnreserve(assignment(pod("a"), "n1"));
                case POD_DELETED -> berth.delete(pod("a"));
                case POD_FAILED -> berth.upsert(large("a").in(PodPhase.FAILED).build());
                case POD_BOUND_ELSEWHERE -> berth.upsert(large("a").on("n2").build());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void thePlaceKeepsItsCapacityUntilItsHoldIsDeleted(End end) {
        berth.upsert(pod("a"));
        berth.reserve(assignment(pod("a"), "n1"));

        end.happens(berth);

        assertThat(freeCpu("n1")).as("the Hold still promises the place").isZero();
        assertThat(berth.ledger().holdsFor(pod("a"))).as("no pod can use it").isEmpty();
        berth.completeAll();
        assertThat(berth.objects).isEmpty();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void ifBerthIsKilledBeforeTheHoldIsDeletedItsCapacityWasGivenToNoOtherPod(End end) {
        berth.upsert(pod("a"));
        berth.reserve(assignment(pod("a"), "n1"));
        berth.upsert(aPod("full").asking("4 cpu").on("n2").build());

        end.happens(berth);
        berth.delete(pod("a"));
        berth.upsert(ofBerth("b"));
        assertThat(berth.schedule()).noneMatch(Effect.Bind.class::isInstance);
        berth.restart(true);

        assertThat(berth.heldPlaces()).containsExactly("a on n1");
        noCapacityIsPromisedTwice();
    }

    @Test
    void aBoundPodUsesItsPlaceAndNothingElseIsHeld() {
        berth.upsert(aPod("a").asking("2 cpu").build());
        berth.reserve(assignment(aPod("a").asking("2 cpu").build(), "n1"));

        berth.upsert(aPod("a").asking("2 cpu").on("n1").build());

        assertThat(freeCpu("n1")).as("before the Hold is deleted").isEqualTo(2_000);
        noCapacityIsPromisedTwice();
        berth.completeAll();
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(freeCpu("n1")).isEqualTo(2_000);
    }

    @Test
    void ifABoundPodGoesBeforeItsHoldIsDeletedItsCapacityStaysKeptUntilThen() {
        berth.upsert(pod("a"));
        berth.reserve(assignment(pod("a"), "n1"));
        berth.upsert(large("a").on("n1").build());

        berth.delete(pod("a"));

        assertThat(freeCpu("n1")).as("a Berth that starts now keeps the place").isZero();
        berth.completeAll();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void aPodThatIsBoundAfterItsPlaceWasGivenBackIsNotCountedTwice() {
        berth.upsert(pod("a"));
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitUnreserve(assignment(pod("a"), "n1"));

        berth.upsert(large("a").on("n1").build());

        assertThat(freeCpu("n1")).isZero();
        noCapacityIsPromisedTwice();
    }

    @Test
    void aPlaceThatMovedKeepsItsOldCapacityUntilTheOldHoldIsDeleted() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitReserve(group(assignment(pod("a"), "n2")));

        berth.completeNextWrite();

        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
        assertThat(freeCpu("n1")).as("the old Hold is still there").isZero();
        berth.completeAll();
        assertThat(berth.heldPlaces()).containsExactly("a on n2");
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void theCapacityOfOnePlaceOfAGroupIsFreeWhenTheObjectIsSeenWithoutIt() {
        Pod a = aPod("a").asking("2 cpu").build();
        Pod b = aPod("b").asking("2 cpu").build();
        berth.reserve(assignment(a, "n1"), assignment(b, "n1"));

        berth.submitUnreserve(assignment(a, "n1"));
        assertThat(freeCpu("n1")).isZero();
        berth.completeAll();

        assertThat(berth.heldPlaces()).containsExactly("b on n1");
        assertThat(freeCpu("n1")).isEqualTo(2_000);
    }

    @Test
    void aGroupThatFailedKeepsItsCapacityWhileItsCreationMayStillArrive() {
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.runDueTimers();

        assertThat(call.response().orElseThrow().succeeded()).isFalse();
        assertThat(freeCpu("n1"))
                .as("the creation may arrive, and then a new Berth keeps the place")
                .isZero();
        berth.completeAll();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void ifTheDeletionIsDeniedTheCapacityIsFreeAtTheDeadlineAndAnEventIsRecorded() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitUnreserve(assignment(pod("a"), "n1"));
        berth.answerNextWrite(WriteResult.ResultKind.DENIED, "webhook says no");
        String deadline =
                berth.objects.values().iterator().next().spec().deadline().toString();

        assertThat(berth.events).singleElement().asString().contains("stay held", "until " + deadline);
        berth.rejectWrites(WriteResult.ResultKind.DENIED);
        berth.clock.advance(Duration.ofSeconds(59));
        berth.runAfterTimePassed();
        assertThat(freeCpu("n1")).isZero();
        berth.clock.advance(Duration.ofSeconds(1));
        berth.runAfterTimePassed();
        assertThat(freeCpu("n1")).isEqualTo(4_000);
        berth.acceptWrites();
        berth.clock.advance(Duration.ofMinutes(1));
        berth.runAfterTimePassed();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aStaleEventOfADeletedObjectHoldsNothing() {
        berth.reserve(assignment(pod("a"), "n1"));
        StoredHoldFact.Upserted old = berth.objects.values().iterator().next();
        berth.submitUnreserve(assignment(pod("a"), "n1"));
        berth.completeWrites();

        berth.deliver(old);

        assertThat(freeCpu("n1")).isEqualTo(4_000);
    }

    @Test
    void unreserveIsAnsweredAtOnceAndTheNextGroupHasTheCapacityAsSoonAsTheHoldIsDeleted() {
        berth.reserve(assignment(pod("a"), "n1"));
        assertThat(berth.submitUnreserve(assignment(pod("a"), "n1"))).isEqualTo(ReserveResponse.SUCCESS);

        GlobalReserveScene.Call call = berth.submitReserve(groupBy("other", assignment(pod("b"), "n1")));
        assertThat(call.response())
                .as("it is not refused for a write that is under way")
                .isEmpty();
        berth.completeAll();

        assertThat(call.response()).contains(ReserveResponse.SUCCESS);
        assertThat(berth.heldPlaces()).containsExactly("b on n1 by other");
    }

    @Test
    void aSchedulerThatReservesAgainForThePodNeedNotWaitForTheDeletion() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitUnreserve(assignment(pod("a"), "n1"));

        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));
        assertThat(berth.pendingWriteKinds()).containsExactly("Delete", "Create");
        berth.completeAll();

        assertThat(call.response()).contains(ReserveResponse.SUCCESS);
        assertThat(berth.heldPlaces()).containsExactly("a on n1");
        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
        assertThat(berth.objects).hasSize(1);
    }

    @Test
    void aGroupThatDoesNotFitIsRefusedWhenTheCapacityThatIsReleasedIsTooLittle() {
        berth.reserve(
                assignment(aPod("a").asking("2 cpu").build(), "n1"),
                assignment(aPod("c").asking("2 cpu").build(), "n1"));
        berth.submitUnreserve(assignment(aPod("a").build(), "n1"));

        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("b"), "n1")));
        assertThat(call.response()).isEmpty();
        berth.completeAll();

        assertThat(call.response().orElseThrow().error()).isEqualTo(ReserveResponse.INSUFFICIENT_RESOURCES);
        assertThat(call.response().orElseThrow().details())
                .singleElement()
                .asString()
                .contains("4 more needed, 2 free");
    }

    @Test
    void aGroupThatWaitsForADeletionThatDoesNotComeIsRefusedInTime() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitUnreserve(assignment(pod("a"), "n1"));
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("b"), "n1")));

        assertThat(berth.nextWake()).contains(berth.clock.instant().plusMillis(3_500));
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.runDueTimers();

        assertThat(call.response().orElseThrow().error()).isEqualTo(ReserveResponse.INSUFFICIENT_RESOURCES);
    }

    @Test
    void aGroupDoesNotWaitForADeletionThatIsDenied() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitUnreserve(assignment(pod("a"), "n1"));
        berth.answerNextWrite(WriteResult.ResultKind.DENIED, "webhook says no");

        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("b"), "n1")));

        assertThat(call.response().orElseThrow().error()).isEqualTo(ReserveResponse.INSUFFICIENT_RESOURCES);
    }

    @Test
    void whenAPlaceOnAFullNodeEndsWithItsNodeNothingIsKept() {
        berth.reserve(assignment(pod("a"), "n1"));

        berth.delete(N1);

        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(List.copyOf(berth.pendingWriteKinds())).containsExactly("Delete");
    }
}
