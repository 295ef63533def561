package dev.berth.core.placement.table;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Arrays;

/**
 * One row of numbers for each node: first what nearly every look at it needs, in two cache lines, then the exact amounts
 * for when rounding leaves a doubt. Amounts in use are those of pods and what holds keep. Some numbers are the bits of
 * doubles.
 */
public final class Rows {
    public static final int WIDTH = 24;

    public static final int FREE_CPU = 0;
    public static final int FREE_MEMORY = 1;
    /** Of an empty slot this is negative, so that nothing fits there. */
    public static final int FREE_PODS = 2;

    /** A double: the hundredths of the capacity that LeastAllocated sees left. */
    public static final int LEFT_CPU = 3;

    public static final int LEFT_MEMORY = 4;
    /** A double: the reciprocal of the capacity; zero where there is none or it is too large for doubles to be exact. */
    public static final int PER_CPU = 5;

    public static final int PER_MEMORY = 6;
    /** A double: the part of the capacity that BalancedAllocation sees taken. */
    public static final int SHARE_CPU = 7;

    public static final int SHARE_MEMORY = 8;
    public static final int BALANCE = 9;
    public static final int LOT = 10;

    public static final int CPU = 11;
    public static final int MEMORY = 12;
    /** As LeastAllocated counts it: pods with their assumed minimum. */
    public static final int SCORED_CPU = 13;

    public static final int SCORED_MEMORY = 14;
    /** As BalancedAllocation counts it: real requests. */
    public static final int TAKEN_CPU = 15;

    public static final int TAKEN_MEMORY = 16;

    /** Larger amounts than this do not occur; sums of two stay within a long. */
    private static final long LARGEST = Long.MAX_VALUE / 4;

    /** A hundred times this is still exact as a double. */
    private static final long EXACT = 1L << 45;

    private long[] numbers = new long[0];
    private int slots;

    /** All rows, one after the other. Another array after the table grew. */
    public long[] numbers() {
        return numbers;
    }

    public static double real(long bits) {
        return Double.longBitsToDouble(bits);
    }

    void ensure(int atLeast) {
        if (atLeast > slots) {
            int known = slots;
            slots = atLeast;
            numbers = Arrays.copyOf(numbers, slots * WIDTH);
            for (int slot = known; slot < slots; slot++) {
                clear(slot);
            }
        }
    }

    void clear(int slot) {
        Arrays.fill(numbers, slot * WIDTH, (slot + 1) * WIDTH, 0);
        numbers[slot * WIDTH + FREE_PODS] = -1;
    }

    void lot(int slot, long lot) {
        numbers[slot * WIDTH + LOT] = lot;
    }

    long lot(int slot) {
        return numbers[slot * WIDTH + LOT];
    }

    void fill(int slot, NodeState state) {
        Resources free = state.free();
        Resources capacity = state.node().allocatable();
        int row = slot * WIDTH;
        numbers[row + FREE_CPU] = free.get(ResourceName.CPU);
        numbers[row + FREE_MEMORY] = free.get(ResourceName.MEMORY);
        numbers[row + FREE_PODS] = free.get(ResourceName.PODS);
        numbers[row + CPU] = capacity.get(ResourceName.CPU);
        numbers[row + MEMORY] = capacity.get(ResourceName.MEMORY);
        long heldCpu = state.outstanding().get(ResourceName.CPU);
        long heldMemory = state.outstanding().get(ResourceName.MEMORY);
        numbers[row + SCORED_CPU] = sum(state.scoringUsed().get(ResourceName.CPU), heldCpu);
        numbers[row + SCORED_MEMORY] = sum(state.scoringUsed().get(ResourceName.MEMORY), heldMemory);
        numbers[row + TAKEN_CPU] = sum(state.used().get(ResourceName.CPU), heldCpu);
        numbers[row + TAKEN_MEMORY] = sum(state.used().get(ResourceName.MEMORY), heldMemory);
        derive(row);
    }

    /** As {@link AmountLog#roomCpu} has it. */
    int roomCpu(int row) {
        boolean told = numbers[row + PER_CPU] != 0 && numbers[row + PER_MEMORY] != 0;
        long room = Math.min(numbers[row + FREE_CPU], numbers[row + CPU] - numbers[row + SCORED_CPU]);
        return told && numbers[row + FREE_PODS] >= 1 ? clamped(room) : -1;
    }

    int roomMemory(int row) {
        long room = Math.min(numbers[row + FREE_MEMORY], numbers[row + MEMORY] - numbers[row + SCORED_MEMORY]);
        return clamped(Math.floorDiv(room, AmountLog.MEMORY_UNIT));
    }

    private static int clamped(long amount) {
        return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, amount));
    }

    private void derive(int row) {
        double perCpu = reciprocal(numbers[row + CPU]);
        double perByte = reciprocal(numbers[row + MEMORY]);
        put(row + PER_CPU, perCpu);
        put(row + PER_MEMORY, perByte);
        put(row + LEFT_CPU, 100.0 * (numbers[row + CPU] - numbers[row + SCORED_CPU]) * perCpu);
        put(row + LEFT_MEMORY, 100.0 * (numbers[row + MEMORY] - numbers[row + SCORED_MEMORY]) * perByte);
        put(row + SHARE_CPU, numbers[row + TAKEN_CPU] * perCpu);
        put(row + SHARE_MEMORY, numbers[row + TAKEN_MEMORY] * perByte);
        numbers[row + BALANCE] = ResourceScore.balance(
                numbers[row + TAKEN_CPU], numbers[row + CPU], numbers[row + TAKEN_MEMORY], numbers[row + MEMORY]);
    }

    private void put(int at, double real) {
        numbers[at] = Double.doubleToRawLongBits(real);
    }

    private static double reciprocal(long capacity) {
        return capacity <= 0 || capacity > EXACT ? 0 : 1.0 / capacity;
    }

    private static long sum(long used, long held) {
        return Math.min(Math.min(used, LARGEST) + Math.min(held, LARGEST), LARGEST);
    }
}
