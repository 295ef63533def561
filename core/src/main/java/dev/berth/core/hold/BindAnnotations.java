package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import java.util.Map;
import java.util.TreeMap;

/**
 * The annotations by which a bind records what the pod uses: Berth's own, and those that users of Koordinator and Gödel
 * know. Only a bind writes them. So if an unbound pod has one, a tenant wrote it.
 */
public final class BindAnnotations {
    public static final String KOORDINATOR_RESERVATION_ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";
    public static final String GODEL_MATCHED_PLACEHOLDER = "godel.bytedance.com/matched-reservation-placeholder";

    /** The empty value of each annotation: a bind can replace annotations but not remove them. */
    private static final Map<String, String> EMPTY_VALUES = new TreeMap<>(Map.of(
            Claim.ANNOTATION,
            "",
            Claim.DRAWING_HOLDS,
            "",
            DeviceUse.ANNOTATION,
            "",
            KOORDINATOR_RESERVATION_ALLOCATED,
            "{}",
            GODEL_MATCHED_PLACEHOLDER,
            ""));

    private BindAnnotations() {}

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

    /** Berth's own records among the annotations, with their values. */
    public static Map<String, String> berthAnnotationsIn(Labels annotations) {
        Map<String, String> found = new TreeMap<>();
        for (String key : new String[] {Claim.ANNOTATION, Claim.DRAWING_HOLDS, DeviceUse.ANNOTATION}) {
            annotations.get(key).filter(value -> !value.isBlank()).ifPresent(value -> found.put(key, value));
        }
        return found;
    }
}
