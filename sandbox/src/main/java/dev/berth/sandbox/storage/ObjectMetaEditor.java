package dev.berth.sandbox.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Reads and writes the {@code metadata} of object trees. What is absent reads as empty. */
public final class ObjectMetaEditor {

    private ObjectMetaEditor() {}

    public static String name(JsonNode tree) {
        return text(tree, "name");
    }

    public static String namespace(JsonNode tree) {
        return text(tree, "namespace");
    }

    public static String uid(JsonNode tree) {
        return text(tree, "uid");
    }

    public static String resourceVersion(JsonNode tree) {
        return text(tree, "resourceVersion");
    }

    public static long generation(JsonNode tree) {
        return tree.path("metadata").path("generation").asLong();
    }

    public static Map<String, String> labels(JsonNode tree) {
        return strings(tree.path("metadata").path("labels"));
    }

    public static Map<String, String> annotations(JsonNode tree) {
        return strings(tree.path("metadata").path("annotations"));
    }

    public static List<String> finalizers(JsonNode tree) {
        List<String> all = new ArrayList<>();
        tree.path("metadata").path("finalizers").forEach(each -> all.add(each.asText()));
        return all;
    }

    /** When the object was asked to go, if it was. */
    public static Optional<Instant> deletionTimestamp(JsonNode tree) {
        String text = text(tree, "deletionTimestamp");
        return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    }

    public static OptionalLong deletionGracePeriodSeconds(JsonNode tree) {
        JsonNode seconds = tree.path("metadata").path("deletionGracePeriodSeconds");
        return seconds.isNumber() ? OptionalLong.of(seconds.asLong()) : OptionalLong.empty();
    }

    /** One text field of the metadata, empty when absent. */
    public static String text(JsonNode tree, String field) {
        JsonNode value = tree.path("metadata").path(field);
        return value.isTextual() ? value.textValue() : "";
    }

    /** The metadata of a tree that is still the caller's own, made if absent. */
    public static ObjectNode mutableMetadata(ObjectNode mutable) {
        return mutable.get("metadata") instanceof ObjectNode there ? there : mutable.putObject("metadata");
    }

    /** Writes the finalizers of a tree that is still the caller's own; none leaves no field. */
    public static void setFinalizers(ObjectNode mutable, List<String> finalizers) {
        ObjectNode metadata = mutableMetadata(mutable);
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
            return;
        }
        ArrayNode array = metadata.putArray("finalizers");
        finalizers.forEach(array::add);
    }

    /** A copy whose root and metadata are the caller's own; everything below them is shared with the original. */
    public static ObjectNode shallowCopy(ObjectNode tree) {
        ObjectNode copy = tree.objectNode();
        copy.setAll(tree);
        if (tree.get("metadata") instanceof ObjectNode metadata) {
            ObjectNode mutable = tree.objectNode();
            mutable.setAll(metadata);
            copy.set("metadata", mutable);
        }
        return copy;
    }

    /** A time as Kubernetes writes it: whole seconds, UTC. */
    public static String formatTime(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    static ObjectNode withResourceVersion(ObjectNode tree, long revision) {
        ObjectNode copy = shallowCopy(tree);
        setResourceVersion(copy, revision);
        return copy;
    }

    static void setResourceVersion(ObjectNode mutable, long revision) {
        mutableMetadata(mutable).put("resourceVersion", Long.toString(revision));
    }

    private static Map<String, String> strings(JsonNode object) {
        if (!object.isObject() || object.isEmpty()) {
            return Map.of();
        }
        Map<String, String> all = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            all.put(entry.getKey(), entry.getValue().asText());
        }
        return all;
    }
}
