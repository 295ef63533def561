package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.AllocatedBytes;
import org.junit.jupiter.api.Test;

/** Pods and holds of one node that ask for more than a long can sum up: one that goes costs the same beside few and beside many. */
class ManyHugePodsTest {
    private static final Resources HUGE = Resources.of(ResourceName.MEMORY, Long.MAX_VALUE);
    private static final int FEW = 250;
    private static final int MANY = 2_500;
    private static final int MEASURED = 50;

    private static Ledger ledger() {
        Ledger ledger = new Ledger();
        ledger.put(aNode("n1").with("4 cpu", "100000 pods").build());
        return ledger;
    }

    @Test
    void theCostOfRemovingAHugePodDoesNotGrowWithOtherPods() {
        long few = pods(FEW);
        long many = pods(MANY);

        assertThat(many).as("bytes beside many, %d beside few", few).isLessThan(3 * few);
    }

    private static long pods(int count) {
        Ledger ledger = ledger();
        for (int i = 0; i < count; i++) {
            ledger.put(aPod("p" + i).asking(HUGE).on("n1").build());
        }
        long bytes = AllocatedBytes.measure(() -> {
            for (int i = 0; i < MEASURED; i++) {
                ledger.removePod(new PodUid("p" + i));
            }
        });
        for (int i = MEASURED; i < count; i++) {
            ledger.removePod(new PodUid("p" + i));
        }
        assertThat(ledger.node("n1").orElseThrow().used().isZero())
                .as("nothing is used when all are gone")
                .isTrue();
        return bytes;
    }

    @Test
    void theCostOfRemovingAHugeHoldDoesNotGrowWithOtherHolds() {
        long few = holds(FEW);
        long many = holds(MANY);

        assertThat(many).as("bytes beside many, %d beside few", few).isLessThan(3 * few);
    }

    private static long holds(int count) {
        Ledger ledger = ledger();
        for (int i = 0; i < count; i++) {
            ledger.put(aHold("globalreserve/p%05d".formatted(i))
                    .on("n1")
                    .keeping("7Ei memory", "1 pods")
                    .build());
        }
        long bytes = AllocatedBytes.measure(() -> {
            for (int i = 0; i < MEASURED; i++) {
                ledger.removeHold(new HoldId("globalreserve/p%05d".formatted(i)));
            }
        });
        assertThat(Invariants.checkRebuilt(ledger.snapshot())).isEmpty();
        return bytes;
    }
}
