package dev.berth.app.config;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Every key of Berth's configuration file, by the path of its mapping. */
final class ConfigKeys {
    private static final Map<String, Set<String>> KEYS = new HashMap<>(Map.of(
            "",
            Set.of(
                    KubeSchedulerFile.KEY,
                    "schedulerNames",
                    "profiles",
                    SchedulerLeases.KEY,
                    "leaderElection",
                    ConfigFile.INITIAL_BACKOFF,
                    ConfigFile.MAX_BACKOFF,
                    "maxConcurrentBinds",
                    "doors",
                    "http",
                    KoordinatorSection.PATH,
                    "godel",
                    "globalreserve",
                    "extender",
                    "diagnostics"),
            "leaderElection",
            Set.of("leaderElect", "resourceNamespace", "resourceName", "leaseDuration", "renewDeadline", "retryPeriod"),
            "doors",
            Set.of("disabled"),
            "http",
            Set.of("requestMemoryLimit"),
            "godel",
            Set.of("reservationTTL"),
            "globalreserve",
            Set.of("api", "reservationTTL"),
            "globalreserve.api",
            Set.of("enabled", "bindAddress", "port"),
            "extender",
            Set.of("enabled", "bindAddress", "port"),
            "diagnostics",
            Set.of("enabled", "bindAddress", "port")));

    static {
        KEYS.putAll(KoordinatorSection.keys());
    }

    private ConfigKeys() {}

    /** The keys of the mapping at this path. */
    static Set<String> keysAt(String path) {
        return Optional.ofNullable(KEYS.get(path))
                .orElseThrow(
                        () -> new IllegalStateException("(%s) is not a mapping of keys to values".formatted(path)));
    }

    /** All keys with a value, with their paths. */
    static NavigableSet<String> all() {
        NavigableSet<String> all = new TreeSet<>();
        KEYS.forEach((path, keys) -> keys.stream()
                .map(key -> path.isEmpty() ? key : path + "." + key)
                .filter(key -> !KEYS.containsKey(key))
                .forEach(all::add));
        return all;
    }
}
