package dev.berth.core.placement.shape;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Positive ints by index, and the largest of them at once. Each block of sixteen, one cache line, has its largest in the
 * level above; most changes touch one or two levels. Zero stands for nothing.
 */
final class MaxTree {
    private static final int SHIFT = 4;
    private static final int WIDTH = 1 << SHIFT;

    private int[][] levels = {new int[WIDTH], new int[1]};

    int max() {
        return levels[levels.length - 1][0];
    }

    int get(int index) {
        return index < levels[0].length ? levels[0][index] : 0;
    }

    void set(int index, int value) {
        if (index >= levels[0].length) {
            grow(index + 1);
        }
        int old = levels[0][index];
        if (old != value) {
            levels[0][index] = value;
            raiseOrLower(index, old, value);
        }
    }

    /** Tells every index that has this value, which must be the largest. */
    void whereMax(IntConsumer visitor) {
        descend(levels.length - 1, 0, max(), visitor);
    }

    long bytes() {
        long bytes = 0;
        for (int[] level : levels) {
            bytes += 16 + 4L * level.length;
        }
        return bytes;
    }

    private void raiseOrLower(int leaf, int leafOld, int leafValue) {
        int index = leaf;
        int old = leafOld;
        int value = leafValue;
        for (int depth = 1; depth < levels.length; depth++) {
            int[] level = levels[depth];
            int parent = index >> SHIFT;
            int known = level[parent];
            if (value > known) {
                level[parent] = value;
            } else if (old == known) {
                value = largest(levels[depth - 1], parent << SHIFT);
                if (value == known) {
                    return;
                }
                level[parent] = value;
            } else {
                return;
            }
            old = known;
            index = parent;
        }
    }

    private static int largest(int[] level, int from) {
        int end = Math.min(from + WIDTH, level.length);
        int even = 0;
        int odd = 0;
        int i = from;
        for (; i + 1 < end; i += 2) {
            even = Math.max(even, level[i]);
            odd = Math.max(odd, level[i + 1]);
        }
        return i < end ? Math.max(Math.max(even, odd), level[i]) : Math.max(even, odd);
    }

    private void descend(int depth, int index, int value, IntConsumer visitor) {
        if (depth == 0) {
            visitor.accept(index);
            return;
        }
        int[] below = levels[depth - 1];
        int end = Math.min((index + 1) << SHIFT, below.length);
        for (int child = index << SHIFT; child < end; child++) {
            if (below[child] == value) {
                descend(depth - 1, child, value, visitor);
            }
        }
    }

    private void grow(int atLeast) {
        int size = Math.max(atLeast, levels[0].length + levels[0].length / 2);
        int[] leaves = Arrays.copyOf(levels[0], (size + WIDTH - 1) / WIDTH * WIDTH);
        int depths = 1;
        for (int width = leaves.length; width > 1; width = blocks(width)) {
            depths++;
        }
        levels = new int[depths][];
        levels[0] = leaves;
        for (int depth = 1; depth < depths; depth++) {
            int[] below = levels[depth - 1];
            levels[depth] = new int[blocks(below.length)];
            for (int i = 0; i < levels[depth].length; i++) {
                levels[depth][i] = largest(below, i << SHIFT);
            }
        }
    }

    private static int blocks(int width) {
        return (width + WIDTH - 1) >> SHIFT;
    }
}
