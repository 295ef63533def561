package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON object in memory, for the few objects that are read, changed and written back: maps, lists, texts, numbers and
 * booleans. Null values are dropped. Immutable: {@link #with} returns a copy.
 */
public final class JsonObject {
    private static final JsonFactory FACTORY = new JsonFactory();

    public static final JsonObject EMPTY = new JsonObject(Map.of());

    /** Written as null: in a merge patch it removes the field. */
    public static final Object NULL = new Object();

    private final Map<String, Object> root;

    private JsonObject(Map<String, Object> root) {
        this.root = root;
    }

    /**
     * Parses an object.
     *
     * @throws MalformedObjectException if the bytes are not one
     */
    public static JsonObject parse(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedObjectException("malformed JSON: not an object");
            }
            return new JsonObject(readFields(parser));
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    /**
     * Parses an array.
     *
     * @throws MalformedObjectException if the bytes are not one
     */
    public static List<Object> parseArray(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new MalformedObjectException("malformed JSON: not a list");
            }
            List<Object> list = readElements(parser);
            if (parser.nextToken() != null) {
                throw new MalformedObjectException("malformed JSON: more follows after the list");
            }
            return list;
        } catch (IOException malformed) {
            throw JsonErrors.toMalformedObject(malformed);
        }
    }

    public byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            writeValue(out, root);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** The text at the path; empty if there is none. */
    public String text(String... path) {
        Object value = valueAt(path);
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }

    /** The number at the path; zero if there is none. */
    public long number(String... path) {
        return valueAt(path) instanceof Number number ? number.longValue() : 0;
    }

    /** The boolean at the path; {@code otherwise} if there is none. */
    public boolean flag(boolean otherwise, String... path) {
        return valueAt(path) instanceof Boolean flag ? flag : otherwise;
    }

    /** The object at the path; empty if there is none, or another type. */
    public Optional<JsonObject> object(String... path) {
        return valueAt(path) instanceof Map<?, ?> map ? Optional.of(of(map)) : Optional.empty();
    }

    /** The objects of the list at the path; none if there is no list. */
    public List<JsonObject> objects(String... path) {
        List<JsonObject> jsonObjects = new ArrayList<>();
        if (valueAt(path) instanceof List<?> list) {
            for (Object element : list) {
                if (!(element instanceof Map<?, ?> map)) {
                    throw new MalformedObjectException("(%s) in %s is not an object"
                            .formatted(ForeignText.quote(element), String.join(".", path)));
                }
                jsonObjects.add(of(map));
            }
        }
        return jsonObjects;
    }

    /** The texts of the list at the path; none if there is no list. */
    public List<String> texts(String... path) {
        return valueAt(path) instanceof List<?> list
                ? list.stream().map(Object::toString).toList()
                : List.of();
    }

    /** The object at the path as a map of texts; empty if there is none. */
    public Map<String, String> stringMap(String... path) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (valueAt(path) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> texts.put(name.toString(), value.toString()));
        }
        return texts;
    }

    /** For {@link #with}. */
    public Map<String, Object> toMap() {
        return Collections.unmodifiableMap(root);
    }

    static JsonObject of(Map<?, ?> map) {
        Map<String, Object> root = new LinkedHashMap<>();
        map.forEach((name, value) -> root.put((String) name, value));
        return new JsonObject(root);
    }

    public boolean has(String... path) {
        return valueAt(path) != this;
    }

    /** A copy with another value at the path; missing objects on the path are created. */
    public JsonObject with(Object value, String... path) {
        return new JsonObject(with(root, value, path, 0));
    }

    /** The object itself means that there is no value. */
    private Object valueAt(String... path) {
        Object value = root;
        for (String name : path) {
            Object inner = value instanceof Map<?, ?> map ? map.get(name) : null;
            if (inner == null) {
                return this;
            }
            value = inner;
        }
        return value;
    }

    private static Map<String, Object> with(Map<?, ?> map, Object value, String[] path, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((name, inner) -> copy.put((String) name, inner));
        String name = path[depth];
        if (depth == path.length - 1) {
            copy.put(name, value);
        } else {
            Map<?, ?> inner = copy.get(name) instanceof Map<?, ?> there ? there : Map.of();
            copy.put(name, with(inner, value, path, depth + 1));
        }
        return copy;
    }

    private static Map<String, Object> readFields(JsonParser parser) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                map.put(name, readValue(parser));
            }
        }
        return map;
    }

    private static List<Object> readElements(JsonParser parser) throws IOException {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
                list.add(readValue(parser));
            }
        }
        return list;
    }

    private static Object readValue(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new MalformedObjectException("malformed JSON: it ends early");
        }
        return switch (token) {
            case START_OBJECT -> readFields(parser);
            case START_ARRAY -> readElements(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private static void writeValue(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName((String) entry.getKey());
                writeValue(out, entry.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                writeValue(out, element);
            }
            out.writeEndArray();
        } else if (value == NULL) {
            out.writeNull();
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof Number number) {
            out.writeNumber(number.toString());
        } else {
            out.writeString(value.toString());
        }
    }
}
