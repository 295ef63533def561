package dev.berth.kubernetes.interning;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Caches parsed quantities by text and resource names by name. */
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

    /** An existing object cannot be rejected any more: a value that is too large counts as the maximum. */
    private Quantity quantity(String text) {
        return computeIfAbsent(quantities, text, Quantity::parseCapped);
    }

    private static <T> T computeIfAbsent(Map<String, T> cache, String text, Function<String, T> make) {
        T value = cache.get(text);
        if (value == null) {
            if (cache.size() >= MAX_ENTRIES) {
                cache.clear();
            }
            value = make.apply(text);
            cache.put(text, value);
        }
        return value;
    }
}
