package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A nomination or a return hold inside a reservation keeps the room once. */
class DrawTest {
    private static final String R = "r";
    private static final String N = "n";

    private final Ledger ledger = new Ledger();

    @AfterEach
    void aRebuiltLedgerAgrees() {
        assertThat(Invariants.check(ledger.snapshot())).isEmpty();
        assertThat(Invariants.checkRebuilt(ledger.snapshot())).isEmpty();
    }

    @Test
    void aNominationOfAnOwnerIsBackedByTheClaimOfItsVictimAndDrawnFromTheReservation() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(owner("low", "4 cpu").on("n1").using(R).build());
        ledger.put(nomination("high", "4 cpu").backedBy("low").build());

        assertKept(4000, 0, 0);
        assertThat(freeCpu()).isZero();

        ledger.removePod(new PodUid("low"));
        assertKept(0, 0, 4000);
        assertThat(freeCpu()).isZero();

        // The pod gives up: the reservation has its room again.
        ledger.removeHold(new HoldId(N));
        assertKept(0, 4000, 0);
        assertThat(freeCpu()).isZero();
    }

    @Test
    void theNominatedOwnerLandsWithTheClaimOfTheReservation() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(owner("high", "4 cpu").build());
        ledger.put(nomination("high", "4 cpu").build());

        ledger.assume(new PodUid("high"), new NodeUid("n1"), Optional.of(new HoldId(N)));
        assertKept(4000, 0, 0);
        assertThat(freeCpu()).isZero();

        ledger.put(owner("high", "4 cpu").on("n1").using(R).build());
        ledger.removeHold(new HoldId(N));
        assertKept(4000, 0, 0);
        assertThat(ledger.claimsOn(new HoldId(R))).hasSize(1);
    }

    @Test
    void resourcesThatTheReservationLacksComeFromTheVictimThatIsNotAnOwner() {
        node("4 cpu");
        ledger.put(reservation("2 cpu").allocateOnce().build());
        ledger.put(aPod("stranger").asking("2 cpu").on("n1").build());
        ledger.put(nomination("owner", "4 cpu").backedBy("stranger").build());

        assertKept(2000, 0, 2000);
        assertThat(freeCpu()).isZero();

        ledger.removePod(new PodUid("stranger"));
        assertKept(0, 0, 4000);
        assertThat(freeCpu()).isZero();
    }

    @Test
    void anAllocateOnceReservationThatIsDrawnOnAdmitsNoOtherOwner() {
        node("8 cpu");
        ledger.put(reservation("4 cpu").allocateOnce().build());
        ledger.put(nomination("high", "2 cpu").build());

        assertThat(ledger.holdsFor(owner("other", "1 cpu").build())).isEmpty();
        assertKept(0, 2000, 2000);
    }

    @Test
    void whenAHoldDrawsOnASharedReservationOtherOwnersGetTheRest() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(nomination("high", "3 cpu").build());

        Pod other = owner("other", "2 cpu").build();
        assertThat(ledger.holdsFor(other)).extracting(Hold::id).containsExactly(new HoldId(R));
        assertThat(ledger.availableWith(hold(R), other).get(ResourceName.CPU)).isEqualTo(1000);
    }

    @Test
    void aVictimLargerThanTheNominationGivesTheRestBackToTheReservation() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(owner("low", "4 cpu").on("n1").using(R).build());
        ledger.put(nomination("high", "1 cpu").backedBy("low").build());

        assertKept(4000, 0, 0);
        ledger.removePod(new PodUid("low"));
        assertKept(0, 3000, 1000);
    }

    @Test
    void claimsThatStayLeaveLessToDraw() {
        node("4 cpu");
        ledger.put(reservation("3 cpu").build());
        ledger.put(owner("mid", "2 cpu").on("n1").using(R).build());
        ledger.put(owner("low", "1 cpu").on("n1").using(R).build());
        ledger.put(nomination("high", "2 cpu").backedBy("low").build());

        assertKept(3000, 0, 1000);
        ledger.removePod(new PodUid("low"));
        assertKept(2000, 0, 2000);
    }

    @Test
    void twoHoldsDoNotDrawTheSameCapacity() {
        node("8 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(nomination("high", "3 cpu").build());
        ledger.put(aHold("n2")
                .on("n1")
                .keeping("3 cpu")
                .allocateOnce()
                .forPod("default/second")
                .drawingOn(R, owner("second", "3 cpu"))
                .build());

        assertThat(taken(N)).isEqualTo(3000);
        assertThat(taken("n2")).isEqualTo(1000);
        assertKept(0, 0, 3000);
        assertThat(freeCpu()).isEqualTo(2000);
    }

    @Test
    void aRestrictedReservationGivesAllThatItRestrictsOrNothing() {
        node("8 cpu");
        ledger.put(reservation("4 cpu").restrictedTo("cpu").build());
        ledger.put(nomination("high", "5 cpu").build());
        assertThat(taken(N)).isZero();
        assertKept(0, 4000, 5000);

        ledger.removeHold(new HoldId(N));
        ledger.put(nomination("high", "4 cpu").build());
        assertKept(0, 0, 4000);
    }

    @Test
    void aReservationThatDoesNotAdmitTheOwnerGivesNothing() {
        node("8 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(nomination("high", "4 cpu").build());
        assertKept(0, 0, 4000);

        ledger.put(aHold(R).on("n1")
                .keeping("4 cpu")
                .forPodsLabelled("app", "other")
                .build());
        assertThat(ledger.holdState(new HoldId(N)).orElseThrow().draws().source())
                .isEmpty();
        assertKept(0, 4000, 4000);
    }

    @Test
    void aReservationThatEndsLeavesTheDrawingHoldWhole() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(nomination("high", "4 cpu").build());
        ledger.removeHold(new HoldId(R));

        assertThat(outstanding(N)).isEqualTo(4000);
        assertThat(freeCpu()).isZero();
    }

    @Test
    void anOwnerMayUseAPortThatTheReservationKeepsForIt() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").keepingHostPort(8080).build());
        ledger.put(nomination("high", "4 cpu").keepingHostPort(8080).build());

        assertThat(ledger.usedPortsWith(hold(N))).isEmpty();
    }

    @Test
    void aPodThatTheDrawnReservationDoesNotAdmitCannotUseTheDrawingHold() {
        node("4 cpu");
        ledger.put(reservation("4 cpu").build());
        ledger.put(aHold(N).on("n1")
                .keeping("4 cpu")
                .allocateOnce()
                .forAllPods()
                .drawingOn(R, owner("gone", "4 cpu"))
                .build());

        assertThat(ledger.holdsFor(aPod("stranger").asking("4 cpu").build())).isEmpty();
        assertThat(ledger.holdsFor(owner("successor", "4 cpu").build()))
                .extracting(Hold::id)
                .containsExactly(new HoldId(N), new HoldId(R));
    }

    private void node(String amount) {
        ledger.put(aNode("n1").with(amount).build());
    }

    private static HoldBuilder reservation(String amount) {
        return aHold(R).on("n1").keeping(amount).forPodsLabelled("app", "owner");
    }

    private static HoldBuilder nomination(String pod, String amount) {
        return aHold(N).on("n1")
                .keeping(amount)
                .allocateOnce()
                .forPod("default/" + pod)
                .drawingOn(R, owner(pod, amount));
    }

    private static PodBuilder owner(String name, String amount) {
        return aPod(name).labelled("app", "owner").asking(amount);
    }

    private void assertKept(long used, long reservation, long nomination) {
        assertThat(ledger.node("n1").orElseThrow().used().get(ResourceName.CPU)).isEqualTo(used);
        assertThat(outstanding(R)).isEqualTo(reservation);
        assertThat(outstanding(N)).isEqualTo(nomination);
    }

    private Hold hold(String id) {
        return ledger.hold(new HoldId(id)).orElseThrow();
    }

    private long outstanding(String id) {
        return ledger.holdState(new HoldId(id))
                .map(state -> state.outstanding().get(ResourceName.CPU))
                .orElse(0L);
    }

    private long taken(String id) {
        return ledger.holdState(new HoldId(id)).orElseThrow().draws().taken().get(ResourceName.CPU);
    }

    private long freeCpu() {
        return ledger.node("n1").orElseThrow().free().get(ResourceName.CPU);
    }

    @Test
    void aVictimOfTwoNominationsIsCreditedToTheOneThatHasNoOtherVictim() {
        node("4 cpu");
        ledger.put(aPod("large").asking("3 cpu").on("n1").build());
        ledger.put(aPod("small").asking("1 cpu").on("n1").build());
        ledger.put(aHold("a")
                .on("n1")
                .keeping("2 cpu")
                .allocateOnce()
                .backedBy("large")
                .backedBy("small")
                .build());
        ledger.put(aHold("b")
                .on("n1")
                .keeping("2 cpu")
                .allocateOnce()
                .backedBy("large")
                .build());
        assertThat(ledger.node("n1").orElseThrow().free().get(ResourceName.CPU))
                .as("the victims leave four, which both nominations together need")
                .isZero();
    }

    @Test
    void aNominationDrawsOnAHoldForOnceThatItsVictimIsOnlyAssumedToUse() {
        node("4 cpu");
        ledger.put(reservation("1 cpu").allocateOnce().build());
        ledger.put(aPod("stranger").asking("1 cpu").on("n1").build());
        ledger.put(owner("low", "500m cpu").build());
        ledger.assume(new PodUid("low"), new NodeUid("n1"), Optional.of(new HoldId(R)));
        ledger.put(nomination("high", "3 cpu").backedBy("low").build());
        assertFree(0);

        ledger.put(owner("low", "500m cpu").on("n1").using(R).build());
        assertFree(0);
    }

    @Test
    void aVictimsCapacityIsNotFreeWhileTheVictimIsThere() {
        node("5 cpu");
        ledger.put(reservation("3 cpu").build());
        ledger.put(aPod("stranger").asking("2 cpu").on("n1").build());
        assertFree(0);
        ledger.put(nomination("high", "4 cpu").backedBy("stranger").build());
        assertFree(0);
        ledger.removePod(new PodUid("stranger"));
        assertFree(1000);
    }

    @Test
    void aPartialDrawDoesNotBreakWhenAnotherPodOvercommitsTheNode() {
        node("8 cpu");
        ledger.put(reservation("3 cpu").build());
        ledger.put(owner("other", "2 cpu").on("n1").using(R).build());
        ledger.put(nomination("high", "2 cpu").build());
        assertThat(ledger.brokenDraws()).isEmpty();
        ledger.put(aPod("intruder").asking("6 cpu").on("n1").build());
        assertThat(ledger.brokenDraws()).isEmpty();
    }

    private void assertFree(long milli) {
        assertThat(ledger.node("n1").orElseThrow().free().get(ResourceName.CPU))
                .as("room that is kept twice, or not at all")
                .isEqualTo(milli);
    }
}
