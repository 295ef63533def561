package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.HoldBuilder;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Many holds of one node that have backers or draw on another hold: a change costs what is linked with it. */
class ManyLinkedHoldsTest {
    private static final int FEW = 250;
    private static final int MANY = 2_500;
    private static final int MEASURED = 50;

    private static Ledger ledger(int pods) {
        Ledger ledger = new Ledger();
        ledger.put(aNode("n1").with("100000 cpu", "100000 pods").build());
        for (int i = 0; i < pods; i++) {
            ledger.put(aPod(pod(i)).on("n1").asking("1 cpu").build());
        }
        return ledger;
    }

    private static String pod(int number) {
        return "p%05d".formatted(number);
    }

    private static HoldBuilder place(int number) {
        return aHold("godel/default/p%05d".formatted(number))
                .on("n1")
                .allocateOnce()
                .keeping("1 cpu", "1 pods");
    }

    private static Hold leaving(int number) {
        return place(number).backedBy(pod(number)).build();
    }

    private static Hold drawing(int number) {
        return place(number)
                .drawingOn("koordinator/r", aPod("successor").labelled("app", "web"))
                .build();
    }

    private static HoldBuilder reservation(String cpu) {
        return aHold("koordinator/r").on("n1").keeping(cpu, "1 pods").forPodsLabelled("app", "web");
    }

    /** Puts so many holds and says what the last ones allocate until they are put and removed again. */
    private static long cost(Ledger ledger, int count, IntFunction<Hold> holds) {
        for (int i = 0; i < count; i++) {
            ledger.put(holds.apply(i));
        }
        return AllocatedBytes.measure(() -> {
            for (int i = 0; i < MEASURED; i++) {
                ledger.put(holds.apply(count + i));
            }
            for (int i = 0; i < MEASURED; i++) {
                ledger.removeHold(holds.apply(count + i).id());
            }
        });
    }

    private static void assertAboutEqual(long few, long many) {
        assertThat(many).as("bytes beside many, %d beside few", few).isLessThan(2 * few);
    }

    @Test
    void theCostOfAHoldThatALeavingPodBacksDoesNotGrowWithOtherHolds() {
        long few = cost(ledger(FEW + MEASURED), FEW, ManyLinkedHoldsTest::leaving);
        long many = cost(ledger(MANY + MEASURED), MANY, ManyLinkedHoldsTest::leaving);

        assertAboutEqual(few, many);
    }

    @Test
    void theCostOfAHoldThatDrawsOnAReservationDoesNotGrowWithOtherHolds() {
        assertDrawingCostsTheSame("50000 cpu");
    }

    private static void assertDrawingCostsTheSame(String size) {
        Ledger small = ledger(0);
        small.put(reservation(size).build());
        Ledger large = ledger(0);
        large.put(reservation(size).build());

        long few = cost(small, FEW, ManyLinkedHoldsTest::drawing);
        long many = cost(large, MANY, ManyLinkedHoldsTest::drawing);

        assertAboutEqual(few, many);
    }

    @Test
    void theCostOfAHoldThatGetsNothingOfAReservationDoesNotGrowWithOtherHolds() {
        assertDrawingCostsTheSame("10 cpu");
    }

    @Test
    void theCostOfAnOrdinaryPodDoesNotGrowWithHoldsThatDraw() {
        Ledger small = ledger(0);
        small.put(reservation("50000 cpu").build());
        cost(small, FEW, ManyLinkedHoldsTest::drawing);
        Ledger large = ledger(0);
        large.put(reservation("50000 cpu").build());
        cost(large, MANY, ManyLinkedHoldsTest::drawing);

        assertAboutEqual(comeAndGo(small), comeAndGo(large));
    }

    private static long comeAndGo(Ledger ledger) {
        return AllocatedBytes.measure(() -> {
            for (int i = 0; i < MEASURED; i++) {
                ledger.put(aPod("ordinary").on("n1").asking("1 cpu").build());
                ledger.removePod(new PodUid("ordinary"));
            }
        });
    }

    @Test
    void capacityDrawnByARemovedHoldIsDrawnByTheNextHolds() {
        Ledger ledger = ledger(0);
        ledger.put(reservation("3 cpu").build());
        for (int i = 0; i < 10; i++) {
            ledger.put(drawing(i));
        }
        assertThat(drawn(ledger, 0)).isEqualTo("1 cpu, 1 pods");
        assertThat(drawn(ledger, 2)).isEqualTo("1 cpu, 0 pods");
        assertThat(drawn(ledger, 3)).isEqualTo("0 cpu, 0 pods");

        ledger.removeHold(drawing(0).id());

        assertThat(drawn(ledger, 1)).isEqualTo("1 cpu, 1 pods");
        assertThat(drawn(ledger, 3)).isEqualTo("1 cpu, 0 pods");
        assertThat(drawn(ledger, 4)).isEqualTo("0 cpu, 0 pods");
        assertThat(Invariants.checkRebuilt(ledger.snapshot())).isEmpty();
    }

    private static String drawn(Ledger ledger, int number) {
        HoldId id = drawing(number).id();
        return ledger.holdState(id).orElseThrow().draws().taken().toString();
    }
}
