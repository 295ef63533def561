package dev.berth.core.placement.table;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Arrays;

/**
 * One row of numbers for each node: first the values that nearly every evaluation needs, in two cache lines, then the
 * exact amounts in case rounding is ambiguous. Used amounts include pods and holds. Some numbers are the bits of
 * doubles.
 */
public final class NodeRows {
    public static final int WIDTH = 24;

    public static final int FREE_CPU = 0;
    public static final int FREE_MEMORY = 1;
    /** Negative for an empty slot, so that no pod fits there. */
    public static final int FREE_PODS = 2;

    /** A double: the free part of the capacity in hundredths, as LeastAllocated counts it. */
    public static final int FREE_CPU_PERCENT = 3;

    public static final int FREE_MEMORY_PERCENT = 4;
    /** A double: the reciprocal of the capacity; zero if there is none or if it is too large for exact doubles. */
    public static final int INVERSE_CPU = 5;

    public static final int INVERSE_MEMORY = 6;
    /** A double: the used part of the capacity, as BalancedAllocation counts it. */
    public static final int USED_CPU_FRACTION = 7;

    public static final int USED_MEMORY_FRACTION = 8;
    public static final int BALANCE = 9;
    public static final int TIE_BREAK = 10;

    public static final int CPU = 11;
    public static final int MEMORY = 12;
    /** As LeastAllocated counts it: containers without requests count with a default. */
    public static final int NON_ZERO_CPU = 13;

    public static final int NON_ZERO_MEMORY = 14;
    /** As BalancedAllocation counts it: real requests. */
    public static final int REQUESTED_CPU = 15;

    public static final int REQUESTED_MEMORY = 16;

    /** Larger amounts do not occur; the sum of two fits into a long. */
    private static final long MAX_AMOUNT = Long.MAX_VALUE / 4;

    /** A hundred times this is still exact as a double. */
    private static final long MAX_EXACT = 1L << 45;

    private long[] values = new long[0];
    private int slots;

    /** All rows, one after the other. The array is replaced when the table grows. */
    public long[] values() {
        return values;
    }

    public static double toDouble(long bits) {
        return Double.longBitsToDouble(bits);
    }

    void ensureCapacity(int atLeast) {
        if (atLeast > slots) {
            int known = slots;
            slots = atLeast;
            values = Arrays.copyOf(values, slots * WIDTH);
            for (int slot = known; slot < slots; slot++) {
                clear(slot);
            }
        }
    }

    void clear(int slot) {
        Arrays.fill(values, slot * WIDTH, (slot + 1) * WIDTH, 0);
        values[slot * WIDTH + FREE_PODS] = -1;
    }

    void tieBreak(int slot, long key) {
        values[slot * WIDTH + TIE_BREAK] = key;
    }

    long tieBreak(int slot) {
        return values[slot * WIDTH + TIE_BREAK];
    }

    void write(int slot, NodeState state) {
        Resources free = state.free();
        Resources capacity = state.node().allocatable();
        int row = slot * WIDTH;
        values[row + FREE_CPU] = free.get(ResourceName.CPU);
        values[row + FREE_MEMORY] = free.get(ResourceName.MEMORY);
        values[row + FREE_PODS] = free.get(ResourceName.PODS);
        values[row + CPU] = capacity.get(ResourceName.CPU);
        values[row + MEMORY] = capacity.get(ResourceName.MEMORY);
        long heldCpu = state.outstanding().get(ResourceName.CPU);
        long heldMemory = state.outstanding().get(ResourceName.MEMORY);
        values[row + NON_ZERO_CPU] = sum(state.scoringUsed().get(ResourceName.CPU), heldCpu);
        values[row + NON_ZERO_MEMORY] = sum(state.scoringUsed().get(ResourceName.MEMORY), heldMemory);
        values[row + REQUESTED_CPU] = sum(state.used().get(ResourceName.CPU), heldCpu);
        values[row + REQUESTED_MEMORY] = sum(state.used().get(ResourceName.MEMORY), heldMemory);
        writeDerived(row);
    }

    /** See {@link ResourceChangeLog#schedulableCpu}. */
    int schedulableCpu(int row) {
        boolean told = values[row + INVERSE_CPU] != 0 && values[row + INVERSE_MEMORY] != 0;
        long free = Math.min(values[row + FREE_CPU], values[row + CPU] - values[row + NON_ZERO_CPU]);
        return told && values[row + FREE_PODS] >= 1 ? clamped(free) : -1;
    }

    int schedulableMemory(int row) {
        long free = Math.min(values[row + FREE_MEMORY], values[row + MEMORY] - values[row + NON_ZERO_MEMORY]);
        return clamped(Math.floorDiv(free, ResourceChangeLog.MEMORY_UNIT));
    }

    private static int clamped(long amount) {
        return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, amount));
    }

    private void writeDerived(int row) {
        double perCpu = reciprocal(values[row + CPU]);
        double perByte = reciprocal(values[row + MEMORY]);
        put(row + INVERSE_CPU, perCpu);
        put(row + INVERSE_MEMORY, perByte);
        put(row + FREE_CPU_PERCENT, 100.0 * (values[row + CPU] - values[row + NON_ZERO_CPU]) * perCpu);
        put(row + FREE_MEMORY_PERCENT, 100.0 * (values[row + MEMORY] - values[row + NON_ZERO_MEMORY]) * perByte);
        put(row + USED_CPU_FRACTION, values[row + REQUESTED_CPU] * perCpu);
        put(row + USED_MEMORY_FRACTION, values[row + REQUESTED_MEMORY] * perByte);
        values[row + BALANCE] = ResourceScore.balance(
                values[row + REQUESTED_CPU], values[row + CPU], values[row + REQUESTED_MEMORY], values[row + MEMORY]);
    }

    private void put(int at, double real) {
        values[at] = Double.doubleToRawLongBits(real);
    }

    private static double reciprocal(long capacity) {
        return capacity <= 0 || capacity > MAX_EXACT ? 0 : 1.0 / capacity;
    }

    private static long sum(long used, long held) {
        return Math.min(Math.min(used, MAX_AMOUNT) + Math.min(held, MAX_AMOUNT), MAX_AMOUNT);
    }
}
