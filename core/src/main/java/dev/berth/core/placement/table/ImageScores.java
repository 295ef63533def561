package dev.berth.core.placement.table;

import dev.berth.core.cluster.PodShape;
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
    private final Names names;
    private final SlotLog changed = new SlotLog(LOG);
    private byte[] scores = new byte[0];
    private BitSet scored = new BitSet();
    private long seen = -1;

    /**
     * Which images.
     *
     * @param run by containers, one for each
     * @param mounted as volumes: what lies on a node of them counts, too, but does not raise what can be reached
     */
    public record Names(List<String> run, List<String> mounted) {
        public Names {
            run = List.copyOf(run);
            mounted = List.copyOf(mounted);
        }

        public static Names of(PodShape shape) {
            return new Names(shape.images(), shape.mountedImages());
        }
    }

    public ImageScores(NodeTable table, Names names) {
        this.table = table;
        this.names = names;
    }

    public Names names() {
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
        names.run.forEach(name -> add(name, affected));
        names.mounted.forEach(name -> add(name, affected));
        scored = new BitSet();
        if (scores.length < affected.length()) {
            scores = Arrays.copyOf(scores, table.bound() + table.bound() / 4);
        }
        for (int slot = affected.nextSetBit(0); slot >= 0; slot = affected.nextSetBit(slot + 1)) {
            repair(slot);
        }
        seen = now;
    }

    private void add(String name, BitSet slots) {
        table.images().of(name).ifPresent(spots -> slots.or(spots.slots()));
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
    public static int of(NodeTable table, Names names, int slot) {
        return ImageScore.of(worth(table, names.run, slot) + worth(table, names.mounted, slot), names.run.size());
    }

    private static long worth(NodeTable table, List<String> names, int slot) {
        long worth = 0;
        for (String name : names) {
            Optional<Images.Spots> spots = table.images().of(name);
            if (spots.isPresent() && spots.get().slots().get(slot)) {
                worth += ImageScore.worth(spots.get().bytesAt(slot), spots.get().count(), table.nodes());
            }
        }
        return worth;
    }
}
