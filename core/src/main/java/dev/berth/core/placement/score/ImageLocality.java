package dev.berth.core.placement.score;

/** ImageLocality: how much of what a pod would have to pull is on the node already. */
public final class ImageLocality {
    private static final long MIB = 1024 * 1024;
    private static final long MIN_THRESHOLD = 23 * MIB;
    private static final long MAX_CONTAINER_THRESHOLD = 1000 * MIB;

    private ImageLocality() {}

    /** An image's worth: less where few nodes have it, so that pods do not all run to those few. */
    public static long scaledImageSize(long bytes, int nodesWithImage, int nodes) {
        double share = (double) nodesWithImage / (double) nodes;
        return (long) (bytes * share);
    }

    /** The score for images of this worth in all, for a pod of so many containers. */
    public static int score(long worth, int containers) {
        if (worth <= MIN_THRESHOLD || containers == 0) {
            return 0;
        }
        long most = MAX_CONTAINER_THRESHOLD * containers;
        return (int) (100 * (Math.min(worth, most) - MIN_THRESHOLD) / (most - MIN_THRESHOLD));
    }
}
