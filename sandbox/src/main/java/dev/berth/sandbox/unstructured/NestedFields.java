package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and fills trees as the API server reads its typed objects: what is missing, null or of another
 * shape reads as the empty value, and never throws. Trees that come from a server or a cache are shared: change only a
 * copy, or a tree that was created here.
 */
public final class NestedFields {
    private NestedFields() {}

    public static ObjectNode newObject() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode newArray() {
        return JsonNodeFactory.instance.arrayNode();
    }

    public static ObjectNode fromMap(Map<String, String> entries) {
        ObjectNode node = newObject();
        entries.forEach(node::put);
        return node;
    }

    /** A copy of the object at the path; a new, empty object where there is none. */
    public static ObjectNode copyOf(JsonNode root, String... path) {
        return at(root, path) instanceof ObjectNode found ? found.deepCopy() : newObject();
    }

    /** The node at the path, or a missing node. */
    public static JsonNode at(JsonNode root, String... path) {
        JsonNode node = root;
        for (String name : path) {
            node = node.path(name);
        }
        return node.isNull() ? MissingNode.getInstance() : node;
    }

    /** The text at the path, or the empty text. */
    public static String text(JsonNode root, String... path) {
        JsonNode node = at(root, path);
        return node.isTextual() ? node.textValue() : "";
    }

    /** The whole number at the path, or zero. */
    public static long number(JsonNode root, String... path) {
        JsonNode node = at(root, path);
        return node.isNumber() ? node.longValue() : 0;
    }

    /** The whole number at the path, or the default where there is none. */
    public static int intValue(JsonNode root, int defaultValue, String... path) {
        return at(root, path).asInt(defaultValue);
    }

    /** Whether the node at the path says true. */
    public static boolean flag(JsonNode root, String... path) {
        return at(root, path).asBoolean(false);
    }

    /** Whether something other than null stands at the path. */
    public static boolean has(JsonNode root, String... path) {
        return !at(root, path).isMissingNode();
    }

    /** The object at the path. */
    public static Optional<ObjectNode> object(JsonNode root, String... path) {
        return at(root, path) instanceof ObjectNode found ? Optional.of(found) : Optional.empty();
    }

    /** The elements of the list at the path, in order. */
    public static List<JsonNode> items(JsonNode root, String... path) {
        List<JsonNode> found = new ArrayList<>();
        if (at(root, path) instanceof ArrayNode array) {
            array.forEach(found::add);
        }
        return found;
    }

    /** Those elements of the list at the path that are objects, in order. */
    public static List<ObjectNode> objects(JsonNode root, String... path) {
        List<ObjectNode> found = new ArrayList<>();
        for (JsonNode item : items(root, path)) {
            if (item instanceof ObjectNode object) {
                found.add(object);
            }
        }
        return found;
    }

    /** The texts of the list at the path, in order. */
    public static List<String> texts(JsonNode root, String... path) {
        return items(root, path).stream().map(JsonNode::asText).toList();
    }

    /** The map of texts at the path, in its written order. */
    public static Map<String, String> map(JsonNode root, String... path) {
        Map<String, String> found = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : at(root, path).properties()) {
            found.put(entry.getKey(), entry.getValue().asText());
        }
        return found;
    }

    /** The object of that name inside the parent, created empty where there is none. */
    public static ObjectNode getOrCreateObject(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode found ? found : parent.putObject(name);
    }

    /** Puts the text where the parent has none or an empty one. */
    public static void setDefaultText(ObjectNode parent, String name, String value) {
        if (text(parent, name).isEmpty()) {
            parent.put(name, value);
        }
    }

    /** Puts the number where the parent has nothing. */
    public static void setDefaultNumber(ObjectNode parent, String name, long value) {
        if (!has(parent, name)) {
            putNumber(parent, name, value);
        }
    }

    /** Puts the number as the reader of JSON would have: small ones as ints, so that equal numbers are equal. */
    public static void putNumber(ObjectNode parent, String name, long value) {
        if (value == (int) value) {
            parent.put(name, (int) value);
        } else {
            parent.put(name, value);
        }
    }

    /** Whether two nodes mean the same; null and missing do. */
    public static boolean nullSafeEquals(JsonNode a, JsonNode b) {
        if (a.isNull() || a.isMissingNode()) {
            return b.isNull() || b.isMissingNode();
        }
        return a.equals(b);
    }

    /** Takes the field over from another object: set where that has it, removed where it has not. */
    public static void copyField(ObjectNode from, ObjectNode to, String name) {
        JsonNode kept = at(from, name);
        if (kept.isMissingNode()) {
            to.remove(name);
        } else {
            to.set(name, kept.deepCopy());
        }
    }

    /** Puts the flag where the parent has nothing. */
    public static void setDefaultFlag(ObjectNode parent, String name, boolean value) {
        if (!has(parent, name)) {
            parent.put(name, value);
        }
    }

    /** Puts an empty object where the parent has nothing. */
    public static void setDefaultObject(ObjectNode parent, String name) {
        if (!has(parent, name)) {
            parent.putObject(name);
        }
    }
}
