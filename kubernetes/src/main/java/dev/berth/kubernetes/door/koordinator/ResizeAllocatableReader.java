package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the annotation by which Koordinator's components request another size than the template: {@code
 * {"resources":{"cpu":"4"}}}. Its amounts replace those of the template, and resources that the template does not
 * request are added.
 */
final class ResizeAllocatableReader {
    private static final String ANNOTATION = Reservation.API_GROUP + "/reservation-resize-allocatable";

    private ResizeAllocatableReader() {}

    static Resources read(ObjectMeta meta) {
        Optional<String> value = meta.annotations().get(ANNOTATION);
        return value.isEmpty() ? Resources.NONE : parse(value.get());
    }

    private static Resources parse(String value) {
        try {
            JsonObject annotation = JsonObject.parse(value.getBytes(StandardCharsets.UTF_8));
            if (annotation.has("resources") && annotation.object("resources").isEmpty()) {
                throw new MalformedObjectException("resources is not an object");
            }
            Map<ResourceName, Quantity> amounts = new TreeMap<>();
            annotation
                    .stringMap("resources")
                    .forEach((name, text) -> amounts.put(new ResourceName(name), quantity(name, text)));
            return Resources.ofQuantities(amounts);
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            throw new MalformedObjectException(
                    "annotation %s (%s): %s. Write it as {\"resources\":{\"cpu\":\"4\"}}"
                            .formatted(ANNOTATION, ForeignText.quote(value), malformed.getMessage()),
                    malformed);
        }
    }

    private static Quantity quantity(String name, String text) {
        Quantity quantity = Quantity.parseCapped(text);
        if (quantity.isNegative()) {
            throw new MalformedObjectException(
                    "the amount of %s (%s) is negative".formatted(ForeignText.quote(name), text));
        }
        return quantity;
    }
}
