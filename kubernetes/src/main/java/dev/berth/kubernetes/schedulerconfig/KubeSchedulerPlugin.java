package dev.berth.kubernetes.schedulerconfig;

import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.BIND;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.FILTER;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PERMIT;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PLACEMENT_GENERATE;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PLACEMENT_SCORE;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.POST_FILTER;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PRE_BIND;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PRE_ENQUEUE;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PRE_FILTER;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.PRE_SCORE;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.QUEUE_SORT;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.RESERVE;
import static dev.berth.kubernetes.schedulerconfig.ExtensionPoint.SCORE;

import dev.berth.core.placement.profile.FilterPluginName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The plugins of kube-scheduler 1.36 in its order, with Berth's support for each. */
@SuppressWarnings("ImmutableEnumChecker") // The sets are immutable copies.
enum KubeSchedulerPlugin {
    SCHEDULING_GATES(
            "SchedulingGates",
            1,
            PluginSupport.mandatory("a pod with scheduling gates must wait", PRE_ENQUEUE),
            PRE_ENQUEUE),
    PRIORITY_SORT(
            "PrioritySort", 1, PluginSupport.mandatory("Berth's queue has no other order", QUEUE_SORT), QUEUE_SORT),
    NODE_UNSCHEDULABLE("NodeUnschedulable", 1, PluginSupport.filterRule(FilterPluginName.NODE_UNSCHEDULABLE), FILTER),
    NODE_NAME("NodeName", 1, PluginSupport.withoutEffect("no scheduler places pods with spec.nodeName"), FILTER),
    TAINT_TOLERATION(
            "TaintToleration",
            3,
            PluginSupport.filterRule(FilterPluginName.TAINT_TOLERATION),
            FILTER,
            PRE_SCORE,
            SCORE),
    NODE_AFFINITY(
            "NodeAffinity",
            2,
            PluginSupport.filterRule(FilterPluginName.NODE_AFFINITY),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE),
    NODE_PORTS(
            "NodePorts",
            1,
            PluginSupport.mandatory(PluginSupport.NEEDED_FOR_HOLDS, PRE_FILTER, FILTER),
            PRE_FILTER,
            FILTER),
    NODE_RESOURCES_FIT(
            "NodeResourcesFit",
            1,
            PluginSupport.mandatory(PluginSupport.NEEDED_FOR_HOLDS, PRE_FILTER, FILTER),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE,
            PLACEMENT_SCORE),
    VOLUME_RESTRICTIONS(
            "VolumeRestrictions",
            1,
            PluginSupport.mandatory(PluginSupport.NEEDED_FOR_VOLUMES, PRE_FILTER, FILTER),
            PRE_FILTER,
            FILTER),
    NODE_VOLUME_LIMITS(
            "NodeVolumeLimits",
            1,
            PluginSupport.mandatory(PluginSupport.NEEDED_FOR_VOLUMES, PRE_FILTER, FILTER),
            PRE_FILTER,
            FILTER),
    VOLUME_BINDING(
            "VolumeBinding",
            1,
            PluginSupport.mandatory(PluginSupport.NEEDED_FOR_VOLUMES, PRE_FILTER, FILTER, RESERVE, PRE_BIND),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE,
            RESERVE,
            PRE_BIND),
    VOLUME_ZONE(
            "VolumeZone",
            1,
            PluginSupport.mandatory(PluginSupport.NEEDED_FOR_VOLUMES, PRE_FILTER, FILTER),
            PRE_FILTER,
            FILTER),
    POD_TOPOLOGY_SPREAD(
            "PodTopologySpread",
            2,
            PluginSupport.filterRule(FilterPluginName.POD_TOPOLOGY_SPREAD),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE),
    INTER_POD_AFFINITY(
            "InterPodAffinity",
            2,
            PluginSupport.filterRule(FilterPluginName.INTER_POD_AFFINITY),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE),
    DYNAMIC_RESOURCES(
            "DynamicResources",
            2,
            PluginSupport.withoutEffect(
                    "Berth rejects pods with resource claims, whether the plugin is enabled or not"),
            PRE_ENQUEUE,
            PRE_FILTER,
            FILTER,
            POST_FILTER,
            SCORE,
            RESERVE,
            PRE_BIND),
    DEFAULT_PREEMPTION("DefaultPreemption", 1, PluginSupport.optional(), PRE_ENQUEUE, POST_FILTER),
    BALANCED_ALLOCATION("NodeResourcesBalancedAllocation", 1, PluginSupport.optional(), PRE_SCORE, SCORE),
    IMAGE_LOCALITY("ImageLocality", 1, PluginSupport.optional(), SCORE),
    DEFAULT_BINDER("DefaultBinder", 1, PluginSupport.mandatory("Berth has no other way to bind", BIND), BIND),
    NODE_DECLARED_FEATURES(
            "NodeDeclaredFeatures",
            1,
            PluginSupport.filterRule(FilterPluginName.NODE_DECLARED_FEATURES),
            PRE_FILTER,
            FILTER),
    GANG_SCHEDULING("GangScheduling", 0, PluginSupport.unsupported(), PRE_ENQUEUE, RESERVE, PERMIT),
    TOPOLOGY_PLACEMENT_GENERATOR("TopologyPlacementGenerator", 0, PluginSupport.unsupported(), PLACEMENT_GENERATE),
    POD_GROUP_PODS_COUNT("PodGroupPodsCount", 0, PluginSupport.unsupported(), PLACEMENT_SCORE);

    private static final Set<String> REMOVED = Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");
    private static final int SUGGESTIONS = 3;

    /**
     * Berth's support for a plugin.
     *
     * @param filterPluginName the filter that it controls
     * @param mandatoryAt the extension points at which it cannot be disabled
     * @param reason why, or why it has no effect
     */
    record PluginSupport(
            @Nullable FilterPluginName filterPluginName,
            Set<ExtensionPoint> mandatoryAt,
            String reason,
            boolean supported) {
        static final String NEEDED_FOR_HOLDS = "Berth cannot enforce holds without it";
        static final String NEEDED_FOR_VOLUMES = "Berth always checks the volumes of a pod";

        static PluginSupport filterRule(FilterPluginName filterPluginName) {
            return new PluginSupport(filterPluginName, Set.of(), "", true);
        }

        static PluginSupport mandatory(String reason, ExtensionPoint... points) {
            return new PluginSupport(null, Set.of(points), reason, true);
        }

        static PluginSupport withoutEffect(String reason) {
            return new PluginSupport(null, Set.of(), reason, true);
        }

        static PluginSupport optional() {
            return new PluginSupport(null, Set.of(), "", true);
        }

        static PluginSupport unsupported() {
            return new PluginSupport(
                    null, Set.of(), "Berth schedules pods one by one and rejects pods of groups", false);
        }
    }

    final String pluginName;
    /** The default weight of its score; empty if it is not enabled by default. */
    final int defaultWeight;

    final PluginSupport pluginSupport;
    private final Set<ExtensionPoint> points;

    KubeSchedulerPlugin(String pluginName, int weight, PluginSupport pluginSupport, ExtensionPoint... points) {
        this.pluginName = pluginName;
        this.defaultWeight = weight;
        this.pluginSupport = pluginSupport;
        this.points = Set.of(points);
    }

    boolean extendsPoint(ExtensionPoint point) {
        return points.contains(point);
    }

    boolean isEnabledByDefault() {
        return defaultWeight > 0;
    }

    Optional<FilterPluginName> filterPluginName() {
        return Optional.ofNullable(pluginSupport.filterPluginName);
    }

    /** Whether it has no effect, enabled or disabled. */
    boolean hasNoEffect() {
        return pluginSupport.mandatoryAt.isEmpty() && !pluginSupport.reason.isEmpty() && pluginSupport.supported;
    }

    /** The plugin that the setting names. */
    static KubeSchedulerPlugin find(ConfigNode configNode) {
        String name = configNode.requiredText();
        if (REMOVED.contains(name)) {
            throw configNode.invalid("was removed from Kubernetes. Maybe NodeVolumeLimits");
        }
        return Arrays.stream(values())
                .filter(plugin -> plugin.pluginName.equals(name))
                .findFirst()
                .orElseThrow(() -> configNode.invalid(
                        "is not a plugin of kube-scheduler 1.36, and Berth runs no other plugins. Similar names: "
                                + closestNames(name)));
    }

    private static String closestNames(String name) {
        return Arrays.stream(values())
                .map(plugin -> plugin.pluginName)
                .sorted(Comparator.comparingInt((String pluginName) -> editDistance(pluginName, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SUGGESTIONS)
                .collect(Collectors.joining(", "));
    }

    /** The edit distance: the number of letters to add, remove or change. */
    private static int editDistance(String one, String other) {
        int[] row = new int[other.length() + 1];
        Arrays.setAll(row, at -> at);
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int above = row[j];
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[other.length()];
    }

    static List<KubeSchedulerPlugin> enabledByDefault() {
        return Arrays.stream(values())
                .filter(KubeSchedulerPlugin::isEnabledByDefault)
                .toList();
    }
}
