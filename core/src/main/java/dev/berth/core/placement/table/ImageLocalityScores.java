package dev.berth.core.placement.table;

import dev.berth.core.cluster.PodSpec;
import dev.berth.core.placement.score.ImageLocality;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The ImageLocality score of each node for one list of images. The score of an image on all its nodes grows with the
 * number of these nodes. So every change of images is read, but most scores stay the same.
 */
public final class ImageLocalityScores {
    private static final int LOG_CAPACITY = 1 << 12;

    private final NodeTable table;
    private final ImageNames names;
    private final SlotChangeLog changes = new SlotChangeLog(LOG_CAPACITY);
    private byte[] scores = new byte[0];
    private BitSet slotsWithScore = new BitSet();
    private long seenVersion = -1;

    /**
     * The images of a pod.
     *
     * @param containerImages one for each container
     * @param volumeImages the images mounted as volumes: they count if a node has them, but do not raise the maximum
     */
    public record ImageNames(List<String> containerImages, List<String> volumeImages) {
        public ImageNames {
            containerImages = List.copyOf(containerImages);
            volumeImages = List.copyOf(volumeImages);
        }

        public static ImageNames of(PodSpec spec) {
            return new ImageNames(spec.images(), spec.mountedImages());
        }
    }

    public ImageLocalityScores(NodeTable table, ImageNames names) {
        this.table = table;
        this.names = names;
    }

    public ImageNames names() {
        return names;
    }

    public SlotChangeLog changes() {
        return changes;
    }

    public int scoreAt(int slot) {
        return slot < scores.length ? scores[slot] : 0;
    }

    /** Whether no node has any of the images, so that all scores are zero. */
    public boolean isAllZero() {
        return slotsWithScore.isEmpty();
    }

    public void refresh() {
        long now = table.imageIndex().version();
        if (seenVersion == now) {
            return;
        }
        BitSet affected = (BitSet) slotsWithScore.clone();
        names.containerImages.forEach(name -> addSlots(name, affected));
        names.volumeImages.forEach(name -> addSlots(name, affected));
        slotsWithScore = new BitSet();
        if (scores.length < affected.length()) {
            scores = Arrays.copyOf(scores, table.slotBound() + table.slotBound() / 4);
        }
        for (int slot = affected.nextSetBit(0); slot >= 0; slot = affected.nextSetBit(slot + 1)) {
            refresh(slot);
        }
        seenVersion = now;
    }

    private void addSlots(String name, BitSet slots) {
        table.imageIndex().find(name).ifPresent(imageLocations -> slots.or(imageLocations.slots()));
    }

    private void refresh(int slot) {
        int score = compute(table, names, slot);
        if (score != scores[slot]) {
            scores[slot] = (byte) score;
            changes.add(slot);
        }
        if (score != 0) {
            slotsWithScore.set(slot);
        }
    }

    /** The score of one node, computed without the cache. */
    public static int compute(NodeTable table, ImageNames names, int slot) {
        return ImageLocality.score(
                scaledImageSize(table, names.containerImages, slot) + scaledImageSize(table, names.volumeImages, slot),
                names.containerImages.size());
    }

    private static long scaledImageSize(NodeTable table, List<String> names, int slot) {
        long worth = 0;
        for (String name : names) {
            Optional<ImageIndex.ImageLocations> imageLocations =
                    table.imageIndex().find(name);
            if (imageLocations.isPresent() && imageLocations.get().slots().get(slot)) {
                worth += ImageLocality.scaledImageSize(
                        imageLocations.get().bytesAt(slot), imageLocations.get().count(), table.nodeCount());
            }
        }
        return worth;
    }
}
