package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.unstructured.ObjectMetaReader;

/** Where one object is: resource, namespace (empty for cluster-scoped kinds) and name. */
public record ObjectLocation(RestMapping restMapping, String namespace, String name) {

    public ObjectLocation {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an address of %s needs a name".formatted(restMapping.plural()));
        }
        if (restMapping.namespaced() == namespace.isEmpty()) {
            throw new IllegalArgumentException("%s (%s) has namespace (%s), but the kind is %s"
                    .formatted(
                            restMapping.kind(),
                            name,
                            namespace,
                            restMapping.namespaced() ? "namespaced" : "cluster-scoped"));
        }
    }

    public static ObjectLocation of(RestMapping restMapping, JsonNode object) {
        return new ObjectLocation(restMapping, ObjectMetaReader.namespace(object), ObjectMetaReader.name(object));
    }

    public String path() {
        return restMapping.path(namespace) + "/" + name;
    }

    public String path(String subresource) {
        return subresource.isEmpty() ? path() : path() + "/" + subresource;
    }

    @Override
    public String toString() {
        return restMapping.kind() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    }
}
