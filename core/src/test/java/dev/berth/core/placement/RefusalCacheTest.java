package dev.berth.core.placement;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.testing.HoldBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Unschedulable pods with holds: the vetoes for one of them are used for the next. */
class RefusalCacheTest {
    private static final int NODES = 200;

    /** The fast path asks a node about a hold a few times when it looks at the node. */
    private static final int A_FEW_TIMES = 5;

    private final Ledger ledger = new Ledger();
    private final ReferencePlacer slow = new ReferencePlacer(ledger, ScoreWeights.DEFAULT);
    private final Placer placer = new Placer(counting(ledger), ScoreWeights.DEFAULT);
    private int asked;

    @Test
    void ownersOfEqualHoldsFilterEachNodeOnce() {
        nodes(number -> aHold("h" + number).forPodsLabelled("app", "web"));
        refuse(NODES);
        assertThat(asked).isBetween(NODES, NODES * A_FEW_TIMES);
    }

    @Test
    void ownersOfDifferentHoldsFilterOnlyTheNodeOfTheirOwnHold() {
        nodes(number -> aHold("h" + number).forPod("default/p" + number));
        refuse(NODES);
        assertThat(asked).isBetween(NODES, NODES * A_FEW_TIMES);
    }

    @Test
    void afterAHoldChangesOnlyItsNodeIsFilteredAgain() {
        nodes(number -> aHold("h" + number).forPodsLabelled("app", "web"));
        refuse(1);
        asked = 0;
        for (int i = 0; i < 10; i++) {
            ledger.put(hold(aHold("h" + i).forPodsLabelled("app", "web").keeping("1500m cpu"), i));
            refuse(1);
        }
        assertThat(asked).isBetween(10, 10 * A_FEW_TIMES);
    }

    @Test
    void anOwnerIsPlacedWhenTheNodeOfItsHoldHasCapacity() {
        nodes(number -> aHold("h" + number).forPodsLabelled("app", "web"));
        refuse(2);
        ledger.put(aNode("n7").with("6 cpu").build());
        assertThat(placer.place(pod(0))).isInstanceOf(Placement.Placed.class).isEqualTo(expected(pod(0)));
    }

    /** Holds for others stand in the way on two nodes, and one of them moves from one node to the other. */
    @Test
    void aHoldThatMovedToAnotherNodeIsNamedThere() {
        nodes(number -> aHold("h" + number).forPodsLabelled("app", "web"));
        for (int i = 0; i < NODES; i++) {
            String cpu = i == 3 || i == 9 ? "400m cpu" : "600m cpu";
            ledger.put(aPod("there" + i).asking(cpu).on("n" + i).build());
        }
        ledger.put(forOthers("stays-3", 3, "500m cpu"));
        ledger.put(forOthers("stays-9", 9, "500m cpu"));
        Pod pod = aPod("waits").asking("1500m cpu").labelled("app", "web").build();
        for (int node : new int[] {9, 3, 9, 3}) {
            ledger.put(forOthers("moves", node, "100m cpu"));
            Placement placement = placer.place(pod);
            assertThat(placement).isEqualTo(expected(pod));
            assertThat(((Placement.Refused) placement).fitErrorMessage()).contains("moves", "stays-3", "stays-9");
        }
    }

    private static Hold forOthers(String id, int node, String cpu) {
        return hold(aHold(id).forPod("default/absent").keeping(cpu), node);
    }

    private void nodes(IntFunction<HoldBuilder> holds) {
        for (int i = 0; i < NODES; i++) {
            ledger.put(aNode("n" + i).with("2 cpu").build());
            ledger.put(hold(holds.apply(i).keeping("1 cpu"), i));
        }
    }

    private static Hold hold(HoldBuilder hold, int node) {
        return hold.on("n" + node).allocateOnce().build();
    }

    private void refuse(int pods) {
        for (int i = 0; i < pods; i++) {
            Pod pod = pod(i);
            Placement placement = placer.place(pod);
            assertThat(placer.resolvingEventsAtMatchingHolds(pod, HoldUse.PREFERRED))
                    .isNotEmpty();
            if (i % 50 == 0) {
                assertThat(placement).isInstanceOf(Placement.Refused.class).isEqualTo(expected(pod));
            }
        }
    }

    private Placement expected(Pod pod) {
        return slow.place(pod, HoldUse.PREFERRED);
    }

    private static Pod pod(int number) {
        return aPod("p" + number).asking("4 cpu").labelled("app", "web").build();
    }

    /** The ledger, with a count of how often the node of a hold is read. */
    private LedgerView counting(Ledger real) {
        return (LedgerView) Proxy.newProxyInstance(
                LedgerView.class.getClassLoader(), new Class<?>[] {LedgerView.class}, (proxy, method, arguments) -> {
                    asked += method.getName().equals("availableWith") ? 1 : 0;
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
