package dev.berth.core.hold;

import java.util.Locale;

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
        RESERVE,
        DEVICES,
        VOLUMES,
        PREEMPTION;

        /** As people read and write it: in settings, metrics and the log. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
