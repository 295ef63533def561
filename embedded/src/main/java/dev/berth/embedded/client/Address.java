package dev.berth.embedded.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.client.object.Meta;

/** Where one object is: resource, namespace (empty for cluster-scoped kinds) and name. */
public record Address(Resource resource, String namespace, String name) {

    public Address {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an address of %s needs a name".formatted(resource.plural()));
        }
        if (resource.namespaced() == namespace.isEmpty()) {
            throw new IllegalArgumentException("%s (%s) has namespace (%s), but the kind is %s"
                    .formatted(
                            resource.kind(), name, namespace, resource.namespaced() ? "namespaced" : "cluster-scoped"));
        }
    }

    public static Address of(Resource resource, JsonNode object) {
        return new Address(resource, Meta.namespace(object), Meta.name(object));
    }

    public String path() {
        return resource.path(namespace) + "/" + name;
    }

    public String path(String subresource) {
        return subresource.isEmpty() ? path() : path() + "/" + subresource;
    }

    @Override
    public String toString() {
        return resource.kind() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    }
}
