package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Berth's own annotations by which a bind records what the pod uses. */
public final class BindAnnotations {
    public static final List<String> OWN = List.of(Claim.ANNOTATION, Claim.DRAWING_HOLDS, DeviceUse.ANNOTATION);

    private BindAnnotations() {}

    /** Berth's own records among the annotations, with their values. */
    public static Map<String, String> berthAnnotationsIn(Labels annotations) {
        Map<String, String> found = new TreeMap<>();
        for (String key : OWN) {
            annotations.get(key).filter(value -> !value.isBlank()).ifPresent(value -> found.put(key, value));
        }
        return found;
    }
}
