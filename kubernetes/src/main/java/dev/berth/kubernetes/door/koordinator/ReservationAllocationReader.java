package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationAllocation;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how much of a reservation its owners may use. */
final class ReservationAllocationReader {
    private static final String RESTRICTED_OPTIONS = Reservation.API_GROUP + "/reservation-restricted-options";
    private static final String RESTRICTED_OPTIONS_FORM = "{\"resources\":[\"cpu\"]}";
    /** The annotation has the same form on nodes, where it is for system daemons. */
    private static final String INNER_RESERVED = "node.koordinator.sh/reservation";

    private static final String INNER_RESERVED_FORM = "{\"resources\":{\"cpu\":\"1\"}}";

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
        Set<ResourceName> names = new HashSet<>();
        annotation(meta, RESTRICTED_OPTIONS, RESTRICTED_OPTIONS_FORM).ifPresent(options -> {
            if (options.toMap().getOrDefault("resources", List.of()) instanceof List<?> listed
                    && listed.stream().allMatch(name -> name instanceof String text && !text.isBlank())) {
                listed.forEach(name -> names.add(new ResourceName((String) name)));
            } else {
                throw malformed(
                        meta, RESTRICTED_OPTIONS, "its resources are no list of names", RESTRICTED_OPTIONS_FORM);
            }
        });
        return names;
    }

    /** Berth does not assign cpus by number: to accept such a part and hold nothing for it would be wrong. */
    private static Resources innerReserved(ObjectMeta meta) {
        Optional<JsonObject> reserved = annotation(meta, INNER_RESERVED, INNER_RESERVED_FORM);
        if (reserved.isEmpty()) {
            return Resources.NONE;
        }
        for (String key : List.of("reservedCPUs", "applyPolicy")) {
            if (!reserved.get().text(key).isEmpty()) {
                throw new MalformedObjectException(
                        "annotation %s: %s (%s) is not supported, because Berth does not assign cpus by number. Remove it"
                                .formatted(
                                        INNER_RESERVED,
                                        key,
                                        ForeignText.quote(reserved.get().text(key))));
            }
        }
        if (reserved.get().has("resources")
                && reserved.get().object("resources").isEmpty()) {
            throw malformed(meta, INNER_RESERVED, "its resources are no object", INNER_RESERVED_FORM);
        }
        Map<ResourceName, Quantity> amounts = new HashMap<>();
        try {
            reserved.get().stringMap("resources").forEach((name, text) -> {
                Quantity quantity = Quantity.parse(text);
                if (quantity.isNegative()) {
                    throw new IllegalArgumentException("%s (%s) is negative".formatted(ForeignText.quote(name), text));
                }
                amounts.put(new ResourceName(name), quantity);
            });
            return Resources.ofQuantities(amounts);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            throw malformed(meta, INNER_RESERVED, String.valueOf(invalid.getMessage()), INNER_RESERVED_FORM);
        }
    }

    private static Optional<JsonObject> annotation(ObjectMeta meta, String key, String form) {
        return meta.annotations().get(key).filter(text -> !text.isBlank()).map(text -> {
            try {
                return JsonObject.parse(text.getBytes(StandardCharsets.UTF_8));
            } catch (MalformedObjectException malformed) {
                throw malformed(meta, key, String.valueOf(malformed.getMessage()), form);
            }
        });
    }

    private static MalformedObjectException malformed(ObjectMeta meta, String key, String why, String form) {
        return new MalformedObjectException("annotation %s (%s): %s. It must look like %s"
                .formatted(key, ForeignText.quote(meta.annotations().get(key).orElse("")), why, form));
    }
}
