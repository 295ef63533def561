package dev.berth.kubernetes.schedulerconfig;

import static dev.berth.kubernetes.schedulerconfig.Point.BIND;
import static dev.berth.kubernetes.schedulerconfig.Point.FILTER;
import static dev.berth.kubernetes.schedulerconfig.Point.PERMIT;
import static dev.berth.kubernetes.schedulerconfig.Point.PLACEMENT_GENERATE;
import static dev.berth.kubernetes.schedulerconfig.Point.PLACEMENT_SCORE;
import static dev.berth.kubernetes.schedulerconfig.Point.POST_FILTER;
import static dev.berth.kubernetes.schedulerconfig.Point.PRE_BIND;
import static dev.berth.kubernetes.schedulerconfig.Point.PRE_ENQUEUE;
import static dev.berth.kubernetes.schedulerconfig.Point.PRE_FILTER;
import static dev.berth.kubernetes.schedulerconfig.Point.PRE_SCORE;
import static dev.berth.kubernetes.schedulerconfig.Point.QUEUE_SORT;
import static dev.berth.kubernetes.schedulerconfig.Point.RESERVE;
import static dev.berth.kubernetes.schedulerconfig.Point.SCORE;

import dev.berth.core.placement.profile.Rule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The plugins of kube-scheduler 1.36 in its order, and what Berth has for each. */
@SuppressWarnings("ImmutableEnumChecker") // The sets are copies that cannot be changed.
enum Plugin {
    SCHEDULING_GATES("SchedulingGates", 1, Part.always("a pod with gates must wait", PRE_ENQUEUE), PRE_ENQUEUE),
    PRIORITY_SORT("PrioritySort", 1, Part.always("Berth's queue has no other order", QUEUE_SORT), QUEUE_SORT),
    NODE_UNSCHEDULABLE("NodeUnschedulable", 1, Part.rule(Rule.UNSCHEDULABLE), FILTER),
    NODE_NAME("NodeName", 1, Part.idle("pods that name their node are not Berth's to place"), FILTER),
    TAINT_TOLERATION("TaintToleration", 3, Part.rule(Rule.TAINTS), FILTER, PRE_SCORE, SCORE),
    NODE_AFFINITY("NodeAffinity", 2, Part.rule(Rule.NODE_AFFINITY), PRE_FILTER, FILTER, PRE_SCORE, SCORE),
    NODE_PORTS("NodePorts", 1, Part.always(Part.HOLDS, PRE_FILTER, FILTER), PRE_FILTER, FILTER),
    NODE_RESOURCES_FIT(
            "NodeResourcesFit",
            1,
            Part.always(Part.HOLDS, PRE_FILTER, FILTER),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE,
            PLACEMENT_SCORE),
    VOLUME_RESTRICTIONS("VolumeRestrictions", 1, Part.always(Part.VOLUMES, PRE_FILTER, FILTER), PRE_FILTER, FILTER),
    NODE_VOLUME_LIMITS("NodeVolumeLimits", 1, Part.always(Part.VOLUMES, PRE_FILTER, FILTER), PRE_FILTER, FILTER),
    VOLUME_BINDING(
            "VolumeBinding",
            1,
            Part.always(Part.VOLUMES, PRE_FILTER, FILTER, RESERVE, PRE_BIND),
            PRE_FILTER,
            FILTER,
            PRE_SCORE,
            SCORE,
            RESERVE,
            PRE_BIND),
    VOLUME_ZONE("VolumeZone", 1, Part.always(Part.VOLUMES, PRE_FILTER, FILTER), PRE_FILTER, FILTER),
    POD_TOPOLOGY_SPREAD("PodTopologySpread", 2, Part.rule(Rule.SPREAD), PRE_FILTER, FILTER, PRE_SCORE, SCORE),
    INTER_POD_AFFINITY("InterPodAffinity", 2, Part.rule(Rule.POD_AFFINITY), PRE_FILTER, FILTER, PRE_SCORE, SCORE),
    DYNAMIC_RESOURCES(
            "DynamicResources",
            2,
            Part.idle("Berth refuses pods with resource claims, in words, whether it is enabled or not"),
            PRE_ENQUEUE,
            PRE_FILTER,
            FILTER,
            POST_FILTER,
            SCORE,
            RESERVE,
            PRE_BIND),
    DEFAULT_PREEMPTION("DefaultPreemption", 1, Part.plain(), PRE_ENQUEUE, POST_FILTER),
    BALANCED_ALLOCATION("NodeResourcesBalancedAllocation", 1, Part.plain(), PRE_SCORE, SCORE),
    IMAGE_LOCALITY("ImageLocality", 1, Part.plain(), SCORE),
    DEFAULT_BINDER("DefaultBinder", 1, Part.always("Berth has no other way to bind", BIND), BIND),
    NODE_DECLARED_FEATURES("NodeDeclaredFeatures", 1, Part.rule(Rule.FEATURES), PRE_FILTER, FILTER),
    GANG_SCHEDULING("GangScheduling", 0, Part.never(), PRE_ENQUEUE, RESERVE, PERMIT),
    TOPOLOGY_PLACEMENT_GENERATOR("TopologyPlacementGenerator", 0, Part.never(), PLACEMENT_GENERATE),
    POD_GROUP_PODS_COUNT("PodGroupPodsCount", 0, Part.never(), PLACEMENT_SCORE);

    private static final Set<String> REMOVED = Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");
    private static final int NEAREST = 3;

    /**
     * What Berth has for a plugin.
     *
     * @param rule the rule that its filter stands for
     * @param fixed where it cannot be left out
     * @param why the reason for that, or for its having no effect
     */
    record Part(@Nullable Rule rule, Set<Point> fixed, String why, boolean supported) {
        static final String HOLDS = "Berth could not keep what is held for others without it";
        static final String VOLUMES = "Berth always asks for a pod's volumes";

        static Part rule(Rule rule) {
            return new Part(rule, Set.of(), "", true);
        }

        static Part always(String why, Point... points) {
            return new Part(null, Set.of(points), why, true);
        }

        static Part idle(String why) {
            return new Part(null, Set.of(), why, true);
        }

        static Part plain() {
            return new Part(null, Set.of(), "", true);
        }

        static Part never() {
            return new Part(
                    null, Set.of(), "Berth decides on pods one by one, and refuses pods of groups in words", false);
        }
    }

    final String title;
    /** Of its score where nothing is said; nothing where it is not enabled by default. */
    final int weight;

    final Part part;
    private final Set<Point> points;

    Plugin(String title, int weight, Part part, Point... points) {
        this.title = title;
        this.weight = weight;
        this.part = part;
        this.points = Set.of(points);
    }

    boolean extendsPoint(Point point) {
        return points.contains(point);
    }

    boolean isDefault() {
        return weight > 0;
    }

    Optional<Rule> rule() {
        return Optional.ofNullable(part.rule);
    }

    /** Whether it does nothing here, on or off. */
    boolean isIdle() {
        return part.fixed.isEmpty() && !part.why.isEmpty() && part.supported;
    }

    /** The plugin that the setting names. */
    static Plugin named(Setting setting) {
        String name = setting.name();
        if (REMOVED.contains(name)) {
            throw setting.wrong("was removed from Kubernetes. Maybe NodeVolumeLimits");
        }
        return Arrays.stream(values())
                .filter(plugin -> plugin.title.equals(name))
                .findFirst()
                .orElseThrow(() -> setting.wrong(
                        "is no plugin of kube-scheduler 1.36, and Berth runs no others. Nearest: " + nearest(name)));
    }

    private static String nearest(String name) {
        return Arrays.stream(values())
                .map(plugin -> plugin.title)
                .sorted(Comparator.comparingInt((String title) -> distance(title, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(NEAREST)
                .collect(Collectors.joining(", "));
    }

    /** How many letters must be added, left out or changed. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        Arrays.setAll(row, at -> at);
        for (int i = 1; i <= one.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int above = row[j];
                int changed = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                corner = above;
            }
        }
        return row[other.length()];
    }

    static List<Plugin> byDefault() {
        return Arrays.stream(values()).filter(Plugin::isDefault).toList();
    }
}
