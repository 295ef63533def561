package dev.berth.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.schema.value.Timestamps;
import dev.berth.sandbox.schema.value.ZeroValues;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/** Generates random objects in the form of the real server from a schema and a seed. */
public final class RandomObjects {

    private static final List<String> TEXTS =
            List.of("a", "web-0", "nginx:1.27", "grüße", "世界", "🚢", "with \"quotes\"\n", "x".repeat(300));
    private static final List<String> QUANTITIES = List.of("1", "500m", "1Gi", "1.5Gi", "0.1", "3k", "12e6", "7u");
    private static final int MAX_DEPTH = 7;

    private final Random random;

    public RandomObjects(long seed) {
        this.random = new Random(seed);
    }

    public ObjectNode object(GroupVersionKind gvk, StructSchema struct) {
        ObjectNode object = struct(struct, 0);
        object.put("apiVersion", gvk.apiVersion());
        object.put("kind", gvk.kind());
        return object;
    }

    private ObjectNode struct(StructSchema struct, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        double density = random.nextDouble() / (1 + depth / 3.0);
        for (FieldSchema field : struct.jsonFields().values()) {
            if (field.number() > 0 && random.nextDouble() < density && depth < MAX_DEPTH) {
                JsonNode value = value(field.type(), depth + 1);
                if (!(field.dropsEmpty() && ZeroValues.isEmpty(value)) && !isLostInProtobuf(field, value)) {
                    object.set(field.name(), value);
                }
            }
        }
        ZeroValues.addMissing(object, struct);
        return object;
    }

    /** Protobuf cannot represent an empty list or map. It is decoded as null if JSON always has the key. */
    private static boolean isLostInProtobuf(FieldSchema field, JsonNode value) {
        return value.isContainerNode() && value.isEmpty() && !(field.type() instanceof FieldType.StructOf);
    }

    private JsonNode value(FieldType type, int depth) {
        if (type instanceof FieldType.StructOf structOf) {
            return struct(structOf.struct(), depth);
        }
        if (type instanceof FieldType.ListOf list) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            for (int i = random.nextInt(3); i >= 0; i--) {
                array.add(value(list.element(), depth));
            }
            return array;
        }
        if (type instanceof FieldType.MapOf map) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            for (int i = random.nextInt(4); i > 0; i--) {
                object.set("key-" + random.nextInt(100), value(map.value(), depth));
            }
            return object;
        }
        if (type instanceof FieldType.Union union) {
            return union(union, depth);
        }
        return scalar((FieldType.Scalar) type);
    }

    private JsonNode union(FieldType.Union union, int depth) {
        if (random.nextBoolean() && depth < MAX_DEPTH) {
            return struct(union.schema(), depth);
        }
        return switch (union.alternative()) {
            case ARRAY -> JsonNodeFactory.instance.arrayNode().add(struct(union.schema(), depth));
            case BOOL -> BooleanNode.valueOf(random.nextBoolean());
            case STRINGS -> JsonNodeFactory.instance.arrayNode().add(text()).add(text());
        };
    }

    private JsonNode scalar(FieldType.Scalar scalar) {
        return switch (scalar) {
            case STRING -> TextNode.valueOf(random.nextInt(5) == 0 ? "" : text());
            case BOOL -> BooleanNode.valueOf(random.nextBoolean());
            case INT32 -> ZeroValues.number(random.nextBoolean() ? random.nextInt(10) : random.nextInt());
            case INT64 -> ZeroValues.number(random.nextBoolean() ? random.nextInt(10) : random.nextLong());
            case FLOAT64 -> ZeroValues.number(random.nextBoolean() ? random.nextInt(10) : random.nextDouble());
            case BYTES -> TextNode.valueOf(Base64.getEncoder().encodeToString(bytes()));
            case QUANTITY ->
                TextNode.valueOf(StoredQuantity.canonicalize(QUANTITIES.get(random.nextInt(QUANTITIES.size()))));
            case INT_OR_STRING -> random.nextBoolean() ? ZeroValues.number(random.nextInt()) : TextNode.valueOf("25%");
            case TIME -> TextNode.valueOf(Timestamps.formatSeconds(Instant.ofEpochSecond(random.nextInt())));
            case MICRO_TIME ->
                TextNode.valueOf(Timestamps.formatMicros(
                        Instant.ofEpochSecond(random.nextInt(), 1000L * random.nextInt(1_000_000))));
            case RAW_EXTENSION, FIELDS, JSON ->
                JsonNodeFactory.instance
                        .objectNode()
                        .put("n", random.nextInt())
                        .put("s", text())
                        .putNull("z");
            case STRINGS -> JsonNodeFactory.instance.arrayNode().add(text());
        };
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return bytes;
    }
}
