package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.volume.PersistentVolume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the labels of volumes say about zones and regions, by the names of today and of before. */
public final class Zones {
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
    private static final List<String> KEYS = List.of(OLD_ZONE, OLD_REGION, Node.ZONE_LABEL, REGION);
    private static final String SEPARATOR = "__";

    private Zones() {}

    /** A node must have one of the values under the key. */
    public record Demand(String key, Set<String> values) {
        public Demand {
            values = Set.copyOf(values);
        }

        private boolean metBy(Labels labels) {
            return labels.get(key)
                    .or(() -> labels.get(nameOfToday(key)))
                    .filter(values::contains)
                    .isPresent();
        }
    }

    /** A label that makes no sense demands nothing. */
    public static List<Demand> demands(PersistentVolume volume) {
        List<Demand> demands = new ArrayList<>();
        for (String key : KEYS) {
            volume.labels().get(key).flatMap(Zones::values).ifPresent(values -> demands.add(new Demand(key, values)));
        }
        return demands;
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
    static boolean met(List<Demand> demands, Node node) {
        return demands.isEmpty()
                || KEYS.stream().noneMatch(node.labels()::has)
                || demands.stream().allMatch(demand -> demand.metBy(node.labels()));
    }

    private static String nameOfToday(String key) {
        return switch (key) {
            case OLD_ZONE -> Node.ZONE_LABEL;
            case OLD_REGION -> REGION;
            default -> key;
        };
    }
}
