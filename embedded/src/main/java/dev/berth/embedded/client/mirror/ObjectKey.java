package dev.berth.embedded.client.mirror;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.client.object.Meta;
import java.util.Comparator;

/** Namespace and name of an object; the namespace is empty for cluster-scoped kinds. */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    public static ObjectKey of(JsonNode object) {
        return new ObjectKey(Meta.namespace(object), Meta.name(object));
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
