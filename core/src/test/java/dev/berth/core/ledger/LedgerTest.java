package dev.berth.core.ledger;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final HoldId H = new HoldId("h");

    private final Ledger ledger = new Ledger();

    @Test
    void aBoundPodUsesItsNode() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aPod("web-0").asking("3 cpu").on("n1").build());

        assertThat(state("n1").used()).isEqualTo(amounts("3 cpu", "1 pods"));
        assertThat(freeCpu("n1")).isEqualTo(5000);
    }

    @Test
    void aPodSeenBeforeItsNodeCountsOnceTheNodeAppears() {
        ledger.put(aPod("web-0").asking("3 cpu").on("n1").build());
        assertThat(ledger.node("n1")).isEmpty();

        ledger.put(aNode("n1").with("8 cpu").build());
        assertThat(freeCpu("n1")).isEqualTo(5000);
    }

    @Test
    void aTerminatingPodCountsUntilItIsGoneAndAFinishedOneNoMore() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aPod("a").asking("3 cpu").on("n1").build());
        ledger.put(aPod("b").asking("1 cpu").on("n1").build());

        ledger.put(aPod("a").asking("3 cpu").on("n1").terminating().build());
        ledger.put(aPod("b").asking("1 cpu").on("n1").in(PodPhase.SUCCEEDED).build());
        assertThat(freeCpu("n1")).isEqualTo(5000);

        ledger.removePod(new PodUid("a"));
        assertThat(freeCpu("n1")).isEqualTo(8000);
    }

    @Test
    void anUpdateThatWouldUnbindOrUndeleteAPodIsStale() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aPod("a").asking("3 cpu").on("n1").terminating().build());

        assertThat(ledger.put(aPod("a").asking("3 cpu").terminating().build())).isEqualTo(PodUpdateResult.STALE);
        assertThat(ledger.put(aPod("a").asking("3 cpu").on("n1").build())).isEqualTo(PodUpdateResult.STALE);
        assertThat(freeCpu("n1")).isEqualTo(5000);
    }

    @Test
    void anAssumedPodCountsUntilItIsForgotten() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aPod("a").asking("3 cpu").build());
        assertThat(freeCpu("n1")).isEqualTo(8000);

        assume("a", "n1");
        assertThat(freeCpu("n1")).isEqualTo(5000);

        assertThat(ledger.forget(new PodUid("a"))).isPresent();
        assertThat(ledger.forget(new PodUid("a"))).isEmpty();
        assertThat(freeCpu("n1")).isEqualTo(8000);
    }

    @Test
    void anObservedBindConfirmsTheAssumptionAndABindToAnotherNodeReplacesIt() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aNode("n2").with("8 cpu").build());
        ledger.put(aPod("a").asking("3 cpu").build());
        ledger.put(aPod("b").asking("3 cpu").build());
        assume("a", "n1");
        assume("b", "n1");

        assertThat(ledger.put(aPod("a").asking("3 cpu").on("n1").build())).isEqualTo(PodUpdateResult.CONFIRMED);
        assertThat(ledger.put(aPod("b").asking("3 cpu").on("n2").build())).isEqualTo(PodUpdateResult.BOUND_ELSEWHERE);
        assertThat(freeCpu("n1")).isEqualTo(5000);
        assertThat(freeCpu("n2")).isEqualTo(5000);
        assertThat(ledger.forget(new PodUid("a"))).isEmpty();
    }

    @Test
    void heldResourcesAreUnavailableToOtherPodsAndAvailableToTheOwner() {
        ledger.put(aNode("n1").with("8 cpu").build());
        Hold hold = aHold("h")
                .on("n1")
                .keeping("6 cpu")
                .forPodsLabelled("app", "web")
                .build();
        ledger.put(hold);
        Pod owner = aPod("web-0").labelled("app", "web").build();

        assertThat(freeCpu("n1")).isEqualTo(2000);
        assertThat(ledger.holdsFor(owner)).containsExactly(hold);
        assertThat(ledger.holdsFor(aPod("other").labelled("app", "db").build())).isEmpty();
        assertThat(ledger.availableWith(hold, owner).get(ResourceName.CPU)).isEqualTo(8000);
    }

    @Test
    void aRestrictedHoldGivesNoMoreThanItHasLeft() {
        ledger.put(aNode("n1").with("32 cpu", "32Gi memory").build());
        Hold hold = aHold("h")
                .on("n1")
                .keeping("6 cpu")
                .restrictedTo("cpu")
                .forAllPods()
                .build();
        ledger.put(hold);
        ledger.put(aPod("a").asking("2 cpu").on("n1").using("h").build());

        Resources room = ledger.availableWith(hold, aPod("b").build());
        assertThat(room.get(ResourceName.CPU)).isEqualTo(4000);
        assertThat(room.get(ResourceName.MEMORY)).isEqualTo(32L << 30);
    }

    @Test
    void whatOwnersMayNotUseStaysHeldEvenIfClaimsExceedTheRest() {
        ledger.put(aNode("n1").with("32 cpu").build());
        Hold hold = aHold("h")
                .on("n1")
                .keeping("6 cpu")
                .keepingFromOwners("2 cpu", "1Gi memory")
                .forAllPods()
                .build();
        ledger.put(hold);
        assertThat(freeCpu("n1")).isEqualTo(26_000);
        assertThat(ledger.availableWith(hold, aPod("b").build()).get(ResourceName.CPU))
                .isEqualTo(30_000);

        ledger.put(aPod("a").asking("5 cpu").on("n1").using("h").build());
        HoldState state = ledger.holdState(H).orElseThrow();
        assertThat(state.outstanding().get(ResourceName.CPU)).isEqualTo(2000);
        assertThat(state.remaining().get(ResourceName.CPU)).isZero();
        assertThat(freeCpu("n1")).isEqualTo(25_000);
    }

    @Test
    void aHoldWithASmallerSizeThanOwnersMayNotUseGivesNothing() {
        ledger.put(aNode("n1").with("32 cpu").build());
        Hold hold = aHold("h")
                .on("n1")
                .keeping("6 cpu")
                .keepingFromOwners("8 cpu")
                .forAllPods()
                .build();
        ledger.put(hold);
        assertThat(freeCpu("n1")).isEqualTo(26_000);
        assertThat(ledger.availableWith(hold, aPod("b").build()).get(ResourceName.CPU))
                .isEqualTo(26_000);
    }

    @Test
    void claimsMayExceedASharedHoldWhichThenHasNothingOutstanding() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aHold("h").on("n1").keeping("4 cpu").forAllPods().build());
        ledger.put(aPod("a").asking("3 cpu").on("n1").using("h").build());
        ledger.put(aPod("b").asking("3 cpu").on("n1").using("h").build());

        HoldState state = ledger.holdState(H).orElseThrow();
        assertThat(state.outstanding().isZero()).isTrue();
        assertThat(state.allocated().get(ResourceName.CPU)).isEqualTo(6000);
        assertThat(freeCpu("n1")).isEqualTo(2000);

        ledger.removePod(new PodUid("a"));
        assertThat(freeCpu("n1")).isEqualTo(4000);
    }

    @Test
    void anAllocateOnceHoldTakesOnePodAndKeepsTheRemainderUntilItIsRemoved() {
        ledger.put(aNode("n1").with("8 cpu").build());
        Hold hold =
                aHold("h").on("n1").keeping("6 cpu").allocateOnce().forAllPods().build();
        ledger.put(hold);
        ledger.put(aPod("a").asking("2 cpu").build());
        ledger.put(aPod("b").asking("2 cpu").build());

        ledger.assume(new PodUid("a"), new NodeUid("n1"), Optional.of(H));
        assertThat(freeCpu("n1")).isEqualTo(2000);
        assertThat(ledger.holdsFor(aPod("b").build())).isEmpty();
        assertThatThrownBy(() -> ledger.assume(new PodUid("b"), new NodeUid("n1"), Optional.of(H)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pod (a) uses it");

        ledger.put(aPod("a").asking("2 cpu").on("n1").using("h").build());
        assertThat(ledger.holdState(H).orElseThrow().spent()).isTrue();
        assertThat(freeCpu("n1")).isEqualTo(2000);
        assertThat(ledger.holdsFor(aPod("b").build())).isEmpty();

        ledger.removePod(new PodUid("a"));
        assertThat(freeCpu("n1")).as("what the pod used is the hold's again").isEqualTo(2000);
        ledger.removeHold(H);
        assertThat(freeCpu("n1")).isEqualTo(8000);
    }

    @Test
    void aForgottenClaimGivesAllOfTheHoldBack() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(
                aHold("h").on("n1").keeping("6 cpu").allocateOnce().forAllPods().build());
        ledger.put(aPod("a").asking("2 cpu").build());
        ledger.assume(new PodUid("a"), new NodeUid("n1"), Optional.of(H));

        ledger.forget(new PodUid("a"));

        assertThat(ledger.claimsOn(H)).isEmpty();
        assertThat(ledger.holdState(H).orElseThrow().outstanding().get(ResourceName.CPU))
                .isEqualTo(6000);
    }

    @Test
    void theCapacityOfABackerIsCountedOnce() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aPod("old").asking("5 cpu").on("n1").terminating().build());
        ledger.put(aHold("h")
                .on("n1")
                .keeping("5 cpu")
                .backedBy("old")
                .forPod("default/old")
                .build());
        assertThat(freeCpu("n1")).isEqualTo(3000);

        ledger.removePod(new PodUid("old"));
        assertThat(freeCpu("n1")).isEqualTo(3000);
        assertThat(ledger.holdState(H).orElseThrow().outstanding().get(ResourceName.CPU))
                .isEqualTo(5000);
    }

    @Test
    void aNodeThatIsRegisteredAgainHasItsPodsAndNoHolds() {
        ledger.put(aNode("n1").uid("first").with("8 cpu").build());
        Hold hold = aHold("h").on("first").keeping("5 cpu").forAllPods().build();
        ledger.put(hold);
        ledger.put(aPod("a").asking("1 cpu").on("n1").build());

        assertThat(ledger.put(aNode("n1").uid("second").with("8 cpu").build())).containsExactly(hold);
        assertThat(freeCpu("n1")).isEqualTo(7000);
        assertThat(ledger.hold(H)).isEmpty();
        assertThat(ledger.removeNode(new NodeUid("first"))).isEmpty();
        assertThat(ledger.nodeCount()).isEqualTo(1);
    }

    @Test
    void anOvercommittedNodeStatesTheCause() {
        ledger.put(aNode("n1").with("2 cpu").build());
        ledger.put(aHold("h").on("n1").keeping("1 cpu").forAllPods().build());
        ledger.put(aPod("a").asking("2 cpu").on("n1").build());

        assertThat(state("n1").overcommitments())
                .containsExactly(new Overcommitment(ResourceName.CPU, 2000, 2000, 1000));
        assertThat(state("n1").overcommitments().get(0).cause()).isEqualTo(Overcommitment.Cause.HOLDS);
    }

    @Test
    void aPodsCapacityIsPromisedToOneHoldOnly() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aPod("old").asking("3 cpu").on("n1").terminating().build());
        ledger.put(aHold("h1")
                .on("n1")
                .keeping("3 cpu")
                .backedBy("old")
                .forAllPods()
                .build());
        ledger.put(aHold("h2")
                .on("n1")
                .keeping("3 cpu")
                .backedBy("old")
                .forAllPods()
                .build());

        assertThat(freeCpu("n1")).isEqualTo(2000);
        ledger.removePod(new PodUid("old"));
        assertThat(freeCpu("n1")).isEqualTo(2000);
    }

    @Test
    void anAllocateOnceHoldStaysSpentWhenItsPodFinishes() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(
                aHold("h").on("n1").keeping("6 cpu").allocateOnce().forAllPods().build());
        ledger.put(aPod("a").asking("2 cpu").on("n1").using("h").build());

        ledger.put(aPod("a")
                .asking("2 cpu")
                .on("n1")
                .using("h")
                .in(PodPhase.SUCCEEDED)
                .build());

        assertThat(ledger.holdState(H).orElseThrow().spent()).isTrue();
        assertThat(freeCpu("n1")).isEqualTo(2000);
    }

    @Test
    void heldPortsAreFreeForTheOwnerAndInUseForOtherPods() {
        ledger.put(aNode("n1").build());
        Hold hold = aHold("h").on("n1").keepingHostPort(80).forAllPods().build();
        ledger.put(hold);
        ledger.put(aPod("a").withHostPort(443).on("n1").build());

        assertThat(state("n1").ports()).extracting(HostPort::port).containsExactly(80, 443);
        assertThat(ledger.usedPortsWith(hold)).extracting(HostPort::port).containsExactly(443);
    }

    @Test
    void aHoldSeenBeforeItsNodeKeepsNothingUntilTheNodeAppears() {
        Hold hold = aHold("h").on("n1").keeping("6 cpu").forAllPods().build();
        ledger.put(hold);
        assertThat(ledger.holdsWithoutNode()).containsExactly(hold);
        assertThat(ledger.holdsFor(aPod("a").build())).isEmpty();

        ledger.put(aNode("n1").with("8 cpu").build());
        assertThat(ledger.holdsWithoutNode()).isEmpty();
        assertThat(freeCpu("n1")).isEqualTo(2000);
    }

    @Test
    void removingAPodWithOverflowingRequestsRestoresTheSums() {
        Resources most = Resources.of(ResourceName.MEMORY, Long.MAX_VALUE);
        ledger.put(aNode("n1").with("8Gi memory").build());
        ledger.put(aPod("a").asking("1Gi memory").on("n1").build());
        ledger.put(aPod("b").asking(most).on("n1").build());
        ledger.put(aPod("c").asking(most).on("n1").build());
        assertThat(state("n1").free().get(ResourceName.MEMORY)).isNegative();

        ledger.removePod(new PodUid("b"));
        ledger.removePod(new PodUid("c"));
        assertThat(state("n1").free().get(ResourceName.MEMORY)).isEqualTo(7L << 30);
    }

    @Test
    void anInvalidAssumptionIsRejectedWithAMessage() {
        ledger.put(aNode("n1").build());
        ledger.put(aPod("a").build());
        ledger.put(aPod("b").on("n1").build());

        assertThatThrownBy(() -> assume("a", "n2")).hasMessage("pod (a): node (n2) not found");
        assertThatThrownBy(() -> assume("x", "n1")).hasMessage("pod (x) not found");
        assertThatThrownBy(() -> assume("b", "n1")).hasMessageContaining("it is on node (n1)");
        assume("a", "n1");
        assume("a", "n1");
        ledger.put(aNode("n2").build());
        assertThatThrownBy(() -> assume("a", "n2")).hasMessageContaining("already assumed on node (n1)");
    }

    @Test
    void holdsExpireAtTheirDeadline() {
        Instant noon = Instant.parse("2030-01-01T12:00:00Z");
        Hold hold = aHold("h").on("n1").until(noon).forAllPods().build();
        ledger.put(aNode("n1").build());
        ledger.put(hold);

        assertThat(ledger.nextDeadline()).contains(noon);
        assertThat(ledger.expiredAt(noon.minusMillis(1))).isEmpty();
        assertThat(ledger.expiredAt(noon)).containsExactly(hold);

        ledger.removeHold(H);
        assertThat(ledger.nextDeadline()).isEmpty();
    }

    @Test
    void aHoldThatKeepsZeroOfAnotherResourceCountsItsClaimsInThatResource() {
        ledger.put(aNode("n1").with("8 cpu", "8 memory").build());
        Hold hold = aHold("h").on("n1").keeping("2 cpu").forAllPods().build();
        ledger.put(hold);
        ledger.put(aPod("a").asking("1 cpu", "3 memory").on("n1").using("h").build());

        ledger.put(
                hold.toBuilder().size(hold.size().with(ResourceName.MEMORY, 0)).build());

        assertThat(ledger.holdState(H).orElseThrow().allocated().get(ResourceName.MEMORY))
                .isEqualTo(3);
    }

    @Test
    void aSnapshotStaysAsItWas() {
        ledger.put(aNode("n1").with("8 cpu").build());
        Snapshot before = ledger.snapshot();
        ledger.put(aPod("a").asking("1 cpu").on("n1").build());
        Snapshot after = ledger.snapshot();

        assertThat(before.node("n1").orElseThrow().free().get(ResourceName.CPU)).isEqualTo(8000);
        assertThat(before.pod(new PodUid("a"))).isEmpty();
        assertThat(after.node("n1").orElseThrow().free().get(ResourceName.CPU)).isEqualTo(7000);
        assertThat(after.pod(new PodUid("a"))).isPresent();
        assertThat(after.generation()).isGreaterThan(before.generation());
    }

    private void assume(String pod, String node) {
        ledger.assume(new PodUid(pod), new NodeUid(node), Optional.empty());
    }

    private NodeState state(String node) {
        return ledger.node(node).orElseThrow();
    }

    private long freeCpu(String node) {
        return state(node).free().get(ResourceName.CPU);
    }
}
