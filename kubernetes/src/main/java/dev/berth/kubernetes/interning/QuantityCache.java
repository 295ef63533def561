package dev.berth.kubernetes.interning;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Quantities by their text and resources by their name, each parsed once. */
public final class QuantityCache {
    private static final int MAX_ENTRIES = 10_000;

    private final Map<String, Quantity> quantities = new HashMap<>();
    private final Map<String, ResourceName> names = new HashMap<>();

    /** The cursor is at an entry of a map of quantities: adds it. */
    public void readEntry(Cursor in, Map<ResourceName, Quantity> into) {
        ResourceName name = name(in.mapKey());
        String text = in.mapValueQuantity();
        try {
            into.put(name, quantity(text));
        } catch (IllegalArgumentException malformed) {
            throw new MalformedObjectException("%s: %s".formatted(name, malformed.getMessage()), malformed);
        }
    }

    private ResourceName name(String text) {
        return computeIfAbsent(names, text, ResourceName::new);
    }

    /** What exists cannot be refused any more: too much counts as more than any node has. */
    private Quantity quantity(String text) {
        return computeIfAbsent(quantities, text, Quantity::parseCapped);
    }

    private static <T> T computeIfAbsent(Map<String, T> known, String text, Function<String, T> make) {
        T value = known.get(text);
        if (value == null) {
            if (known.size() >= MAX_ENTRIES) {
                known.clear();
            }
            value = make.apply(text);
            known.put(text, value);
        }
        return value;
    }
}
