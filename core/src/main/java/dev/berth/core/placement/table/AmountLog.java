package dev.berth.core.placement.table;

/**
 * Which slots' amounts changed, in order, each with the amounts themselves: many readers look at the same few entries,
 * one after the other, and need not go to the nodes. One array for each number, so that scores are worked out in a loop
 * without branches. A ring: who stays away too long starts anew. An entry tells how it was then; the last one of a slot
 * tells how it is.
 */
public final class AmountLog {
    public static final long MEMORY_UNIT = 1 << 20;

    private final int mask;
    private final int[] slots;
    private final int[] roomCpu;
    private final int[] roomMemory;
    private final int[] lots;
    private final double[] leftCpu;
    private final double[] leftMemory;
    private final double[] perCpu;
    private final double[] perMemory;
    private final double[] tilt;
    private final double[] balance;
    private long head;

    /** @param capacity a power of two */
    AmountLog(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity (%d) must be a power of two".formatted(capacity));
        }
        this.mask = capacity - 1;
        this.slots = new int[capacity];
        this.roomCpu = new int[capacity];
        this.roomMemory = new int[capacity];
        this.lots = new int[capacity];
        this.leftCpu = new double[capacity];
        this.leftMemory = new double[capacity];
        this.perCpu = new double[capacity];
        this.perMemory = new double[capacity];
        this.tilt = new double[capacity];
        this.balance = new double[capacity];
    }

    void add(int slot, Rows rows) {
        long[] numbers = rows.numbers();
        int row = slot * Rows.WIDTH;
        int at = at(head);
        slots[at] = slot;
        roomCpu[at] = rows.roomCpu(row);
        roomMemory[at] = rows.roomMemory(row);
        lots[at] = (int) (numbers[row + Rows.LOT] >>> Integer.SIZE);
        leftCpu[at] = Rows.real(numbers[row + Rows.LEFT_CPU]);
        leftMemory[at] = Rows.real(numbers[row + Rows.LEFT_MEMORY]);
        perCpu[at] = Rows.real(numbers[row + Rows.PER_CPU]);
        perMemory[at] = Rows.real(numbers[row + Rows.PER_MEMORY]);
        tilt[at] = Math.min(1, Rows.real(numbers[row + Rows.SHARE_CPU]))
                - Math.min(1, Rows.real(numbers[row + Rows.SHARE_MEMORY]));
        balance[at] = numbers[row + Rows.BALANCE];
        head++;
    }

    public int capacity() {
        return mask + 1;
    }

    /** The number that the next entry will have. */
    public long head() {
        return head;
    }

    public boolean reachesBackTo(long number) {
        return head - number <= mask + 1;
    }

    /** Where the entry is in all of the arrays. */
    public int at(long number) {
        return (int) number & mask;
    }

    public int[] slots() {
        return slots;
    }

    /**
     * The thousandths that both the filter and LeastAllocated see free, or fewer; negative where no pod fits or doubles do
     * not tell the scores.
     */
    public int[] roomCpu() {
        return roomCpu;
    }

    /** The same of memory, in whole {@link #MEMORY_UNIT}s. */
    public int[] roomMemory() {
        return roomMemory;
    }

    /** The upper 31 bits of the nodes' lots. */
    public int[] lots() {
        return lots;
    }

    public double[] leftCpu() {
        return leftCpu;
    }

    public double[] leftMemory() {
        return leftMemory;
    }

    public double[] perCpu() {
        return perCpu;
    }

    public double[] perMemory() {
        return perMemory;
    }

    /** By how much a larger part of the cpu is taken than of the memory. */
    public double[] tilt() {
        return tilt;
    }

    public double[] balance() {
        return balance;
    }
}
