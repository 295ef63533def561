package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationAllocation;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonAnnotation;
import dev.berth.kubernetes.json.JsonAnnotation.UnknownKeys;
import dev.berth.kubernetes.json.JsonKeys;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads how much of a reservation its owners may use. */
final class ReservationAllocationReader {
    /** Without a key that Berth does not know, more resources are restricted, not fewer. */
    static final JsonAnnotation RESTRICTED_OPTIONS = new JsonAnnotation(
            Reservation.API_GROUP + "/reservation-restricted-options",
            "{\"resources\":[\"cpu\"]}",
            JsonKeys.of("resources"),
            UnknownKeys.IGNORE);
    /** The annotation has the same form on nodes, where it is for system daemons. */
    private static final String INNER_RESERVED_KEY = "node.koordinator.sh/reservation";

    private static final List<String> CPUS_BY_NUMBER = List.of("reservedCPUs", "applyPolicy");
    /** With a key that Berth does not know, an owner could get a part that its author keeps from owners. */
    private static final JsonAnnotation INNER_RESERVED = new JsonAnnotation(
            INNER_RESERVED_KEY,
            "{\"resources\":{\"cpu\":\"1\"}}",
            JsonKeys.of("resources", "reservedCPUs", "applyPolicy"),
            UnknownKeys.REJECT);

    private ReservationAllocationReader() {}

    static ReservationAllocation read(ObjectMeta meta, JsonObject spec) {
        return new ReservationAllocation(restricted(spec), restrictedResources(meta), innerReserved(meta));
    }

    private static boolean restricted(JsonObject spec) {
        String policy = spec.text("allocatePolicy");
        return switch (policy) {
            case "", "Aligned" -> false;
            case "Restricted" -> true;
            default ->
                throw new MalformedObjectException(
                        "spec.allocatePolicy (%s) must be Aligned or Restricted".formatted(ForeignText.quote(policy)));
        };
    }

    private static Set<ResourceName> restrictedResources(ObjectMeta meta) {
        return RESTRICTED_OPTIONS
                .read(meta.annotations(), ReservationAllocationReader::resourceNames)
                .orElse(Set.of());
    }

    private static Set<ResourceName> resourceNames(JsonObject options) {
        Set<ResourceName> names = new HashSet<>();
        if (options.toMap().getOrDefault("resources", List.of()) instanceof List<?> listed
                && listed.stream().allMatch(name -> name instanceof String text && !text.isBlank())) {
            listed.forEach(name -> names.add(new ResourceName((String) name)));
            return names;
        }
        throw new MalformedObjectException("its resources are no list of names");
    }

    private static Resources innerReserved(ObjectMeta meta) {
        Optional<JsonObject> reserved = INNER_RESERVED.read(meta.annotations(), Function.identity());
        reserved.ifPresent(ReservationAllocationReader::rejectCpusByNumber);
        return INNER_RESERVED.read(meta.annotations(), AnnotatedAmounts::read).orElse(Resources.NONE);
    }

    /** Berth does not assign cpus by number: to accept such a part and hold nothing for it would be wrong. */
    private static void rejectCpusByNumber(JsonObject reserved) {
        for (String key : CPUS_BY_NUMBER) {
            if (!reserved.text(key).isEmpty()) {
                throw new MalformedObjectException(
                        "annotation %s: %s (%s) is not supported, because Berth does not assign cpus by number. Remove it"
                                .formatted(INNER_RESERVED_KEY, key, ForeignText.quote(reserved.text(key))));
            }
        }
    }
}
