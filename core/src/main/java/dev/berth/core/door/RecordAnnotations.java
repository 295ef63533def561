package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.BindAnnotations;
import dev.berth.core.hold.ReservationRecord;
import java.util.Map;
import java.util.TreeMap;

/**
 * The annotations by which a bind records what the pod uses: Berth's own, and those that users of Koordinator and Gödel
 * know. Of Berth's schedulers only a bind writes them. So if a pod that Berth binds has one before, it is not a record,
 * also if the door is disabled: a tenant wrote it, or Koordinator's scheduler before a bind that it did not send.
 */
public final class RecordAnnotations {
    public static final String KOORDINATOR_RESERVATION_ALLOCATED = ReservationRecord.ANNOTATION;
    public static final String GODEL_MATCHED_PLACEHOLDER = "godel.bytedance.com/matched-reservation-placeholder";

    /** The empty value of each annotation: a bind can replace annotations but not remove them. */
    private static final Map<String, String> EMPTY_VALUES = emptyValues();

    private RecordAnnotations() {}

    private static Map<String, String> emptyValues() {
        Map<String, String> values = new TreeMap<>();
        BindAnnotations.OWN.forEach(key -> values.put(key, ""));
        values.put(KOORDINATOR_RESERVATION_ALLOCATED, "{}");
        values.put(GODEL_MATCHED_PLACEHOLDER, "");
        return values;
    }

    /** The annotations that a bind must overwrite, so that no earlier record stays on the pod. Empty for most pods. */
    public static Map<String, String> clearing(Pod pod) {
        if (pod.annotations().isEmpty()) {
            return Map.of();
        }
        Map<String, String> cleared = new TreeMap<>();
        EMPTY_VALUES.forEach((key, emptyValue) -> {
            if (pod.annotations().has(key)) {
                cleared.put(key, emptyValue);
            }
        });
        return cleared;
    }
}
