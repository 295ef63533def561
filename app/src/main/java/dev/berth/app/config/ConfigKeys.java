package dev.berth.app.config;

import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Every key of Berth's own file, by the mapping that it is in. */
final class ConfigKeys {
    private static final Map<String, Set<String>> KEYS = Map.of(
            "",
            Set.of(
                    SchedulerFile.KEY,
                    "schedulerNames",
                    "profiles",
                    "leaderElection",
                    "podBackOff",
                    "bindsInFlight",
                    "doors",
                    "return",
                    "reserveApi",
                    "extender",
                    "operation"),
            "leaderElection",
            Set.of("enabled", "namespace", "name", "leaseDuration", "renewDeadline", "retryPeriod"),
            "podBackOff",
            Set.of("first", "longest"),
            "doors",
            Set.of("without", "requestMemory"),
            "return",
            Set.of("ttl"),
            "reserveApi",
            Set.of("enabled", "address", "port", "holdFor"),
            "extender",
            Set.of("enabled", "address", "port"),
            "operation",
            Set.of("enabled", "address", "port"));

    private ConfigKeys() {}

    /** The keys of the mapping at this path. */
    static Set<String> in(String path) {
        return Optional.ofNullable(KEYS.get(path))
                .orElseThrow(() -> new IllegalStateException("(%s) is no mapping with keys".formatted(path)));
    }

    /** All that have a value of their own, with their paths. */
    static NavigableSet<String> all() {
        NavigableSet<String> all = new TreeSet<>();
        KEYS.forEach((path, keys) -> keys.stream()
                .map(key -> path.isEmpty() ? key : path + "." + key)
                .filter(key -> !KEYS.containsKey(key))
                .forEach(all::add));
        return all;
    }
}
