package dev.berth.embedded.rest.target;

import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;

/** What a path points at. Namespace, name and subresource are empty where the path has none. */
public record Target(ServedKind kind, String namespace, String name, String subresource) {

    public ResourceId resource() {
        return kind.resource();
    }

    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    public Target named(String other) {
        return new Target(kind, namespace, other, subresource);
    }
}
