package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A pod is placed in its nomination before the last victim has left; the nomination draws on the place of the pod that it
 * follows, and that place draws on a reservation. Nothing is missing at any moment.
 */
class ChainedNominationTest {
    private static final String R = "koordinator/r";
    private static final String PLACE = "godel/default/left/left";
    private static final String NOMINATION = "preemption/back";
    private final Ledger ledger = new Ledger();

    private static PodBuilder owner(String name, String cpu) {
        return aPod(name)
                .labelled("app", "a")
                .annotated(GodelAnnotations.INDEX, "i")
                .asking(cpu);
    }

    @Test
    void aPodInAChainOfHoldsOvercommitsNothing() {
        ledger.put(aNode("n1").with("8 cpu", "20 pods").build());
        ledger.put(aPod("big").asking("4 cpu").on("n1").build());
        ledger.put(aPod("victim").asking("1 cpu").on("n1").terminating().build());
        ledger.put(
                aHold(R).on("n1").keeping("2 cpu").forPodsLabelled("app", "a").build());
        ledger.put(aHold(PLACE)
                .on("n1")
                .keeping("2 cpu")
                .allocateOnce()
                .forOwner(Owner.ofReturnKey(new ReturnKey("default", "i")))
                .until(Instant.MAX)
                .drawingOn(R, owner("left", "2 cpu"))
                .from(Origin.DoorId.GODEL, "godelreservation default/left")
                .build());
        ledger.put(owner("other", "1 cpu").build());
        ledger.put(owner("back", "1 cpu").build());
        ledger.put(aHold(NOMINATION)
                .on("n1")
                .keeping("1 cpu")
                .allocateOnce()
                .forPod("default/back")
                .until(Instant.MAX)
                .backedBy("victim")
                .drawingOn(PLACE, owner("back", "1 cpu"))
                .from(Origin.PluginId.PREEMPTION, "nominated pod default/back")
                .build());
        assume("other", R, List.of());
        nothingIsMissing("before the pod is placed");

        assume("back", NOMINATION, List.of(new HoldId(NOMINATION), new HoldId(PLACE)));

        assertThat(ledger.node("n1").orElseThrow().free().get(ResourceName.CPU)).isNotNegative();
        nothingIsMissing("while its bind is on its way");
        assertThat(Invariants.checkPromises(ledger.snapshot(), node -> Resources.NONE))
                .isEmpty();
    }

    private void nothingIsMissing(String when) {
        assertThat(ledger.node("n1").orElseThrow().overcommitments())
                .as("%s: users are told that reserved room is missing", when)
                .isEmpty();
    }

    private void assume(String pod, String hold, List<HoldId> drawing) {
        ledger.assume(
                new PodUid(pod),
                new NodeUid("n1"),
                Optional.of(new HoldId(hold)),
                Labels.of(Claim.bindAnnotations(new HoldId(R), drawing)));
    }
}
