package dev.berth.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.door.koordinator.settings.MoveSettings;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.kubernetes.schedulerconfig.ReservationArgsReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The mapping {@code koordinator} of the configuration file: the keys of ReservationArgs and two of Berth's own. */
final class KoordinatorSection {
    static final String PATH = "koordinator";

    private static final String MOVING = "moving";
    private static final String CLEAN = "cleanExpiredReservationAllocated";
    private static final ObjectMapper JSON = new ObjectMapper();

    private KoordinatorSection() {}

    /** The keys, by the path of their mapping. */
    static Map<String, Set<String>> keys() {
        Map<String, Set<String>> keys = new HashMap<>();
        ReservationArgsReader.KEYS.forEach((path, names) -> keys.put(path.isEmpty() ? PATH : PATH + "." + path, names));
        Set<String> all = new TreeSet<>(ReservationArgsReader.KEYS.getOrDefault("", Set.of()));
        all.addAll(Set.of(MOVING, CLEAN));
        keys.put(PATH, all);
        keys.put(PATH + "." + MOVING, Set.of("enabled", "maxPerMinute"));
        return keys;
    }

    /** @param warnings receives settings that are accepted without effect */
    static ReservationSettings read(ConfigSection section, List<String> warnings) {
        section.rejectUnknownKeys();
        ReservationSettings args = ReservationArgsReader.read(PATH, section.toPlainObject(), warnings);
        return args.withMoving(readMoving(section.section(MOVING)))
                .withCleanedReservationAllocated(section.bool(CLEAN, args.cleansReservationAllocated()));
    }

    /** Rejects keys that the arguments of the plugin Reservation in a profile set already. */
    static void rejectArguments(ConfigSection section) {
        for (String key : new TreeSet<>(ReservationArgsReader.KEYS.getOrDefault("", Set.of()))) {
            if (section.has(key)) {
                throw new IllegalArgumentException(
                        "%s.%s must not be set together with arguments of the plugin Reservation in a profile. Set it there"
                                .formatted(PATH, key));
            }
        }
    }

    private static MoveSettings readMoving(ConfigSection section) {
        section.rejectUnknownKeys();
        MoveSettings defaults = MoveSettings.DEFAULT;
        int maxPerMinute = section.number("maxPerMinute", defaults.maxPerMinute());
        if (maxPerMinute < 1) {
            throw new IllegalArgumentException(
                    "%s.maxPerMinute (%d) must be at least 1. To stop moving, set %s.enabled to false"
                            .formatted(section.path(), maxPerMinute, section.path()));
        }
        return new MoveSettings(section.bool("enabled", defaults.enabled()), maxPerMinute);
    }

    /** The mapping that {@link #read} reads as these settings. */
    static ObjectNode toJson(ReservationSettings settings) {
        ObjectNode written = JSON.createObjectNode();
        written.put("enablePreemption", settings.preemptionEnabled());
        written.put("gcDurationSeconds", settings.garbageCollection().duration().toSeconds());
        written.put("disableGarbageCollection", !settings.garbageCollection().enabled());
        PreAllocationSettings preAllocation = settings.preAllocation();
        written.putObject("preAllocationConfig")
                .put("enableClusterMode", preAllocation.clusterModeEnabled())
                .put("clusterLabelKey", preAllocation.clusterLabelKey())
                .put("clusterPriorityAnnotationKey", preAllocation.clusterPriorityAnnotationKey())
                .put("preferNoPreAllocatedPods", preAllocation.preferNoPreAllocatedPods());
        settings.ignoredResources()
                .names()
                .forEach(name -> written.withArray("ignoredResources").add(name.value()));
        settings.ignoredResources()
                .groups()
                .forEach(group -> written.withArray("ignoredResourceGroups").add(group));
        written.putObject(MOVING)
                .put("enabled", settings.moving().enabled())
                .put("maxPerMinute", settings.moving().maxPerMinute());
        written.put(CLEAN, settings.cleansReservationAllocated());
        return written;
    }

    /** The message about the first key with another value; empty if the settings are equal. */
    static Optional<String> findDifference(ReservationSettings mine, ReservationSettings other) {
        Map<String, String> values = new TreeMap<>();
        flatten(PATH, toJson(mine), values);
        Map<String, String> others = new TreeMap<>();
        flatten(PATH, toJson(other), others);
        Set<String> keys = new TreeSet<>(values.keySet());
        keys.addAll(others.keySet());
        return keys.stream()
                .filter(key -> !values.getOrDefault(key, "[]").equals(others.getOrDefault(key, "[]")))
                .findFirst()
                .map(key -> "%s is %s in this replica and %s in the other one"
                        .formatted(key, values.getOrDefault(key, "[]"), others.getOrDefault(key, "[]")));
    }

    private static void flatten(String path, JsonNode node, Map<String, String> values) {
        if (node.isObject()) {
            node.properties().forEach(field -> flatten(path + "." + field.getKey(), field.getValue(), values));
        } else {
            values.put(path, node.toString());
        }
    }
}
