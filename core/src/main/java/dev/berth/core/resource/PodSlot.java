package dev.berth.core.resource;

/**
 * The pod slot. A node runs at most as many pods as its resource {@code pods} says, and each pod takes one slot. No pod
 * requests the slot, so {@link PodRequests} does not contain it.
 */
public final class PodSlot {
    public static final Resources ONE = Resources.of(ResourceName.PODS, 1);

    private PodSlot() {}

    /** What a pod with these requests takes from a node. */
    public static Resources addTo(Resources requests) {
        return requests.plus(ONE);
    }

    /** The size with one slot, unless the size contains slots already. */
    public static Resources addIfAbsent(Resources size) {
        return size.has(ResourceName.PODS) ? size : size.with(ResourceName.PODS, 1);
    }

    /** The size without slots, as a pod requests it. */
    public static Resources removeFrom(Resources size) {
        return size.with(ResourceName.PODS, 0).withoutZeros();
    }

    public static boolean isFreeIn(Resources free) {
        return ONE.fitsIn(free);
    }
}
