package dev.berth.core.placement.table;

/**
 * The slots whose free resources changed, each with the amounts after the change. Many readers read the same few entries
 * and need not read the nodes. Each number has an array of its own, so that scores are computed in a loop without
 * branches. The last entry of a slot has the current amounts; earlier entries are outdated.
 */
public final class ResourceChangeLog extends SlotRing {
    public static final long MEMORY_UNIT = 1 << 20;

    private final int[] schedulableCpu;
    private final int[] schedulableMemory;
    private final int[] tieBreaks;
    private final double[] freeCpuPercent;
    private final double[] freeMemoryPercent;
    private final double[] inverseCpu;
    private final double[] inverseMemory;
    private final double[] cpuMemorySkew;
    private final double[] balance;

    /** @param capacity a power of two */
    ResourceChangeLog(int capacity) {
        super(capacity);
        this.schedulableCpu = new int[capacity];
        this.schedulableMemory = new int[capacity];
        this.tieBreaks = new int[capacity];
        this.freeCpuPercent = new double[capacity];
        this.freeMemoryPercent = new double[capacity];
        this.inverseCpu = new double[capacity];
        this.inverseMemory = new double[capacity];
        this.cpuMemorySkew = new double[capacity];
        this.balance = new double[capacity];
    }

    void add(int slot, NodeRows rows) {
        long[] numbers = rows.values();
        int row = slot * NodeRows.WIDTH;
        int at = indexOf(head());
        schedulableCpu[at] = rows.schedulableCpu(row);
        schedulableMemory[at] = rows.schedulableMemory(row);
        tieBreaks[at] = (int) (numbers[row + NodeRows.TIE_BREAK] >>> Integer.SIZE);
        freeCpuPercent[at] = NodeRows.toDouble(numbers[row + NodeRows.FREE_CPU_PERCENT]);
        freeMemoryPercent[at] = NodeRows.toDouble(numbers[row + NodeRows.FREE_MEMORY_PERCENT]);
        inverseCpu[at] = NodeRows.toDouble(numbers[row + NodeRows.INVERSE_CPU]);
        inverseMemory[at] = NodeRows.toDouble(numbers[row + NodeRows.INVERSE_MEMORY]);
        cpuMemorySkew[at] = Math.min(1, NodeRows.toDouble(numbers[row + NodeRows.USED_CPU_FRACTION]))
                - Math.min(1, NodeRows.toDouble(numbers[row + NodeRows.USED_MEMORY_FRACTION]));
        balance[at] = numbers[row + NodeRows.BALANCE];
        append(slot);
    }

    /**
     * The smaller one of two amounts: the free thousandths of a core as the filter counts them, and as LeastAllocated
     * counts them. Negative if no pod fits, or if doubles are too inexact for the scores.
     */
    public int[] schedulableCpu() {
        return schedulableCpu;
    }

    /** The same of memory, in whole {@link #MEMORY_UNIT}s. */
    public int[] schedulableMemory() {
        return schedulableMemory;
    }

    /** The upper 31 bits of the nodes' tie-break keys. */
    public int[] tieBreaks() {
        return tieBreaks;
    }

    public double[] freeCpuPercent() {
        return freeCpuPercent;
    }

    public double[] freeMemoryPercent() {
        return freeMemoryPercent;
    }

    public double[] inverseCpu() {
        return inverseCpu;
    }

    public double[] inverseMemory() {
        return inverseMemory;
    }

    /** The used fraction of the cpu minus the used fraction of the memory. */
    public double[] cpuMemorySkew() {
        return cpuMemorySkew;
    }

    public double[] balance() {
        return balance;
    }
}
