package dev.berth.core.placement.shape;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Keys in ranges, and the largest of a range at once. Three flat arrays: the keys, the largest of every sixteen (one cache
 * line), and the largest of every sixteen of those. Most changes of a key touch no more than two of them. Zero stands for
 * no key.
 */
final class Board {
    private static final int SHIFT = 4;
    private static final int WIDTH = 1 << SHIFT;
    /** Ranges begin at multiples of this, so that no block of any level belongs to two. */
    private static final int ALIGNMENT = WIDTH * WIDTH;

    private int[] keys = new int[ALIGNMENT];
    private int[] blocks = new int[WIDTH];
    private int[] tops = new int[1];
    private int used;

    /** How many keys a range for so many has room for. */
    static int roomFor(int count) {
        return Math.max(1, (count + ALIGNMENT - 1) / ALIGNMENT) * ALIGNMENT;
    }

    /** A new range without keys; where it begins. */
    int allocate(int room) {
        int from = used;
        used += roomFor(room);
        if (used > keys.length) {
            int size = Math.max(used, roomFor(keys.length + keys.length / 2));
            keys = Arrays.copyOf(keys, size);
            blocks = Arrays.copyOf(blocks, size >> SHIFT);
            tops = Arrays.copyOf(tops, size >> (2 * SHIFT));
        }
        return from;
    }

    long bytes() {
        return 4L * (keys.length + blocks.length + tops.length);
    }

    int get(int at) {
        return keys[at];
    }

    void set(int at, int key) {
        int old = keys[at];
        if (old == key) {
            return;
        }
        keys[at] = key;
        int block = at >> SHIFT;
        int known = blocks[block];
        if (key > known) {
            blocks[block] = key;
            raise(block >> SHIFT, known, key);
        } else if (old == known) {
            int now = largest(keys, block << SHIFT);
            if (now != known) {
                blocks[block] = now;
                raise(block >> SHIFT, known, now);
            }
        }
    }

    private void raise(int top, int old, int key) {
        int known = tops[top];
        if (key > known) {
            tops[top] = key;
        } else if (old == known) {
            tops[top] = largest(blocks, top << SHIFT);
        }
    }

    private static int largest(int[] level, int from) {
        int even = 0;
        int odd = 0;
        for (int i = from; i < from + WIDTH; i += 2) {
            even = Math.max(even, level[i]);
            odd = Math.max(odd, level[i + 1]);
        }
        return Math.max(even, odd);
    }

    /** The largest key of a range. */
    int max(int from, int room) {
        int max = 0;
        int end = (from + room) >> (2 * SHIFT);
        for (int top = from >> (2 * SHIFT); top < end; top++) {
            max = Math.max(max, tops[top]);
        }
        return max;
    }

    /** Tells every place of the range, counted from its beginning, that has this key. */
    void where(int key, int from, int room, IntConsumer visitor) {
        for (int top = from >> (2 * SHIFT); top < (from + room) >> (2 * SHIFT); top++) {
            if (tops[top] >= key) {
                whereInTop(key, from, top, visitor);
            }
        }
    }

    private void whereInTop(int key, int from, int top, IntConsumer visitor) {
        for (int block = top << SHIFT; block < (top + 1) << SHIFT; block++) {
            if (blocks[block] >= key) {
                for (int at = block << SHIFT; at < (block + 1) << SHIFT; at++) {
                    if (keys[at] == key) {
                        visitor.accept(at - from);
                    }
                }
            }
        }
    }
}
