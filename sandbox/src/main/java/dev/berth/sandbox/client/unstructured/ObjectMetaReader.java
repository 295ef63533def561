package dev.berth.sandbox.client.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code metadata} of an API object says. */
public final class ObjectMetaReader {
    private static final String METADATA = "metadata";

    private ObjectMetaReader() {}

    public static String name(JsonNode object) {
        return JsonFields.stringValue(object, METADATA, "name");
    }

    /** The namespace, or the empty string for a cluster-scoped object. */
    public static String namespace(JsonNode object) {
        return JsonFields.stringValue(object, METADATA, "namespace");
    }

    public static String uid(JsonNode object) {
        return JsonFields.stringValue(object, METADATA, "uid");
    }

    public static String resourceVersion(JsonNode object) {
        return JsonFields.stringValue(object, METADATA, "resourceVersion");
    }

    public static long generation(JsonNode object) {
        return JsonFields.at(object, METADATA, "generation").asLong(0);
    }

    public static Map<String, String> labels(JsonNode object) {
        return JsonFields.stringMap(object, METADATA, "labels");
    }

    public static Map<String, String> annotations(JsonNode object) {
        return JsonFields.stringMap(object, METADATA, "annotations");
    }

    public static Optional<String> annotation(JsonNode object, String key) {
        JsonNode value = JsonFields.at(object, METADATA, "annotations", key);
        return value.isMissingNode() ? Optional.empty() : Optional.of(value.asText(""));
    }

    public static boolean isTerminating(JsonNode object) {
        return JsonFields.at(object, METADATA, "deletionTimestamp").isTextual();
    }

    /** When the object was created; the epoch for one that carries no time. */
    public static Instant creationTimestamp(JsonNode object) {
        return TimestampFormat.parse(JsonFields.at(object, METADATA, "creationTimestamp"))
                .orElse(Instant.EPOCH);
    }

    public static List<String> finalizers(JsonNode object) {
        List<String> found = new ArrayList<>();
        JsonFields.at(object, METADATA, "finalizers").forEach(name -> found.add(name.asText("")));
        return found;
    }

    public static List<OwnerReference> ownerReferences(JsonNode object) {
        List<OwnerReference> found = new ArrayList<>();
        JsonFields.at(object, METADATA, "ownerReferences").forEach(node -> found.add(OwnerReference.of(node)));
        return found;
    }

    public static Optional<OwnerReference> controllerOf(JsonNode object) {
        return ownerReferences(object).stream()
                .filter(OwnerReference::controller)
                .findFirst();
    }

    public static boolean isControlledBy(JsonNode object, String ownerUid) {
        return controllerOf(object)
                .filter(owner -> owner.uid().equals(ownerUid))
                .isPresent();
    }

    /** An {@code involvedObject} or other reference to the object. */
    public static ObjectNode toObjectReference(ObjectNode object) {
        ObjectNode reference = JsonFields.object();
        reference.put("kind", JsonFields.stringValue(object, "kind"));
        if (!namespace(object).isEmpty()) {
            reference.put("namespace", namespace(object));
        }
        return reference
                .put("name", name(object))
                .put("uid", uid(object))
                .put("apiVersion", JsonFields.stringValue(object, "apiVersion"))
                .put("resourceVersion", resourceVersion(object));
    }

    /** Kind, namespace and name for messages: {@code Pod shop/web-0}. */
    public static String displayName(JsonNode object) {
        String namespace = namespace(object);
        return JsonFields.stringValue(object, "kind") + " " + (namespace.isEmpty() ? "" : namespace + "/")
                + name(object);
    }
}
