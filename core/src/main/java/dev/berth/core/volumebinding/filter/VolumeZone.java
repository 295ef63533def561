package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.volumebinding.PersistentVolume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the labels of volumes say about zones and regions, by the names of today and of before. */
public final class VolumeZone {
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
    private static final List<String> KEYS = List.of(OLD_ZONE, OLD_REGION, Node.ZONE_LABEL, REGION);
    private static final String SEPARATOR = "__";

    private VolumeZone() {}

    /** A node must have one of the values under the key. */
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

    /** A label that makes no sense demands nothing. */
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

    /** A node that knows of no zones takes everything: there is but one. */
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
