package dev.berth.core.placement.table;

import dev.berth.core.placement.score.ImageScore;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * How much of one list of images lies on each node, as a score. One more node with an image makes it worth more on all
 * that have it, so every change of images is looked at; mostly the scores stay as they were.
 */
public final class ImageScores {
    private static final int LOG = 1 << 12;

    private final NodeTable table;
    private final List<String> names;
    private final SlotLog changed = new SlotLog(LOG);
    private byte[] scores = new byte[0];
    private BitSet scored = new BitSet();
    private long seen = -1;

    public ImageScores(NodeTable table, List<String> names) {
        this.table = table;
        this.names = names;
    }

    public List<String> names() {
        return names;
    }

    public SlotLog changed() {
        return changed;
    }

    public int at(int slot) {
        return slot < scores.length ? scores[slot] : 0;
    }

    /** Whether no node has any of the images, so that all scores are zero. */
    public boolean isNowhere() {
        return scored.isEmpty();
    }

    public void repair() {
        long now = table.images().changes();
        if (seen == now) {
            return;
        }
        BitSet affected = (BitSet) scored.clone();
        for (String name : names) {
            table.images().of(name).ifPresent(spots -> affected.or(spots.slots()));
        }
        scored = new BitSet();
        if (scores.length < affected.length()) {
            scores = Arrays.copyOf(scores, table.bound() + table.bound() / 4);
        }
        for (int slot = affected.nextSetBit(0); slot >= 0; slot = affected.nextSetBit(slot + 1)) {
            repair(slot);
        }
        seen = now;
    }

    private void repair(int slot) {
        int score = of(table, names, slot);
        if (score != scores[slot]) {
            scores[slot] = (byte) score;
            changed.add(slot);
        }
        if (score != 0) {
            scored.set(slot);
        }
    }

    /** The score of one node, from scratch. */
    public static int of(NodeTable table, List<String> names, int slot) {
        long worth = 0;
        for (String name : names) {
            Optional<Images.Spots> spots = table.images().of(name);
            if (spots.isPresent() && spots.get().slots().get(slot)) {
                worth += ImageScore.worth(spots.get().bytesAt(slot), spots.get().count(), table.nodes());
            }
        }
        return ImageScore.of(worth, names.size());
    }
}
