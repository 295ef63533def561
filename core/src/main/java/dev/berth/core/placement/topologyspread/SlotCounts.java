package dev.berth.core.placement.topologyspread;

import java.util.Arrays;

/**
 * Counts by slot: an open hash table of pairs of ints while few slots have a count, which is the usual case, and a
 * plain array otherwise.
 */
public final class SlotCounts {
    private static final int EMPTY = -1;
    private static final int MAX_SPARSE = 64;
    /** An array is used as soon as it is at most this many times larger than the table. */
    private static final int MAX_WASTE = 4;

    /** Receives the slots that have a count. */
    @FunctionalInterface
    public interface Visitor {
        void visit(int slot, int count);
    }

    private boolean dense;
    private int[] slots = {EMPTY, EMPTY};
    private int[] counts = new int[2];
    private int filled;
    private int highest;
    private int total;

    public int total() {
        return total;
    }

    /** The size in memory. */
    public int sizeInInts() {
        return slots.length + counts.length;
    }

    public int get(int slot) {
        if (dense) {
            return slot < counts.length ? counts[slot] : 0;
        }
        int at = find(slot);
        return slots[at] == EMPTY ? 0 : counts[at];
    }

    public void add(int slot, int delta) {
        total += delta;
        highest = Math.max(highest, slot);
        if (dense) {
            if (slot >= counts.length) {
                counts = Arrays.copyOf(counts, Math.max(slot + 1, counts.length * 2));
            }
            counts[slot] += delta;
            return;
        }
        int at = find(slot);
        if (slots[at] != EMPTY) {
            counts[at] += delta;
            return;
        }
        slots[at] = slot;
        counts[at] = delta;
        filled++;
        if (filled * 2 > slots.length) {
            resize();
        }
    }

    public void forEach(Visitor visitor) {
        for (int at = 0; at < counts.length; at++) {
            if (counts[at] != 0) {
                visitor.visit(dense ? at : slots[at], counts[at]);
            }
        }
    }

    private int find(int slot) {
        int mask = slots.length - 1;
        int at = ((slot * 0x9e3779b9) >>> 7) & mask;
        while (slots[at] != EMPTY && slots[at] != slot) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** Slots whose count is zero again are dropped only here. */
    private void resize() {
        int live = 0;
        for (int count : counts) {
            live += count == 0 ? 0 : 1;
        }
        int[] oldSlots = slots;
        int[] oldCounts = counts;
        dense = live > MAX_SPARSE && highest < live * 2 * MAX_WASTE;
        int size = dense ? highest + 1 : Integer.highestOneBit(Math.max(1, live)) * 4;
        slots = new int[dense ? 0 : size];
        Arrays.fill(slots, EMPTY);
        counts = new int[size];
        filled = 0;
        for (int i = 0; i < oldSlots.length; i++) {
            if (oldCounts[i] != 0) {
                reinsert(oldSlots[i], oldCounts[i]);
            }
        }
    }

    private void reinsert(int slot, int count) {
        if (dense) {
            counts[slot] = count;
            return;
        }
        int at = find(slot);
        slots[at] = slot;
        counts[at] = count;
        filled++;
    }
}
