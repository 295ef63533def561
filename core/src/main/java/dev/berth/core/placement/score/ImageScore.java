package dev.berth.core.placement.score;

/** ImageLocality: how much of what a pod would have to pull is on the node already. */
public final class ImageScore {
    private static final long MIB = 1024 * 1024;
    private static final long LEAST = 23 * MIB;
    private static final long MOST_PER_CONTAINER = 1000 * MIB;

    private ImageScore() {}

    /** An image's worth: less where few nodes have it, so that pods do not all run to those few. */
    public static long worth(long bytes, int nodesWithImage, int nodes) {
        double share = (double) nodesWithImage / (double) nodes;
        return (long) (bytes * share);
    }

    /** The score for images of this worth in all, for a pod of so many containers. */
    public static int of(long worth, int containers) {
        if (worth <= LEAST || containers == 0) {
            return 0;
        }
        long most = MOST_PER_CONTAINER * containers;
        return (int) (100 * (Math.min(worth, most) - LEAST) / (most - LEAST));
    }
}
