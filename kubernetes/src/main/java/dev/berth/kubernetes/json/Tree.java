package dev.berth.kubernetes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.kubernetes.cursor.MalformedObject;
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
 * A whole object of JSON, for the few that are read, changed and written back: maps, lists, texts, numbers and truth
 * values. What is null is as good as absent and left out. Never changed: {@link #with} gives another.
 */
public final class Tree {
    private static final JsonFactory FACTORY = new JsonFactory();

    public static final Tree EMPTY = new Tree(Map.of());

    /** A value that is written as null: in a merge patch it takes away what is there. */
    public static final Object NULL = new Object();

    private final Map<String, Object> root;

    private Tree(Map<String, Object> root) {
        this.root = root;
    }

    /**
     * Reads an object.
     *
     * @throws MalformedObject when the bytes are none
     */
    public static Tree read(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedObject("malformed JSON: no object");
            }
            return new Tree(object(parser));
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
        }
    }

    /**
     * Reads a list.
     *
     * @throws MalformedObject when the bytes are none
     */
    public static List<Object> readArray(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new MalformedObject("malformed JSON: no list");
            }
            List<Object> list = array(parser);
            if (parser.nextToken() != null) {
                throw new MalformedObject("malformed JSON: more follows after the list");
            }
            return list;
        } catch (IOException malformed) {
            throw JsonProblem.of(malformed);
        }
    }

    public byte[] write() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            value(out, root);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** The text at the path; empty where there is none. */
    public String text(String... path) {
        Object value = at(path);
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }

    /** The number at the path; zero where there is none. */
    public long number(String... path) {
        return at(path) instanceof Number number ? number.longValue() : 0;
    }

    /** Whether it says true at the path; otherwise where it says nothing. */
    public boolean flag(boolean otherwise, String... path) {
        return at(path) instanceof Boolean flag ? flag : otherwise;
    }

    /** The object at the path; empty where there is none, or something else. */
    public Optional<Tree> tree(String... path) {
        return at(path) instanceof Map<?, ?> map ? Optional.of(of(map)) : Optional.empty();
    }

    /** The objects of the list at the path; none where there is no list. */
    public List<Tree> trees(String... path) {
        List<Tree> trees = new ArrayList<>();
        if (at(path) instanceof List<?> list) {
            for (Object element : list) {
                if (!(element instanceof Map<?, ?> map)) {
                    throw new MalformedObject("(%s) in %s is no object".formatted(element, String.join(".", path)));
                }
                trees.add(of(map));
            }
        }
        return trees;
    }

    /** The texts of the list at the path; none where there is no list. */
    public List<String> texts(String... path) {
        return at(path) instanceof List<?> list
                ? list.stream().map(Object::toString).toList()
                : List.of();
    }

    /** The object at the path as names and texts; empty where there is none. */
    public Map<String, String> map(String... path) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (at(path) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> texts.put(name.toString(), value.toString()));
        }
        return texts;
    }

    /** For {@link #with}. */
    public Map<String, Object> toMap() {
        return Collections.unmodifiableMap(root);
    }

    static Tree of(Map<?, ?> map) {
        Map<String, Object> root = new LinkedHashMap<>();
        map.forEach((name, value) -> root.put((String) name, value));
        return new Tree(root);
    }

    public boolean has(String... path) {
        return at(path) != this;
    }

    /** The same with another value at the path; what is missing on the way is made. */
    public Tree with(Object value, String... path) {
        return new Tree(with(root, value, path, 0));
    }

    /** This tree itself stands for nothing. */
    private Object at(String... path) {
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

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                map.put(name, value(parser));
            }
        }
        return map;
    }

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
                list.add(value(parser));
            }
        }
        return list;
    }

    private static Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new MalformedObject("malformed JSON: it breaks off");
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private static void value(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName((String) entry.getKey());
                value(out, entry.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                value(out, element);
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
