package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.door.koordinator.settings.GarbageCollectionSettings;
import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.resource.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads ReservationArgs, the arguments of Koordinator's plugin Reservation. */
public final class ReservationArgsReader {
    static final String PLUGIN = "Reservation";

    private static final String ALL_NODES = "Berth looks for victims on all nodes";

    /** Every key, by the path of its mapping; the path of the arguments themselves is empty. */
    public static final Map<String, Set<String>> KEYS = Map.of(
            "",
            Set.of(
                    "enablePreemption",
                    "minCandidateNodesPercentage",
                    "minCandidateNodesAbsolute",
                    "controllerWorkers",
                    "gcDurationSeconds",
                    "gcIntervalSeconds",
                    "disableGarbageCollection",
                    "resyncIntervalSeconds",
                    "preAllocationConfig",
                    "ignoredResources",
                    "ignoredResourceGroups",
                    "reservationSelectorIndex"),
            "preAllocationConfig",
            Set.of("enableClusterMode", "clusterLabelKey", "clusterPriorityAnnotationKey", "preferNoPreAllocatedPods"),
            "reservationSelectorIndex",
            Set.of("enabled", "keyPrefixes", "keys"));

    private ReservationArgsReader() {}

    /**
     * Reads arguments that are part of another file.
     *
     * @param path their path in that file
     * @param args the parsed mapping with the keys of ReservationArgs
     * @param warnings receives settings that are accepted without effect
     */
    public static ReservationSettings read(String path, @Nullable Object args, List<String> warnings) {
        return read(ConfigNode.of(path, args), warnings);
    }

    /** The arguments in the profiles; empty if no profile has them. All profiles that have them must agree. */
    static Optional<ReservationSettings> readFromProfiles(ConfigNode profiles, List<String> warnings) {
        Optional<ReservationSettings> found = Optional.empty();
        for (ConfigNode profile : profiles.items()) {
            for (ConfigNode item : profile.get("pluginConfig").items()) {
                if (isReservation(item.get("name"))) {
                    // Profiles that agree are warned about once.
                    ReservationSettings settings =
                            readArguments(item.get("args"), found.isEmpty() ? warnings : new ArrayList<>());
                    if (found.filter(other -> !other.equals(settings)).isPresent()) {
                        throw item.get("args")
                                .invalid("differs from the arguments of another profile. Berth has one set of"
                                        + " arguments for all Reservations: make them equal");
                    }
                    found = Optional.of(settings);
                }
            }
        }
        return found;
    }

    static boolean isReservation(ConfigNode name) {
        return name.text().filter(PLUGIN::equals).isPresent();
    }

    private static ReservationSettings readArguments(ConfigNode args, List<String> warnings) {
        Set<String> allowed = new TreeSet<>(KEYS.getOrDefault("", Set.of()));
        allowed.addAll(Set.of("apiVersion", "kind"));
        args.allowKeys(allowed);
        args.get("apiVersion").oneOf(List.of(KubeSchedulerConfiguration.VERSION));
        args.get("kind").oneOf(List.of(PLUGIN + "Args"));
        return read(args, warnings);
    }

    private static ReservationSettings read(ConfigNode args, List<String> warnings) {
        warnIgnored(args, warnings);
        ReservationSettings defaults = ReservationSettings.DEFAULT;
        return defaults.withPreemptionEnabled(
                        args.get("enablePreemption").flag().orElse(defaults.preemptionEnabled()))
                .withGarbageCollection(readGarbageCollection(args))
                .withPreAllocation(readPreAllocation(args.get("preAllocationConfig")))
                .withIgnoredResources(readIgnoredResources(args));
    }

    private static GarbageCollectionSettings readGarbageCollection(ConfigNode args) {
        GarbageCollectionSettings defaults = GarbageCollectionSettings.DEFAULT;
        return new GarbageCollectionSettings(
                !args.get("disableGarbageCollection").flag().orElse(!defaults.enabled()),
                atLeast(0, args.get("gcDurationSeconds"))
                        .map(Duration::ofSeconds)
                        .orElse(defaults.duration()));
    }

    private static PreAllocationSettings readPreAllocation(ConfigNode section) {
        section.allowKeys(KEYS.getOrDefault("preAllocationConfig", Set.of()));
        PreAllocationSettings defaults = PreAllocationSettings.DEFAULT;
        return new PreAllocationSettings(
                section.get("enableClusterMode").flag().orElse(defaults.clusterModeEnabled()),
                section.get("clusterLabelKey").nonEmptyText().orElse(defaults.clusterLabelKey()),
                section.get("clusterPriorityAnnotationKey")
                        .nonEmptyText()
                        .orElse(defaults.clusterPriorityAnnotationKey()),
                section.get("preferNoPreAllocatedPods").flag().orElse(defaults.preferNoPreAllocatedPods()));
    }

    private static IgnoredResources readIgnoredResources(ConfigNode args) {
        Set<ResourceName> names = new TreeSet<>();
        for (ConfigNode item : args.get("ignoredResources").items()) {
            names.addAll(validated(item, name -> new IgnoredResources(Set.of(new ResourceName(name)), Set.of()))
                    .names());
        }
        Set<String> groups = new TreeSet<>();
        for (ConfigNode item : args.get("ignoredResourceGroups").items()) {
            groups.addAll(validated(item, group -> new IgnoredResources(Set.of(), Set.of(group)))
                    .groups());
        }
        return new IgnoredResources(names, groups);
    }

    /** The value of one item. The message of an invalid item names its path. */
    private static IgnoredResources validated(ConfigNode item, Function<String, IgnoredResources> read) {
        String text = item.requiredText();
        try {
            return read.apply(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("%s %s".formatted(item.path(), invalid.getMessage()), invalid);
        }
    }

    private static void warnIgnored(ConfigNode args, List<String> warnings) {
        warn(args.get("minCandidateNodesPercentage"), it -> it.number(0, 100), ALL_NODES, warnings);
        warn(args.get("minCandidateNodesAbsolute"), it -> atLeast(0, it), ALL_NODES, warnings);
        warn(
                args.get("controllerWorkers"),
                it -> atLeast(0, it),
                "Berth has one thread for all Reservations",
                warnings);
        warn(
                args.get("gcIntervalSeconds"),
                it -> atLeast(0, it),
                "Berth deletes each Reservation when its time is over",
                warnings);
        warn(
                args.get("resyncIntervalSeconds"),
                it -> atLeast(0, it),
                "Berth computes its metrics when they are read",
                warnings);
        ConfigNode index =
                args.get("reservationSelectorIndex").allowKeys(KEYS.getOrDefault("reservationSelectorIndex", Set.of()));
        String indexed = "Berth always finds Reservations by an index";
        warn(index.get("enabled"), ConfigNode::flag, indexed, warnings);
        for (String key : List.of("keyPrefixes", "keys")) {
            warn(
                    index.get(key),
                    list -> Optional.of(list.items()).filter(items -> {
                        items.forEach(ConfigNode::requiredText);
                        return !items.isEmpty();
                    }),
                    indexed,
                    warnings);
        }
    }

    private static void warn(
            ConfigNode setting, Function<ConfigNode, Optional<?>> read, String reason, List<String> warnings) {
        KubeSchedulerConfiguration.warnIfSet(setting, read, reason, warnings);
    }

    private static Optional<Integer> atLeast(int min, ConfigNode number) {
        return number.number(min, Integer.MAX_VALUE);
    }
}
