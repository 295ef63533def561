package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the {@code metadata} of an API object. What is absent reads as empty. */
public final class ObjectMetaReader {
    private static final String METADATA = "metadata";

    private ObjectMetaReader() {}

    public static String name(JsonNode object) {
        return NestedFields.text(object, METADATA, "name");
    }

    /** The namespace, or the empty string for a cluster-scoped object. */
    public static String namespace(JsonNode object) {
        return NestedFields.text(object, METADATA, "namespace");
    }

    public static String uid(JsonNode object) {
        return NestedFields.text(object, METADATA, "uid");
    }

    public static String resourceVersion(JsonNode object) {
        return NestedFields.text(object, METADATA, "resourceVersion");
    }

    public static long generation(JsonNode object) {
        return NestedFields.at(object, METADATA, "generation").asLong(0);
    }

    public static Map<String, String> labels(JsonNode object) {
        return NestedFields.map(object, METADATA, "labels");
    }

    public static Map<String, String> annotations(JsonNode object) {
        return NestedFields.map(object, METADATA, "annotations");
    }

    public static Optional<String> annotation(JsonNode object, String key) {
        JsonNode value = NestedFields.at(object, METADATA, "annotations", key);
        return value.isMissingNode() ? Optional.empty() : Optional.of(value.asText(""));
    }

    /** When the deletion of the object was requested, if it was. */
    public static Optional<Instant> deletionTimestamp(JsonNode object) {
        String text = NestedFields.text(object, METADATA, "deletionTimestamp");
        return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    }

    public static OptionalLong deletionGracePeriodSeconds(JsonNode object) {
        JsonNode seconds = NestedFields.at(object, METADATA, "deletionGracePeriodSeconds");
        return seconds.isNumber() ? OptionalLong.of(seconds.asLong()) : OptionalLong.empty();
    }

    public static boolean isTerminating(JsonNode object) {
        return NestedFields.at(object, METADATA, "deletionTimestamp").isTextual();
    }

    /** When the object was created; the epoch for one that carries no time. */
    public static Instant creationTimestamp(JsonNode object) {
        return TimestampFormat.parse(NestedFields.at(object, METADATA, "creationTimestamp"))
                .orElse(Instant.EPOCH);
    }

    public static List<String> finalizers(JsonNode object) {
        List<String> found = new ArrayList<>();
        NestedFields.at(object, METADATA, "finalizers").forEach(name -> found.add(name.asText("")));
        return found;
    }

    public static List<OwnerReference> ownerReferences(JsonNode object) {
        List<OwnerReference> found = new ArrayList<>();
        NestedFields.at(object, METADATA, "ownerReferences").forEach(node -> found.add(OwnerReference.of(node)));
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
        ObjectNode reference = NestedFields.newObject();
        reference.put("kind", NestedFields.text(object, "kind"));
        if (!namespace(object).isEmpty()) {
            reference.put("namespace", namespace(object));
        }
        return reference
                .put("name", name(object))
                .put("uid", uid(object))
                .put("apiVersion", NestedFields.text(object, "apiVersion"))
                .put("resourceVersion", resourceVersion(object));
    }

    /** Kind, namespace and name for messages: {@code Pod shop/web-0}. */
    public static String displayName(JsonNode object) {
        String namespace = namespace(object);
        return NestedFields.text(object, "kind") + " " + (namespace.isEmpty() ? "" : namespace + "/") + name(object);
    }
}
