package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.placement.profile.Afterwards;
import dev.berth.core.placement.profile.PodAffinityScoring;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.score.ScoreWeights;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One of the profiles of the file. */
final class ProfileReader {
    private static final Map<Plugin, Set<String>> ARGUMENTS = Map.of(
            Plugin.DEFAULT_PREEMPTION, Set.of("minCandidateNodesPercentage", "minCandidateNodesAbsolute"),
            Plugin.INTER_POD_AFFINITY, Set.of("hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"),
            Plugin.NODE_AFFINITY, Set.of("addedAffinity"),
            Plugin.NODE_RESOURCES_FIT, Set.of("ignoredResources", "ignoredResourceGroups", "scoringStrategy"),
            Plugin.BALANCED_ALLOCATION, Set.of("resources"),
            Plugin.POD_TOPOLOGY_SPREAD, Set.of("defaultConstraints", "defaultingType"),
            Plugin.VOLUME_BINDING, Set.of("bindTimeoutSeconds", "shape"),
            Plugin.DYNAMIC_RESOURCES, Set.of("filterTimeout", "bindingTimeout"));

    private final List<String> notes;

    ProfileReader(List<String> notes) {
        this.notes = notes;
    }

    /** What a plugin can be told; nothing where it takes no arguments. */
    static Set<String> argumentsOf(Plugin plugin) {
        return ARGUMENTS.getOrDefault(plugin, Set.of());
    }

    Profile read(Setting profile) {
        profile.only(Set.of("schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"));
        SchedulerConfiguration.allNodes(profile.at("percentageOfNodesToScore"), notes);
        PluginSets sets = new PluginSets(profile.at("plugins"), notes);
        sets.check();
        Profile read = inForce(sets);
        Set<Plugin> configured = EnumSet.noneOf(Plugin.class);
        for (Setting item : profile.at("pluginConfig").items()) {
            Plugin plugin = Plugin.named(item.only(Set.of("name", "args")).at("name"));
            if (!configured.add(plugin)) {
                throw item.at("name").wrong("is configured twice: leave out one");
            }
            read = with(read, plugin, arguments(item, plugin));
        }
        return read;
    }

    private static Profile inForce(PluginSets sets) {
        Profile profile = Profile.DEFAULT.withWeights(new ScoreWeights(
                weight(sets, Plugin.NODE_RESOURCES_FIT),
                weight(sets, Plugin.BALANCED_ALLOCATION),
                weight(sets, Plugin.IMAGE_LOCALITY),
                weight(sets, Plugin.TAINT_TOLERATION),
                weight(sets, Plugin.NODE_AFFINITY),
                weight(sets, Plugin.POD_TOPOLOGY_SPREAD),
                weight(sets, Plugin.INTER_POD_AFFINITY)));
        for (Plugin plugin : Plugin.byDefault()) {
            if (plugin.rule().isPresent() && !sets.has(Point.FILTER, plugin)) {
                profile = profile.without(plugin.rule().get());
            }
        }
        boolean preempts = sets.has(Point.POST_FILTER, Plugin.DEFAULT_PREEMPTION);
        return profile.withAfterwards(new Afterwards(preempts, Afterwards.USUAL.volumePatience()));
    }

    private static int weight(PluginSets sets, Plugin plugin) {
        return sets.at(Point.SCORE, plugin).orElse(0);
    }

    private static Setting arguments(Setting item, Plugin plugin) {
        Setting args = item.at("args");
        Set<String> known = new TreeSet<>(argumentsOf(plugin));
        if (known.isEmpty()) {
            throw item.at("name").wrong("takes no arguments: leave it out of pluginConfig");
        }
        known.addAll(Set.of("apiVersion", "kind"));
        args.only(known);
        args.at("apiVersion").word(List.of(SchedulerConfiguration.VERSION));
        args.at("kind").word(List.of(plugin.title + "Args"));
        return args;
    }

    private Profile with(Profile profile, Plugin plugin, Setting args) {
        return switch (plugin) {
            case NODE_RESOURCES_FIT -> profile.withResources(ResourceArguments.fit(args, profile.resources()));
            case BALANCED_ALLOCATION -> profile.withResources(ResourceArguments.balanced(args, profile.resources()));
            case POD_TOPOLOGY_SPREAD -> profile.withSpread(SpreadArguments.read(args));
            case INTER_POD_AFFINITY -> profile.withPodAffinity(podAffinity(args));
            case NODE_AFFINITY -> profile.withAdded(NodeAffinityReader.read(args.at("addedAffinity")));
            case VOLUME_BINDING -> profile.withAfterwards(volumes(args, profile.afterwards()));
            case DEFAULT_PREEMPTION -> {
                preemption(args);
                yield profile;
            }
            case DYNAMIC_RESOURCES -> {
                for (String key : List.of("filterTimeout", "bindingTimeout")) {
                    SchedulerConfiguration.note(args.at(key), Setting::duration, plugin.part.why(), notes);
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

    private static PodAffinityScoring podAffinity(Setting args) {
        return new PodAffinityScoring(
                args.at("hardPodAffinityWeight").number(0, 100).orElse(PodAffinityScoring.USUAL.hardWeight()),
                args.at("ignorePreferredTermsOfExistingPods").flag().orElse(PodAffinityScoring.USUAL.ignoresOthers()));
    }

    private static Afterwards volumes(Setting args, Afterwards before) {
        if (args.at("shape").isThere()) {
            throw args.at("shape").wrong("is not supported: Berth does not score storage. Leave it out");
        }
        Duration patience = args.at("bindTimeoutSeconds")
                .number(0, Integer.MAX_VALUE)
                .map(Duration::ofSeconds)
                .orElse(before.volumePatience());
        return new Afterwards(before.preempts(), patience);
    }

    private void preemption(Setting args) {
        Setting percentage = args.at("minCandidateNodesPercentage");
        Setting absolute = args.at("minCandidateNodesAbsolute");
        int part = percentage.number(0, 100).orElse(10);
        int count = absolute.number(0, Integer.MAX_VALUE).orElse(100);
        if (part == 0 && count == 0) {
            throw percentage.wrong("and minCandidateNodesAbsolute (0) must not both be 0");
        }
        for (Setting said : List.of(percentage, absolute)) {
            if (said.isThere()) {
                notes.add("%s has no effect: Berth looks for victims on all nodes".formatted(said.path()));
            }
        }
    }
}
