package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import java.util.Map;
import java.util.TreeMap;

/**
 * The annotations that a binding writes on a pod as the record of what it uses: Berth's own, and those by which users of
 * Koordinator and of Gödel know it. Only a binding writes them, so a pod that is not bound and has one got it from a
 * tenant.
 */
public final class BindAnnotations {
    public static final String KOORDINATOR_RESERVATION_ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";
    public static final String GODEL_MATCHED_PLACEHOLDER = "godel.bytedance.com/matched-reservation-placeholder";

    /** What each says where there is nothing to say: a binding can replace annotations but not remove them. */
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

    /** What a binding has to write so that none of the records that the pod has now stays: empty for most pods. */
    public static Map<String, String> clearing(Pod pod) {
        if (pod.annotations().isEmpty()) {
            return Map.of();
        }
        Map<String, String> erased = new TreeMap<>();
        EMPTY_VALUES.forEach((key, nothing) -> {
            if (pod.annotations().has(key)) {
                erased.put(key, nothing);
            }
        });
        return erased;
    }

    /** The records of Berth's own that the annotations have, with what they say. */
    public static Map<String, String> berthAnnotationsIn(Labels annotations) {
        Map<String, String> found = new TreeMap<>();
        for (String key : new String[] {Claim.ANNOTATION, Claim.DRAWING_HOLDS, DeviceUse.ANNOTATION}) {
            annotations.get(key).filter(value -> !value.isBlank()).ifPresent(value -> found.put(key, value));
        }
        return found;
    }
}
