package dev.berth.core.cluster;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A feature that a pod asks for and Berth does not support yet. The pod stays unschedulable, with this description.
 *
 * @param description the feature, and in parentheses the field, label, annotation or request that asks for it
 * @param remedy what to do instead; empty if there is nothing to say
 */
public record UnsupportedFeature(String description, String remedy) implements Comparable<UnsupportedFeature> {
    public static final UnsupportedFeature RESOURCE_CLAIMS =
            new UnsupportedFeature("dynamic resource allocation (spec.resourceClaims)", "");
    /** The pod group of Kubernetes 1.35. */
    public static final UnsupportedFeature WORKLOAD_REF =
            new UnsupportedFeature("a workload's pod group (spec.workloadRef)", "");

    public static final UnsupportedFeature SCHEDULING_GROUP =
            new UnsupportedFeature("a pod group (spec.schedulingGroup)", "");

    /**
     * The message about these features.
     *
     * @param user what uses them, such as {@code pod}
     */
    public static String message(String user, Collection<UnsupportedFeature> features) {
        List<UnsupportedFeature> sorted = features.stream().sorted().toList();
        String remedies = sorted.stream()
                .map(UnsupportedFeature::remedy)
                .filter(remedy -> !remedy.isEmpty())
                .distinct()
                .map(remedy -> ". " + remedy)
                .collect(Collectors.joining());
        return "%s uses %s, which Berth does not support yet%s"
                .formatted(
                        user,
                        sorted.stream().map(UnsupportedFeature::description).collect(Collectors.joining(" and ")),
                        remedies);
    }

    @Override
    public int compareTo(UnsupportedFeature other) {
        return description.compareTo(other.description);
    }
}
