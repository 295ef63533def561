package dev.berth.sandbox.client.informer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** The objects of a cache by a property, in the order of their keys. */
public final class Index {
    private final Function<ObjectNode, ? extends Collection<String>> keyFunction;
    private final Map<String, SortedMap<NamespacedName, ObjectNode>> entries = new HashMap<>();

    Index(Function<ObjectNode, ? extends Collection<String>> keyFunction) {
        this.keyFunction = keyFunction;
    }

    /** The objects with that value of the property; a view that changes with the cache. */
    public Collection<ObjectNode> find(String value) {
        SortedMap<NamespacedName, ObjectNode> found = entries.get(value);
        return found == null ? List.of() : found.values();
    }

    void put(NamespacedName key, ObjectNode object) {
        for (String value : keyFunction.apply(object)) {
            entries.computeIfAbsent(value, none -> new TreeMap<>()).put(key, object);
        }
    }

    void remove(NamespacedName key, ObjectNode object) {
        for (String value : keyFunction.apply(object)) {
            SortedMap<NamespacedName, ObjectNode> found = entries.get(value);
            if (found != null) {
                found.remove(key);
                if (found.isEmpty()) {
                    entries.remove(value);
                }
            }
        }
    }
}
