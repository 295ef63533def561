package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Groups of random histories: two members of {@code host} are on different nodes, two of {@code zone} in different zones. */
final class AntiAffinityGroups {
    /** The label that names the group of a pod or of a template. */
    static final String LABEL = "group";

    private AntiAffinityGroups() {}

    /** One of the groups, or none. */
    static Optional<String> any(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> Optional.of("host");
            case 1 -> Optional.of("zone");
            default -> Optional.empty();
        };
    }

    /** With the required anti-affinity of the members. */
    static PodSpec.Builder apart(PodSpec.Builder spec, String group) {
        PodAffinityTerm term = new PodAffinityTerm(
                topologyKey(group),
                Optional.of(LabelSelector.of(Labels.of(LABEL, group))),
                List.of("default"),
                Optional.empty());
        return spec.podAffinity(new PodAffinity(List.of(), List.of(term), List.of()));
    }

    static String topologyKey(String group) {
        return group.equals("zone") ? Node.ZONE_LABEL : Node.HOSTNAME_LABEL;
    }
}
