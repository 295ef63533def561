package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.placement.profile.InterPodAffinityArgs;
import dev.berth.core.placement.profile.PreemptionAndVolumeSettings;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads one profile of the file. */
final class ProfileReader {
    private static final String CONFIGURED_TWICE = "is configured twice. Remove one";
    private static final Map<KubeSchedulerPlugin, Set<String>> ARGUMENTS = Map.of(
            KubeSchedulerPlugin.DEFAULT_PREEMPTION, Set.of("minCandidateNodesPercentage", "minCandidateNodesAbsolute"),
            KubeSchedulerPlugin.INTER_POD_AFFINITY,
                    Set.of("hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"),
            KubeSchedulerPlugin.NODE_AFFINITY, Set.of("addedAffinity"),
            KubeSchedulerPlugin.NODE_RESOURCES_FIT,
                    Set.of("ignoredResources", "ignoredResourceGroups", "scoringStrategy"),
            KubeSchedulerPlugin.BALANCED_ALLOCATION, Set.of("resources"),
            KubeSchedulerPlugin.POD_TOPOLOGY_SPREAD, Set.of("defaultConstraints", "defaultingType"),
            KubeSchedulerPlugin.VOLUME_BINDING, Set.of("bindTimeoutSeconds", "shape"),
            KubeSchedulerPlugin.DYNAMIC_RESOURCES, Set.of("filterTimeout", "bindingTimeout"));

    private final List<String> warnings;

    ProfileReader(List<String> warnings) {
        this.warnings = warnings;
    }

    /** The arguments of a plugin; empty if it takes none. */
    static Set<String> argumentKeys(KubeSchedulerPlugin plugin) {
        return ARGUMENTS.getOrDefault(plugin, Set.of());
    }

    Profile read(ConfigNode profile) {
        profile.allowKeys(Set.of("schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"));
        KubeSchedulerConfiguration.warnIgnoredPercentage(profile.get("percentageOfNodesToScore"), warnings);
        PluginSets sets = new PluginSets(profile.get("plugins"), warnings);
        sets.validate();
        Profile read = fromPlugins(sets);
        Set<KubeSchedulerPlugin> configured = EnumSet.noneOf(KubeSchedulerPlugin.class);
        boolean reservationConfigured = false;
        for (ConfigNode item : profile.get("pluginConfig").items()) {
            ConfigNode name = item.allowKeys(Set.of("name", "args")).get("name");
            if (ReservationArgsReader.isReservation(name)) {
                // The arguments are not part of a profile: ReservationArgsReader reads them.
                if (reservationConfigured) {
                    throw name.invalid(CONFIGURED_TWICE);
                }
                reservationConfigured = true;
                continue;
            }
            KubeSchedulerPlugin plugin = KubeSchedulerPlugin.find(name);
            if (!configured.add(plugin)) {
                throw name.invalid(CONFIGURED_TWICE);
            }
            read = withArguments(read, plugin, validatedArguments(item, plugin));
        }
        return read;
    }

    private static Profile fromPlugins(PluginSets sets) {
        Profile profile = Profile.DEFAULT.withWeights(new ScoreWeights(
                weight(sets, KubeSchedulerPlugin.NODE_RESOURCES_FIT),
                weight(sets, KubeSchedulerPlugin.BALANCED_ALLOCATION),
                weight(sets, KubeSchedulerPlugin.IMAGE_LOCALITY),
                weight(sets, KubeSchedulerPlugin.TAINT_TOLERATION),
                weight(sets, KubeSchedulerPlugin.NODE_AFFINITY),
                weight(sets, KubeSchedulerPlugin.POD_TOPOLOGY_SPREAD),
                weight(sets, KubeSchedulerPlugin.INTER_POD_AFFINITY)));
        for (KubeSchedulerPlugin plugin : KubeSchedulerPlugin.enabledByDefault()) {
            if (plugin.filterPluginName().isPresent() && !sets.isEnabled(ExtensionPoint.FILTER, plugin)) {
                profile = profile.withoutFilter(plugin.filterPluginName().get());
            }
        }
        boolean preempts = sets.isEnabled(ExtensionPoint.POST_FILTER, KubeSchedulerPlugin.DEFAULT_PREEMPTION);
        return profile.withPreemptionAndVolumeSettings(
                new PreemptionAndVolumeSettings(preempts, PreemptionAndVolumeSettings.DEFAULT.volumeBindTimeout()));
    }

    private static int weight(PluginSets sets, KubeSchedulerPlugin plugin) {
        return sets.weightAt(ExtensionPoint.SCORE, plugin).orElse(0);
    }

    private static ConfigNode validatedArguments(ConfigNode item, KubeSchedulerPlugin plugin) {
        ConfigNode args = item.get("args");
        Set<String> allowedKeys = new TreeSet<>(argumentKeys(plugin));
        if (allowedKeys.isEmpty()) {
            throw item.get("name").invalid("takes no arguments. Remove it from pluginConfig");
        }
        allowedKeys.addAll(Set.of("apiVersion", "kind"));
        args.allowKeys(allowedKeys);
        args.get("apiVersion").oneOf(List.of(KubeSchedulerConfiguration.VERSION));
        args.get("kind").oneOf(List.of(plugin.pluginName + "Args"));
        return args;
    }

    private Profile withArguments(Profile profile, KubeSchedulerPlugin plugin, ConfigNode args) {
        return switch (plugin) {
            case NODE_RESOURCES_FIT ->
                profile.withResourceScoring(NodeResourcesArgsReader.readFit(args, profile.resourceScoring()));
            case BALANCED_ALLOCATION ->
                profile.withResourceScoring(
                        NodeResourcesArgsReader.readBalancedAllocation(args, profile.resourceScoring()));
            case POD_TOPOLOGY_SPREAD -> profile.withSpreadDefaults(PodTopologySpreadArgsReader.read(args));
            case INTER_POD_AFFINITY -> profile.withInterPodAffinity(readPodAffinity(args));
            case NODE_AFFINITY -> profile.withAddedAffinity(NodeAffinityArgsReader.read(args.get("addedAffinity")));
            case VOLUME_BINDING ->
                profile.withPreemptionAndVolumeSettings(readVolumeBinding(args, profile.preemptionAndVolumeSettings()));
            case DEFAULT_PREEMPTION -> {
                warnIgnoredPreemption(args);
                yield profile;
            }
            case DYNAMIC_RESOURCES -> {
                for (String key : List.of("filterTimeout", "bindingTimeout")) {
                    KubeSchedulerConfiguration.warnIfSet(
                            args.get(key), ConfigNode::duration, plugin.pluginSupport.reason(), warnings);
                }
                yield profile;
            }
            case SCHEDULING_GATES,
                    PRIORITY_SORT,
                    NODE_UNSCHEDULABLE,
                    NODE_NAME,
                    TAINT_TOLERATION,
                    NODE_PORTS,
                    VOLUME_RESTRICTIONS,
                    NODE_VOLUME_LIMITS,
                    VOLUME_ZONE,
                    IMAGE_LOCALITY,
                    DEFAULT_BINDER,
                    NODE_DECLARED_FEATURES,
                    GANG_SCHEDULING,
                    TOPOLOGY_PLACEMENT_GENERATOR,
                    POD_GROUP_PODS_COUNT ->
                throw new IllegalStateException("arguments of %s are not read".formatted(plugin));
        };
    }

    private static InterPodAffinityArgs readPodAffinity(ConfigNode args) {
        return new InterPodAffinityArgs(
                args.get("hardPodAffinityWeight")
                        .number(0, 100)
                        .orElse(InterPodAffinityArgs.DEFAULT.hardPodAffinityWeight()),
                args.get("ignorePreferredTermsOfExistingPods")
                        .flag()
                        .orElse(InterPodAffinityArgs.DEFAULT.ignorePreferredTermsOfExistingPods()));
    }

    private static PreemptionAndVolumeSettings readVolumeBinding(ConfigNode args, PreemptionAndVolumeSettings before) {
        if (args.get("shape").isPresent()) {
            throw args.get("shape").invalid("is not supported: Berth does not score storage. Remove it");
        }
        Duration bindTimeout = args.get("bindTimeoutSeconds")
                .number(0, Integer.MAX_VALUE)
                .map(Duration::ofSeconds)
                .orElse(before.volumeBindTimeout());
        return new PreemptionAndVolumeSettings(before.preemptionEnabled(), bindTimeout);
    }

    private void warnIgnoredPreemption(ConfigNode args) {
        ConfigNode percentage = args.get("minCandidateNodesPercentage");
        ConfigNode absolute = args.get("minCandidateNodesAbsolute");
        int part = percentage.number(0, 100).orElse(10);
        int count = absolute.number(0, Integer.MAX_VALUE).orElse(100);
        if (part == 0 && count == 0) {
            throw percentage.invalid("and minCandidateNodesAbsolute (0) must not both be 0");
        }
        for (ConfigNode setting : List.of(percentage, absolute)) {
            if (setting.isPresent()) {
                warnings.add("%s has no effect: Berth looks for victims on all nodes".formatted(setting.path()));
            }
        }
    }
}
