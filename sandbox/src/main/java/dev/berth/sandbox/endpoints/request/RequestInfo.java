package dev.berth.sandbox.endpoints.request;

import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.StorageKey;

/** The parsed path of a request. Namespace, name and subresource are empty where the path has none. */
public record RequestInfo(ServedKind kind, String namespace, String name, String subresource) {

    public GroupResource groupResource() {
        return kind.groupResource();
    }

    public StorageKey key() {
        return new StorageKey(namespace, name);
    }

    public RequestInfo withName(String other) {
        return new RequestInfo(kind, namespace, other, subresource);
    }
}
