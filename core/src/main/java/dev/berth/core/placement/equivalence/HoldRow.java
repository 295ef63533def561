package dev.berth.core.placement.equivalence;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.HoldFillScore;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * The claimable holds of one node for pods that the same rules admit, as numbers. Holds without a free pod slot are left
 * out. Of holds that a pod fills equally, the first one here wins. Immutable.
 */
final class HoldRow {
    static final HoldRow EMPTY = new HoldRow(List.of(), new long[0], new int[0], true);

    /** The numbers of one hold. What is available follows from the hold's policy and what is free on the node. */
    private static final int AVAILABLE_CPU = 0;

    private static final int AVAILABLE_MEMORY = 1;
    private static final int SIZE_CPU = 2;
    private static final int SIZE_MEMORY = 3;
    private static final int ALLOCATED_CPU = 4;
    private static final int ALLOCATED_MEMORY = 5;
    /** The sum of how full the other resources of the hold are. */
    private static final int OTHERS_FILLED = 6;

    private static final int WIDTH = 7;
    /** A hundred times this, and the sum of two, fit into a long. */
    static final long MAX_AMOUNT = Long.MAX_VALUE / 400;

    private final List<HoldState> holds;
    private final long[] numbers;
    /** By hold, the number of resources of its size that count. */
    private final int[] counted;

    private final boolean sufficient;

    private HoldRow(List<HoldState> holds, long[] numbers, int[] counted, boolean sufficient) {
        this.sufficient = sufficient;
        this.holds = holds;
        this.numbers = numbers;
        this.counted = counted;
    }

    /** @param offered the claimable holds on the node, in the order of preference */
    static HoldRow of(List<Hold> offered, NodeState node, LedgerView ledger) {
        List<HoldState> usable = new ArrayList<>(offered.size());
        List<Resources> available = new ArrayList<>(offered.size());
        addUsable(offered, node, ledger, true, usable, available);
        addUsable(offered, node, ledger, false, usable, available);
        if (usable.isEmpty()) {
            return EMPTY;
        }
        long[] numbers = new long[WIDTH * usable.size()];
        int[] counted = new int[usable.size()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = write(usable.get(i), available.get(i), numbers, i * WIDTH);
        }
        return new HoldRow(
                List.copyOf(usable),
                numbers,
                counted,
                usable.stream().allMatch(state -> isSufficientFor(state, ledger)));
    }

    /** Holds that draw on another hold come first: of holds that the pod fills equally, they win. */
    private static void addUsable(
            List<Hold> offered,
            NodeState node,
            LedgerView ledger,
            boolean drawing,
            List<HoldState> usable,
            List<Resources> available) {
        for (Hold hold : offered) {
            HoldState state = ledger.holdState(hold.id()).orElseThrow();
            if (state.draws().source().isPresent() == drawing) {
                Resources found = ledger.availableWith(hold, node.free());
                if (PodSlot.isFreeIn(found)) {
                    usable.add(state);
                    available.add(found);
                }
            }
        }
    }

    private static int write(HoldState state, Resources available, long[] numbers, int at) {
        Resources size = state.hold().size();
        numbers[at + AVAILABLE_CPU] = available.get(ResourceName.CPU);
        numbers[at + AVAILABLE_MEMORY] = available.get(ResourceName.MEMORY);
        numbers[at + SIZE_CPU] = size.get(ResourceName.CPU);
        numbers[at + SIZE_MEMORY] = size.get(ResourceName.MEMORY);
        numbers[at + ALLOCATED_CPU] = state.allocated().get(ResourceName.CPU);
        numbers[at + ALLOCATED_MEMORY] = state.allocated().get(ResourceName.MEMORY);
        int counted = 0;
        for (int i = 0; i < size.size(); i++) {
            ResourceName name = size.nameAt(i);
            if (size.amountAt(i) > 0 && !name.equals(ResourceName.PODS)) {
                counted++;
                if (!name.equals(ResourceName.CPU) && !name.equals(ResourceName.MEMORY)) {
                    numbers[at + OTHERS_FILLED] += HoldFillScore.percentFilled(
                            size.amountAt(i), state.allocated().get(name));
                }
            }
        }
        return counted;
    }

    private static boolean isSufficientFor(HoldState state, LedgerView ledger) {
        return HoldRankings.orderOf(ledger, state) == ReservationInfo.UNORDERED
                && !isTooLarge(state.hold().size())
                && !isTooLarge(state.allocated());
    }

    private static boolean isTooLarge(Resources amounts) {
        for (int i = 0; i < amounts.size(); i++) {
            if (amounts.amountAt(i) > MAX_AMOUNT) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether these numbers decide which hold is best. They do not if a Reservation has an order label, or if an amount is so
     * large that the scores could overflow.
     */
    boolean isSufficient() {
        return sufficient;
    }

    int count() {
        return counted.length;
    }

    HoldState hold(int number) {
        return holds.get(number);
    }

    /** Whether a pod with these requests fits, if it uses the hold. A request of zero always fits. */
    boolean fits(int hold, long cpu, long memory) {
        int at = hold * WIDTH;
        return (cpu == 0 || cpu <= numbers[at + AVAILABLE_CPU])
                && (memory == 0 || memory <= numbers[at + AVAILABLE_MEMORY]);
    }

    /** Whether the hold has any of the requested resources. */
    boolean hasAnyOf(int hold, long cpu, long memory) {
        int at = hold * WIDTH;
        return (cpu > 0 && numbers[at + SIZE_CPU] > 0) || (memory > 0 && numbers[at + SIZE_MEMORY] > 0);
    }

    /** See {@link HoldFillScore#score}. */
    int fillScore(int hold, long cpu, long memory) {
        if (counted[hold] == 0) {
            return 0;
        }
        int at = hold * WIDTH;
        long sum = numbers[at + OTHERS_FILLED];
        long cpuSize = numbers[at + SIZE_CPU];
        long memorySize = numbers[at + SIZE_MEMORY];
        sum += cpuSize > 0 ? HoldFillScore.percentFilled(cpuSize, numbers[at + ALLOCATED_CPU] + cpu) : 0;
        sum += memorySize > 0 ? HoldFillScore.percentFilled(memorySize, numbers[at + ALLOCATED_MEMORY] + memory) : 0;
        return (int) (sum / counted[hold]);
    }
}
