package dev.berth.sandbox.client.unstructured;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields of JSON trees by path, with the API's convention that an absent field and an empty one are the same. Trees that
 * come from a server or a mirror are shared: change only what {@link #copy} or one of the constructors here gave you.
 */
public final class JsonFields {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonFields() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    /** The node at the path below {@code from}; a missing node when any step is absent. */
    public static JsonNode at(JsonNode from, String... path) {
        JsonNode node = from;
        for (String step : path) {
            node = node.path(step);
        }
        return node;
    }

    /** The text at the path, or the empty string. */
    public static String stringValue(JsonNode from, String... path) {
        return at(from, path).asText("");
    }

    /** The whole number at the path, or {@code defaultValue} when the field is absent. */
    public static int intValue(JsonNode from, int defaultValue, String... path) {
        return at(from, path).asInt(defaultValue);
    }

    public static boolean booleanValue(JsonNode from, String... path) {
        return at(from, path).asBoolean(false);
    }

    /** The string map at the path in its own order; empty when absent. */
    public static Map<String, String> stringMap(JsonNode from, String... path) {
        JsonNode node = at(from, path);
        if (node.isEmpty()) {
            return Map.of();
        }
        Map<String, String> found = new LinkedHashMap<>();
        node.properties()
                .forEach(entry -> found.put(entry.getKey(), entry.getValue().asText("")));
        return Collections.unmodifiableMap(found);
    }

    /** The elements of the list at the path that are objects; empty when absent. */
    public static List<ObjectNode> objectList(JsonNode from, String... path) {
        JsonNode node = at(from, path);
        List<ObjectNode> found = new ArrayList<>(node.size());
        for (JsonNode element : node) {
            if (element instanceof ObjectNode object) {
                found.add(object);
            }
        }
        return found;
    }

    /** The object below {@code parent} by that name, made when it is absent; for trees the caller may change. */
    public static ObjectNode getOrCreateObject(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    public static ObjectNode fromStringMap(Map<String, String> entries) {
        ObjectNode node = object();
        entries.forEach(node::put);
        return node;
    }

    public static ObjectNode copy(ObjectNode shared) {
        return shared.deepCopy();
    }

    /** A private copy of the object at the path; a new, empty one when it is absent. */
    public static ObjectNode copyOf(JsonNode from, String... path) {
        return at(from, path) instanceof ObjectNode present ? present.deepCopy() : object();
    }

    /**
     * Whether the API would treat both as the same: an absent field, a null, an empty list and an object with nothing in
     * it are equal, and so are numbers of equal value.
     */
    public static boolean semanticallyEqual(JsonNode one, JsonNode other) {
        if (isEmptyValue(one) || isEmptyValue(other)) {
            return isEmptyValue(one) && isEmptyValue(other);
        }
        if (one.isObject() && other.isObject()) {
            return semanticallyEqualFields(one, other);
        }
        if (one.isArray() && other.isArray()) {
            return semanticallyEqualElements(one, other);
        }
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        return one.equals(other);
    }

    private static boolean isEmptyValue(JsonNode node) {
        if (node.isObject()) {
            return node.properties().stream().allMatch(field -> isEmptyValue(field.getValue()));
        }
        return node.isMissingNode() || node.isNull() || (node.isArray() && node.isEmpty());
    }

    private static boolean semanticallyEqualFields(JsonNode one, JsonNode other) {
        Set<String> names = new TreeSet<>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        return names.stream().allMatch(name -> semanticallyEqual(one.path(name), other.path(name)));
    }

    private static boolean semanticallyEqualElements(JsonNode one, JsonNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!semanticallyEqual(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Parses an object. What is no JSON object is refused with its beginning. */
    public static ObjectNode parse(byte[] bytes) {
        try {
            return asObject(MAPPER.readTree(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("not a JSON object: " + excerpt(new String(bytes, UTF_8)), e);
        }
    }

    /** Parses an object. What is no JSON object is refused with its beginning. */
    public static ObjectNode parse(String text) {
        try {
            return asObject(MAPPER.readTree(text));
        } catch (IOException e) {
            throw new UncheckedIOException("not a JSON object: " + excerpt(text), e);
        }
    }

    public static byte[] toBytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a JSON tree that cannot be written: " + e.getOriginalMessage(), e);
        }
    }

    private static ObjectNode asObject(JsonNode node) throws IOException {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new IOException("the text holds a " + node.getNodeType() + " where an OBJECT is expected");
    }

    private static String excerpt(String text) {
        return text.length() <= 120 ? text : text.substring(0, 120) + "...";
    }
}
