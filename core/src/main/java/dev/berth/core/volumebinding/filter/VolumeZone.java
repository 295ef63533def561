package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.volumebinding.PersistentVolume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The zones and regions in the labels of volumes, under the current and the deprecated label names. */
public final class VolumeZone {
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
    private static final List<String> KEYS = List.of(OLD_ZONE, OLD_REGION, Node.ZONE_LABEL, REGION);
    private static final String SEPARATOR = "__";

    private VolumeZone() {}

    /** A node must have one of the values for the key. */
    public record ZoneRequirement(String key, Set<String> values) {
        public ZoneRequirement {
            values = Set.copyOf(values);
        }

        private boolean isSatisfiedBy(Labels labels) {
            return labels.get(key)
                    .or(() -> labels.get(currentLabel(key)))
                    .filter(values::contains)
                    .isPresent();
        }
    }

    /** A malformed label is ignored. */
    public static List<ZoneRequirement> requirementsOf(PersistentVolume volume) {
        List<ZoneRequirement> zoneRequirements = new ArrayList<>();
        for (String key : KEYS) {
            volume.labels()
                    .get(key)
                    .flatMap(VolumeZone::values)
                    .ifPresent(values -> zoneRequirements.add(new ZoneRequirement(key, values)));
        }
        return zoneRequirements;
    }

    private static Optional<Set<String>> values(String label) {
        Set<String> values = new HashSet<>();
        for (String part : label.split(SEPARATOR, -1)) {
            if (part.isBlank()) {
                return Optional.empty();
            }
            values.add(part.trim());
        }
        return Optional.of(values);
    }

    /** A node without any zone label is feasible for all volumes, as in a cluster with one zone. */
    static boolean areSatisfiedBy(List<ZoneRequirement> zoneRequirements, Node node) {
        return zoneRequirements.isEmpty()
                || KEYS.stream().noneMatch(node.labels()::has)
                || zoneRequirements.stream().allMatch(zoneRequirement -> zoneRequirement.isSatisfiedBy(node.labels()));
    }

    private static String currentLabel(String key) {
        return switch (key) {
            case OLD_ZONE -> Node.ZONE_LABEL;
            case OLD_REGION -> REGION;
            default -> key;
        };
    }
}
