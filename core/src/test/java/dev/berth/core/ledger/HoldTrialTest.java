package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A hold grows on a node where preemption victims terminate. */
class HoldTrialTest {
    private static final String R = "koordinator/r";

    private final Ledger ledger = new Ledger();

    private void pod(PodBuilder pod) {
        ledger.put(pod.on("n1").build());
    }

    private static Hold reservation(String cpu) {
        return aHold(R).on("n1").keeping(cpu).forPodsLabelled("app", "web").build();
    }

    private static PodBuilder owner(String name, String cpu) {
        return aPod(name).labelled("app", "web").asking(cpu).using(R);
    }

    private static HoldBuilder nomination(String cpu) {
        return aHold("preemption/high")
                .on("n1")
                .keeping(cpu)
                .allocateOnce()
                .forPod("default/high")
                .until(Instant.MAX)
                .from(Origin.PluginId.PREEMPTION, "nominated pod high");
    }

    /** Six cpus, of which another scheduler took four that were not free. Both victims leave for a nomination of two. */
    private void victimsThatUseMoreThanTheNodeHas() {
        ledger.put(aNode("n1").with("6 cpu", "10 pods").build());
        ledger.put(reservation("3 cpu"));
        pod(owner("low", "4 cpu"));
        pod(owner("web", "1 cpu"));
        pod(aPod("stranger").asking("1 cpu"));
        pod(aPod("intruder").asking("4 cpu"));
        ledger.put(nomination("2 cpu").backedBy("low").backedBy("intruder").build());
    }

    private long freeAfterTheVictims() {
        ledger.removePod(new PodUid("low"));
        ledger.removePod(new PodUid("intruder"));
        return ledger.node("n1").orElseThrow().free().get(ResourceName.CPU);
    }

    @Test
    void aHoldDoesNotGrowIntoWhatANominationGetsWhenItsVictimsHaveLeft() {
        victimsThatUseMoreThanTheNodeHas();

        assertThat(HoldTrial.putIfFits(ledger, reservation("4 cpu"), Optional.empty()))
                .as("the Reservation and the preemptor are promised the same cpu")
                .isFalse();

        assertThat(ledger.hold(reservation("3 cpu").id())).contains(reservation("3 cpu"));
        assertThat(freeAfterTheVictims()).isZero();
        assertThat(Invariants.check(ledger.snapshot())).isEmpty();
    }

    @Test
    void aHoldShrinksWhileVictimsLeaveAnOvercommittedNode() {
        victimsThatUseMoreThanTheNodeHas();

        assertThat(HoldTrial.putIfFits(ledger, reservation("2 cpu"), Optional.empty()))
                .isTrue();

        assertThat(freeAfterTheVictims()).isEqualTo(1000);
    }
}
