package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;

/** Reads the amounts of an annotation of the form {@code {"resources":{"cpu":"4"}}}. */
final class AnnotatedAmounts {
    private AnnotatedAmounts() {}

    static Resources read(JsonObject annotation) {
        if (annotation.has("resources") && annotation.object("resources").isEmpty()) {
            throw new MalformedObjectException("resources is not an object");
        }
        Map<ResourceName, Quantity> amounts = new TreeMap<>();
        annotation
                .stringMap("resources")
                .forEach((name, text) -> amounts.put(new ResourceName(name), quantity(name, text)));
        return Resources.ofQuantities(amounts);
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
