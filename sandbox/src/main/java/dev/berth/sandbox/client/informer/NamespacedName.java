package dev.berth.sandbox.client.informer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.Comparator;

/** Namespace and name of an object; the namespace is empty for cluster-scoped kinds. */
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {
    private static final Comparator<NamespacedName> ORDER =
            Comparator.comparing(NamespacedName::namespace).thenComparing(NamespacedName::name);

    public static NamespacedName of(JsonNode object) {
        return new NamespacedName(ObjectMetaReader.namespace(object), ObjectMetaReader.name(object));
    }

    @Override
    public int compareTo(NamespacedName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
