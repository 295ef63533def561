package dev.berth.core.placement.score;

/** ImageLocality: how much of the pod's images is already on the node. */
public final class ImageLocality {
    private static final long MIB = 1024 * 1024;
    private static final long MIN_THRESHOLD = 23 * MIB;
    private static final long MAX_CONTAINER_THRESHOLD = 1000 * MIB;

    private ImageLocality() {}

    /** The size of an image, reduced if few nodes have it, so that pods do not gather on those few nodes. */
    public static long scaledImageSize(long bytes, int nodesWithImage, int nodes) {
        double share = (double) nodesWithImage / (double) nodes;
        return (long) (bytes * share);
    }

    /** The score for images with this total scaled size, for a pod with so many containers. */
    public static int score(long worth, int containers) {
        if (worth <= MIN_THRESHOLD || containers == 0) {
            return 0;
        }
        long most = MAX_CONTAINER_THRESHOLD * containers;
        return (int) (100 * (Math.min(worth, most) - MIN_THRESHOLD) / (most - MIN_THRESHOLD));
    }
}
