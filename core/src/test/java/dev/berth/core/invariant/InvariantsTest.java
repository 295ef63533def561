package dev.berth.core.invariant;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants.Rule;
import dev.berth.core.invariant.Invariants.Violation;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InvariantsTest {
    private final Ledger ledger = new Ledger();

    @Test
    void anOrdinaryLedgerViolatesNothingEvenWhenOvercommitted() {
        ledger.put(aNode("n1").with("2 cpu").build());
        ledger.put(aPod("a").asking("3 cpu").on("n1").build());
        ledger.put(aHold("h").on("n1").keeping("1 cpu").forAllPods().build());

        assertThat(Invariants.check(ledger.snapshot())).isEmpty();
        assertThat(Invariants.checkRebuilt(ledger.snapshot())).isEmpty();
    }

    @Test
    void capacityPromisedTwiceIsAViolationUnlessAPodOfAnotherSchedulerCausedIt() {
        ledger.put(aNode("n1").with("2 cpu").build());
        ledger.put(aPod("a").asking("2 cpu").on("n1").build());
        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> Resources.NONE))
                .isEmpty();

        ledger.put(aHold("h").on("n1").keeping("1 cpu").forAllPods().build());
        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> amounts("500m cpu")))
                .containsExactly(new Violation(
                        Rule.ROOM_IS_PROMISED_ONCE,
                        "node (n1): free cpu is -1000 with the holds [h], and 500 are excused"));
        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> amounts("1 cpu")))
                .isEmpty();
    }

    @Test
    void twoNominationsMayShareAVictimIfItsCapacityIsEnoughForBoth() {
        ledger.put(aNode("n1").with("4 cpu").build());
        ledger.put(aPod("victim").asking("4 cpu").on("n1").build());
        ledger.put(nomination("a", "2 cpu"));
        ledger.put(nomination("b", "2 cpu"));

        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> Resources.NONE))
                .isEmpty();
    }

    @Test
    void nominationsThatDoNotFitTogetherOnceTheirVictimLeftAreAViolation() {
        ledger.put(aNode("n1").with("4 cpu").build());
        ledger.put(aPod("victim").asking("4 cpu").on("n1").build());
        ledger.put(nomination("a", "2 cpu"));
        ledger.put(nomination("b", "3 cpu"));

        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> Resources.NONE))
                .containsExactly(
                        new Violation(
                                Rule.ROOM_IS_PROMISED_ONCE,
                                "node (n1): free cpu is -1000 with the holds [a, b] when the victims [victim] have left, and 0 are excused"));
    }

    @Test
    void roomThatIsPromisedTwiceWhileVictimsLeaveIsAViolationThatNominationsDoNotHide() {
        ledger.put(aNode("n1").with("4 cpu").build());
        ledger.put(aPod("victim").asking("2 cpu").on("n1").build());
        ledger.put(aHold("r").on("n1").keeping("3 cpu").forAllPods().build());
        ledger.put(nomination("a", "1 cpu"));

        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> Resources.NONE))
                .containsExactly(
                        new Violation(
                                Rule.ROOM_IS_PROMISED_ONCE,
                                "node (n1): free cpu is -1000 with the holds [r] without nominations that wait for victims, and 0 are excused"));
    }

    private static Hold nomination(String id, String size) {
        return aHold(id)
                .on("n1")
                .keeping(size)
                .forAllPods()
                .from(Origin.PluginId.PREEMPTION, "nominated pod " + id)
                .backedBy("victim")
                .build();
    }

    @Test
    void aHoldWithoutOwnersIsAViolation() {
        ledger.put(aHold("h").on("n1").build());

        assertThat(Invariants.check(ledger.snapshot()))
                .containsExactly(new Violation(Rule.HOLDS_HAVE_OWNERS, "hold (h (Reservation h)) has no owner"));
    }

    @Test
    void aHoldWithoutDeadlineThatNoObjectKeepsIsAViolation() {
        ledger.put(aHold("h")
                .on("n1")
                .forAllPods()
                .from(Origin.DoorId.GLOBALRESERVE, "group 7")
                .build());
        assertThat(Invariants.check(ledger.snapshot()))
                .extracting(Violation::rule)
                .containsExactly(Rule.HOLDS_HAVE_AN_END);

        ledger.put(aHold("h")
                .on("n1")
                .forAllPods()
                .from(Origin.DoorId.GLOBALRESERVE, "group 7")
                .until(Instant.EPOCH)
                .build());
        assertThat(Invariants.check(ledger.snapshot())).isEmpty();
    }

    @Test
    void aDeviceThatTwoHoldsKeepIsAViolation() {
        ledger.put(aNode("n1").build());
        ledger.put(aHold("a").on("n1").keepingDevice("gpu-0").forAllPods().build());
        ledger.put(aHold("b").on("n1").keepingDevice("gpu-0").forAllPods().build());

        assertThat(Invariants.check(ledger.snapshot()))
                .containsExactly(new Violation(
                        Rule.DEVICES_ARE_KEPT_ONCE, "node (n1): device (gpu-0) is kept by hold (a) and by hold (b)"));
    }

    @Test
    void aDeviceThatTwoPodsUseIsAViolation() {
        ledger.put(aNode("n1").build());
        ledger.put(aPod("a").build());
        ledger.put(aPod("b").build());
        ledger.assume(
                new PodUid("a"), new NodeUid("n1"), Optional.empty(), Labels.of(DeviceUse.ANNOTATION, "mine=gpu-0"));
        ledger.put(aPod("a").on("n1").build());
        ledger.assume(
                new PodUid("b"), new NodeUid("n1"), Optional.empty(), Labels.of(DeviceUse.ANNOTATION, "its=gpu-0"));

        assertThat(Invariants.check(ledger.snapshot()))
                .containsExactly(new Violation(
                        Rule.DEVICES_ARE_USED_ONCE,
                        "device (gpu-0) is used by pod (default/a) and by pod (default/b)"));
    }

    @Test
    void generationsThatGoBackAreAViolation() {
        ledger.put(aNode("n1").build());
        Snapshot before = ledger.snapshot();
        ledger.put(aPod("a").on("n1").build());
        Snapshot after = ledger.snapshot();

        assertThat(Invariants.checkTransition(before, after)).isEmpty();
        assertThat(Invariants.checkTransition(after, before))
                .extracting(Violation::rule)
                .containsOnly(Rule.GENERATIONS_GROW);
    }

    @Test
    void differencesBetweenSnapshotsAreDescribed() {
        ledger.put(aNode("n1").with("2 cpu").build());
        Snapshot before = ledger.snapshot();
        ledger.put(aPod("a").asking("1 cpu").on("n1").build());

        assertThat(SnapshotDifferences.between(before, ledger.snapshot()))
                .contains("used on node n1: () here, (1 cpu, 1 pods) there");
        assertThat(SnapshotDifferences.between(before, before)).isEmpty();
    }
}
