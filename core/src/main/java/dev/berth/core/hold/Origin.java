package dev.berth.core.hold;

/**
 * Where a hold came from: the door, and the words by which people there know it, such as
 * {@code Reservation default/reservation-demo}.
 */
public record Origin(Door door, String words) {
    /** The doors; all but that of volumes make holds. */
    public enum Door {
        RESERVATION,
        RETURN,
        NODE_ANNOTATION,
        RESERVE_API,
        DEVICES,
        VOLUMES,
        PREEMPTION
    }
}
