package dev.berth.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kubernetes.leaderelection.SchedulerLease;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Leases of other schedulers, by the scheduler name that these serve. While such a Lease is live, Berth does not
 * serve the name.
 */
public record SchedulerLeases(Map<String, SchedulerLease> byName) {
    static final String KEY = "schedulerLeases";

    /** Those of kube-scheduler, and of koord-scheduler as Koordinator's Helm chart installs it. */
    public static final SchedulerLeases DEFAULT = new SchedulerLeases(Map.of(
            "default-scheduler", new SchedulerLease("kube-system", "kube-scheduler"),
            "koord-scheduler", new SchedulerLease("koordinator-system", "koord-scheduler")));

    private static final ObjectMapper JSON = new ObjectMapper();

    public SchedulerLeases {
        byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }

    /** The defaults, with the entries of the mapping in their place. An empty text means that the name has no Lease. */
    static SchedulerLeases read(JsonNode mapping) {
        Map<String, SchedulerLease> leases = new TreeMap<>(DEFAULT.byName);
        mapping.properties().forEach(entry -> {
            if (!entry.getValue().isTextual()) {
                throw new IllegalArgumentException(
                        "%s (%s) must be a mapping of scheduler names to Leases, such as {koord-scheduler: koordinator-system/koord-scheduler}"
                                .formatted(KEY, mapping));
            }
            String value = entry.getValue().textValue();
            if (value.isEmpty()) {
                leases.remove(entry.getKey());
            } else {
                leases.put(entry.getKey(), parse(entry.getKey(), value));
            }
        });
        return new SchedulerLeases(leases);
    }

    private static SchedulerLease parse(String schedulerName, String value) {
        try {
            return SchedulerLease.parse(value);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "%s.%s %s, or empty if the name has no Lease".formatted(KEY, schedulerName, wrong.getMessage()),
                    wrong);
        }
    }

    /** The mapping that {@link #read} reads as these Leases. */
    ObjectNode toJson() {
        ObjectNode mapping = JSON.createObjectNode();
        DEFAULT.byName.keySet().forEach(name -> mapping.put(name, ""));
        byName.forEach((name, lease) -> mapping.put(name, lease.toString()));
        return mapping;
    }

    /** The Leases of these scheduler names. */
    public Map<String, SchedulerLease> of(Collection<String> schedulerNames) {
        Map<String, SchedulerLease> leases = new TreeMap<>(byName);
        leases.keySet().retainAll(schedulerNames);
        return leases;
    }

    /** The message about the first name with another Lease; empty if there is none. */
    Optional<String> findDifference(SchedulerLeases other) {
        Set<String> names = new TreeSet<>(byName.keySet());
        names.addAll(other.byName.keySet());
        return names.stream()
                .filter(name -> !text(name).equals(other.text(name)))
                .findFirst()
                .map(name -> "%s.%s is (%s) in this replica and (%s) in the other one"
                        .formatted(KEY, name, text(name), other.text(name)));
    }

    private String text(String schedulerName) {
        SchedulerLease lease = byName.get(schedulerName);
        return lease == null ? "" : lease.toString();
    }
}
