package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Preemption victims still run: the node is over-committed only if resources are missing that no victim will release.
 */
class OvercommitmentWhileVictimsLeaveTest {
    private static final String R = "koordinator/r";

    private final Ledger ledger = new Ledger();

    @AfterEach
    void invariantsHold() {
        assertThat(Invariants.check(ledger.snapshot())).isEmpty();
        assertThat(Invariants.checkRebuilt(ledger.snapshot())).isEmpty();
    }

    private void node(String cpu) {
        ledger.put(aNode("n1").with(cpu, "10 pods").build());
    }

    private void pod(PodBuilder pod) {
        ledger.put(pod.on("n1").build());
    }

    private static PodBuilder owner(String name, String cpu) {
        return aPod(name).labelled("app", "owner").asking(cpu);
    }

    private void reservation(String id, String cpu) {
        ledger.put(
                aHold(id).on("n1").keeping(cpu).forPodsLabelled("app", "owner").build());
    }

    private static HoldBuilder nomination(String pod, String cpu) {
        return aHold("preemption/" + pod)
                .on("n1")
                .keeping(cpu)
                .allocateOnce()
                .forPod("default/" + pod)
                .until(Instant.MAX)
                .from(Origin.PluginId.PREEMPTION, "nominated pod " + pod);
    }

    private void put(HoldBuilder hold) {
        ledger.put(hold.build());
    }

    private NodeState state() {
        return ledger.node("n1").orElseThrow();
    }

    private void assertNothingIsMissing() {
        assertThat(state().overcommitments())
                .as("users are told that reserved room is missing, but all of it is there once the victims left")
                .isEmpty();
    }

    private void assertMissing(long milli) {
        assertThat(state().shortfall().get(ResourceName.CPU))
                .as("reserved cpu that is missing on the node")
                .isEqualTo(milli);
    }

    @Test
    void twoNominationsThatShareAVictimOvercommitNothingIfTheFirstWillDrawOnItsReservation() {
        node("4 cpu");
        reservation(R, "2 cpu");
        pod(aPod("stranger").asking("2 cpu"));
        put(nomination("high", "3 cpu").drawingOn(R, owner("high", "3 cpu")).backedBy("stranger"));
        put(nomination("small", "1 cpu").backedBy("stranger"));
        assertNothingIsMissing();

        ledger.removePod(new PodUid("stranger"));
        assertNothingIsMissing();
        assertThat(state().free().get(ResourceName.CPU)).isZero();
    }

    @Test
    void aVictimInsideAnotherReservationOvercommitsNothingIfTheNominationWillDrawOnItsOwn() {
        node("5 cpu");
        reservation(R, "2 cpu");
        put(aHold("koordinator/other").on("n1").keeping("2 cpu").forPodsLabelled("app", "other"));
        pod(aPod("low").labelled("app", "other").asking("3 cpu").using("koordinator/other"));
        put(nomination("high", "3 cpu").drawingOn(R, owner("high", "3 cpu")).backedBy("low"));
        assertNothingIsMissing();

        ledger.removePod(new PodUid("low"));
        assertNothingIsMissing();
        assertThat(state().free().get(ResourceName.CPU)).isZero();
    }

    @Test
    void aPodOfAnotherSchedulerOvercommitsTheNodeAtOnceByItsOwnRequestsOnly() {
        twoNominationsThatShareAVictimOvercommitNothingIfTheFirstWillDrawOnItsReservation();
        pod(aPod("stranger").asking("2 cpu"));
        pod(aPod("intruder").asking("500m cpu"));
        assertMissing(500);

        ledger.removePod(new PodUid("stranger"));
        assertMissing(500);

        ledger.removePod(new PodUid("intruder"));
        assertNothingIsMissing();
    }

    @Test
    void aPodOfAnotherSchedulerOnReservedCapacityOvercommitsTheNodeAlthoughAVictimWillLeave() {
        node("4 cpu");
        reservation(R, "2 cpu");
        pod(aPod("stranger").asking("2 cpu"));
        put(nomination("small", "1 cpu").backedBy("stranger"));
        pod(aPod("intruder").asking("1 cpu"));
        assertMissing(1000);

        ledger.removePod(new PodUid("stranger"));
        assertNothingIsMissing();
    }

    @Test
    void aPodOfAnotherSchedulerOnNominatedCapacityOvercommitsTheNodeBeforeTheVictimLeaves() {
        node("6 cpu");
        reservation(R, "2 cpu");
        pod(aPod("stranger").asking("2 cpu"));
        put(nomination("high", "4 cpu").backedBy("stranger"));
        assertNothingIsMissing();
        pod(aPod("intruder").asking("1 cpu"));
        assertMissing(1000);

        ledger.removeHold(new HoldId("preemption/high"));
        assertNothingIsMissing();
    }

    @Test
    void theCreditOfAVictimToItsNominationHidesNothingThatAHoldCannotDrawWithoutIt() {
        node("3 cpu");
        put(aHold(R).on("n1").keeping("2 cpu").restrictedTo("cpu").forPodsLabelled("app", "owner"));
        pod(owner("low", "1500m cpu").using(R));
        put(aHold("return/x").on("n1").keeping("1500m cpu").forPod("default/x").drawingOn(R, owner("x", "1500m cpu")));
        assertMissing(500);

        put(nomination("high", "1 cpu").backedBy("low"));
        assertMissing(500);

        ledger.removePod(new PodUid("low"));
        assertNothingIsMissing();
    }
}
