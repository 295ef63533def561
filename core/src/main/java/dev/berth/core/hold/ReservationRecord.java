package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Koordinator's record of a claim: the annotation that names the Reservation that a pod uses. Koordinator's scheduler
 * writes it before it binds a pod, Berth writes it with the bind. As any record, it is evidence and proves nothing by
 * itself.
 */
public final class ReservationRecord {
    public static final String ANNOTATION = "scheduling.koordinator.sh/reservation-allocated";

    /** The value is {@code {"name":"...","uid":"..."}}. A UID contains no character that JSON escapes. */
    private static final Pattern UID = Pattern.compile("\"uid\"\\s*:\\s*\"([^\"\\\\]+)\"");

    private ReservationRecord() {}

    /** The value of the annotation. Names and UIDs contain no characters that JSON would escape. */
    public static String valueOf(String name, String uid) {
        return "{\"name\":\"%s\",\"uid\":\"%s\"}".formatted(name, uid);
    }

    /** The UID of the Reservation that the pod's annotation names, if any. */
    public static Optional<String> reservationUidOn(Pod pod) {
        return pod.annotations()
                .get(ANNOTATION)
                .map(UID::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1));
    }

    /** The hold of the Reservation that the pod's annotation names, if any. */
    public static Optional<HoldId> holdOn(Pod pod) {
        return reservationUidOn(pod).flatMap(uid -> HoldId.parse(holdIdValue(uid)));
    }

    /** The hold of the Reservation with this UID. */
    public static HoldId holdId(String reservationUid) {
        return new HoldId(holdIdValue(reservationUid));
    }

    private static String holdIdValue(String reservationUid) {
        return "koordinator/" + reservationUid;
    }
}
