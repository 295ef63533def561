package dev.berth.sandbox.schema.value;

import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** The messages of the real server for bodies that it cannot decode. */
public final class DecodingMessages {

    private static final int MAX_SNIPPET = 30;

    private DecodingMessages() {}

    /** The body is well-formed, but not of the expected type. */
    public static String cannotHandle(String kind, String version, String expected, String why) {
        return "%s in version \"%s\" cannot be handled as a %s: %s".formatted(kind, version, expected, why);
    }

    /** The body does not have the format of its content type. */
    public static String unrecognized(String expected, String why, byte[] body) {
        return "the object provided is unrecognized (must be of type %s): %s (%s)"
                .formatted(expected, why, snippet(body));
    }

    private static String snippet(byte[] body) {
        if (body.length == 0) {
            return "<empty>";
        }
        byte[] head = Arrays.copyOf(body, Math.min(body.length, MAX_SNIPPET));
        String shown = head[0] == '{'
                ? new String(head, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(head);
        return body.length > MAX_SNIPPET ? shown + " ..." : shown;
    }

    /** The Go type of a field, as far as the schema describes it. */
    public static String goTypeOf(FieldType type) {
        if (type instanceof FieldType.ListOf list) {
            return "[]" + goTypeOf(list.element());
        }
        if (type instanceof FieldType.MapOf map) {
            return map.value() == FieldType.Scalar.QUANTITY ? "v1.ResourceList" : "map[string]" + goTypeOf(map.value());
        }
        if (type instanceof FieldType.StructOf structOf) {
            return goTypeOf(structOf.struct());
        }
        return type instanceof FieldType.Scalar scalar ? goTypeOf(scalar) : "v1.JSONSchemaProps";
    }

    private static String goTypeOf(StructSchema struct) {
        String name = struct.name();
        int version = name.lastIndexOf('.', name.lastIndexOf('.') - 1);
        return name.substring(version + 1);
    }

    private static String goTypeOf(FieldType.Scalar scalar) {
        return switch (scalar) {
            case STRING, TIME, MICRO_TIME, QUANTITY -> "string";
            case BOOL -> "bool";
            case INT32, INT_OR_STRING -> "int32";
            case INT64 -> "int64";
            case FLOAT64 -> "float64";
            case BYTES -> "[]uint8";
            case STRINGS -> "[]string";
            case RAW_EXTENSION, FIELDS, JSON -> "object";
        };
    }
}
