package dev.berth.core.placement.spread;

import java.util.Arrays;

/** Counts by slot for sets of pods that are on few of all nodes: an open hash table of pairs of ints. */
final class SlotCounts {
    private static final int FREE = -1;

    /** Hears of the slots that have a count. */
    @FunctionalInterface
    interface Visitor {
        void visit(int slot, int count);
    }

    private int[] slots = {FREE, FREE};
    private int[] counts = new int[2];
    private int filled;
    private int total;

    int total() {
        return total;
    }

    void add(int slot, int delta) {
        total += delta;
        int at = find(slot);
        if (slots[at] == FREE) {
            slots[at] = slot;
            filled++;
            counts[at] = delta;
            if (filled * 2 > slots.length) {
                rehash();
            }
            return;
        }
        counts[at] += delta;
    }

    void forEach(Visitor visitor) {
        for (int at = 0; at < slots.length; at++) {
            if (slots[at] != FREE && counts[at] != 0) {
                visitor.visit(slots[at], counts[at]);
            }
        }
    }

    private int find(int slot) {
        int mask = slots.length - 1;
        int at = (slot * 0x9e3779b9 >>> 7) & mask;
        while (slots[at] != FREE && slots[at] != slot) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /** Slots whose count went back to zero are dropped here and only here. */
    private void rehash() {
        int[] oldSlots = slots;
        int[] oldCounts = counts;
        int live = 0;
        for (int count : oldCounts) {
            live += count == 0 ? 0 : 1;
        }
        int size = Integer.highestOneBit(Math.max(1, live)) * 4;
        slots = new int[size];
        Arrays.fill(slots, FREE);
        counts = new int[size];
        filled = 0;
        for (int i = 0; i < oldSlots.length; i++) {
            if (oldCounts[i] != 0) {
                int at = find(oldSlots[i]);
                slots[at] = oldSlots[i];
                counts[at] = oldCounts[i];
                filled++;
            }
        }
    }
}
