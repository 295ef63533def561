package dev.berth.sandbox.schema.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.DecodingMessages;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one body with its schema. An instance reads one body. */
final class TypedReader {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final JsonParser parser;
    private final StructSchema root;
    private final DecodingPath path = new DecodingPath();
    private final Set<String> problems = new LinkedHashSet<>();
    private final ScalarReader scalars;
    /** Greater than 0 inside unions. Kubernetes decodes them with custom code that ignores unknown fields. */
    private int lenientDepth;

    TypedReader(JsonParser parser, StructSchema root) {
        this.parser = parser;
        this.root = root;
        this.scalars = new ScalarReader(parser, this::mismatch);
    }

    /** Reads the object that starts at the current token. */
    ObjectNode read() throws IOException, DecodingException {
        return struct(root, NODES.objectNode());
    }

    List<String> problems() {
        return new ArrayList<>(problems);
    }

    private ObjectNode struct(StructSchema struct, ObjectNode into) throws IOException, DecodingException {
        require(JsonToken.START_OBJECT, new FieldType.StructOf(struct));
        Set<String> dropped = Set.of();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            FieldSchema field = struct.jsonFields().get(name);
            path.enter(name);
            parser.nextToken();
            if (field == null) {
                addProblem("unknown");
                parser.skipChildren();
            } else {
                if (into.get(field.name()) != null || dropped.contains(name)) {
                    addProblem("duplicate");
                }
                if (!store(field, into)) {
                    dropped = with(dropped, name);
                }
            }
            path.leave();
        }
        ZeroValues.addMissing(into, struct);
        return into;
    }

    private static Set<String> with(Set<String> names, String name) {
        Set<String> more = names.isEmpty() ? new HashSet<>() : names;
        more.add(name);
        return more;
    }

    /** Reads the current value into its field. Returns false if the value is null or empty and therefore dropped. */
    private boolean store(FieldSchema field, ObjectNode into) throws IOException, DecodingException {
        JsonNode value = parser.currentToken() == JsonToken.VALUE_NULL
                ? NullNode.getInstance()
                : value(field.type(), into.get(field.name()));
        if (value.isNull() || (field.dropsEmpty() && ZeroValues.isEmpty(value))) {
            into.remove(field.name());
            return false;
        }
        into.set(field.name(), value);
        return true;
    }

    /** Reads a value. As in Go, a duplicate object or map is merged into the first one. */
    private JsonNode value(FieldType type, @Nullable JsonNode before) throws IOException, DecodingException {
        ObjectNode target = before instanceof ObjectNode object ? object : NODES.objectNode();
        if (type instanceof FieldType.StructOf structOf) {
            return struct(structOf.struct(), target);
        }
        if (type instanceof FieldType.MapOf map) {
            return map(map, target);
        }
        if (type instanceof FieldType.ListOf list) {
            return list(list, list.element());
        }
        if (type instanceof FieldType.Union union) {
            return union(union);
        }
        FieldType.Scalar scalar = (FieldType.Scalar) type;
        return scalar == FieldType.Scalar.STRINGS ? list(type, FieldType.Scalar.STRING) : scalars.read(scalar);
    }

    private ObjectNode map(FieldType.MapOf type, ObjectNode into) throws IOException, DecodingException {
        require(JsonToken.START_OBJECT, type);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            path.enter(key);
            if (into.get(key) != null) {
                addProblem("duplicate");
            }
            parser.nextToken();
            into.set(key, element(type.value()));
            path.leave();
        }
        return into;
    }

    private ArrayNode list(FieldType type, FieldType element) throws IOException, DecodingException {
        require(JsonToken.START_ARRAY, type);
        ArrayNode list = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            path.enterElement(list.size());
            list.add(element(element));
            path.leave();
        }
        return list;
    }

    private JsonNode element(FieldType type) throws IOException, DecodingException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return ZeroValues.zeroElement(type);
        }
        return value(type, null);
    }

    private JsonNode union(FieldType.Union union) throws IOException, DecodingException {
        JsonToken token = parser.currentToken();
        lenientDepth++;
        try {
            if (token == JsonToken.START_OBJECT) {
                return struct(union.schema(), NODES.objectNode());
            }
            return switch (union.alternative()) {
                case ARRAY -> list(union, new FieldType.StructOf(union.schema()));
                case STRINGS -> list(union, FieldType.Scalar.STRING);
                case BOOL -> {
                    if (!token.isBoolean()) {
                        throw new DecodingException("boolean or JSON schema expected");
                    }
                    yield BooleanNode.valueOf(token == JsonToken.VALUE_TRUE);
                }
            };
        } finally {
            lenientDepth--;
        }
    }

    private void addProblem(String what) {
        if (lenientDepth == 0) {
            problems.add(what + " field \"" + path.withIndexes() + "\"");
        }
    }

    private void require(JsonToken expected, FieldType type) throws IOException, DecodingException {
        if (parser.currentToken() != expected) {
            throw mismatch(type, "");
        }
    }

    private DecodingException mismatch(FieldType type, String literal) {
        String token = goTypeName(parser.currentToken());
        return new DecodingException("json: cannot unmarshal %s into Go struct field %s of type %s"
                .formatted(
                        literal.isEmpty() ? token : token + " " + literal,
                        path.goStructPath(root),
                        DecodingMessages.goTypeOf(type)));
    }

    /** The name of the JSON type in Go's error messages. */
    static String goTypeName(JsonToken token) {
        return switch (token) {
            case START_OBJECT, END_OBJECT, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> "object";
            case START_ARRAY, END_ARRAY -> "array";
            case VALUE_STRING -> "string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "number";
            case VALUE_TRUE, VALUE_FALSE -> "bool";
            case VALUE_NULL -> "null";
        };
    }
}
