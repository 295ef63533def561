package dev.berth.sandbox.protobuf;

import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Creates the message codecs of all structs. */
final class MessageCompiler {

    private final Map<StructSchema, MessageCodec> messageCodecs = new HashMap<>();

    private MessageCompiler() {}

    static Map<StructSchema, MessageCodec> compile(Collection<StructSchema> structs) {
        MessageCompiler compiler = new MessageCompiler();
        structs.forEach(struct -> compiler.messageCodecs.put(struct, new MessageCodec(struct)));
        structs.forEach(struct -> compiler.messageOf(struct).define(compiler.fields(struct)));
        return compiler.messageCodecs;
    }

    private List<MessageField> fields(StructSchema struct) {
        return struct.fields().stream()
                .filter(field -> field.number() > 0)
                .sorted(Comparator.comparingInt(FieldSchema::number).reversed())
                .map(this::field)
                .toList();
    }

    private MessageField field(FieldSchema field) {
        if (field.isInline() && field.type() instanceof FieldType.StructOf inlined) {
            return new MessageField.Inlined(field, messageOf(inlined.struct()));
        }
        if (field.type() instanceof FieldType.ListOf list) {
            return new MessageField.Repeated(field, codec(list.element()));
        }
        if (field.type() instanceof FieldType.MapOf map) {
            return new MessageField.Mapped(field, codec(map.value()), ZeroValues.zeroElement(map.value()));
        }
        return new MessageField.Single(field, codec(field.type()));
    }

    private ValueCodec codec(FieldType type) {
        if (type instanceof FieldType.StructOf structOf) {
            return messageOf(structOf.struct());
        }
        if (type instanceof FieldType.Union union) {
            MessageCodec schema = messageOf(union.schema());
            return switch (union.alternative()) {
                case ARRAY -> new UnionCodec.OrList(schema, schema);
                case STRINGS -> new UnionCodec.OrList(schema, ScalarCodec.STRING);
                case BOOL -> new UnionCodec.OrBool(schema);
            };
        }
        if (type instanceof FieldType.Scalar scalar) {
            return codec(scalar);
        }
        throw new IllegalArgumentException("type (%s) has no protobuf form".formatted(type));
    }

    private static ValueCodec codec(FieldType.Scalar scalar) {
        return switch (scalar) {
            case STRING -> ScalarCodec.STRING;
            case BYTES -> ScalarCodec.BYTES_AS_BASE64;
            case BOOL -> ScalarCodec.BOOL;
            case INT32 -> ScalarCodec.INT32;
            case INT64 -> ScalarCodec.INT64;
            case FLOAT64 -> ScalarCodec.FLOAT64;
            case QUANTITY -> ValueMessages.QUANTITY;
            case INT_OR_STRING -> ValueMessages.INT_OR_STRING;
            case TIME -> ValueMessages.TIME;
            case MICRO_TIME -> ValueMessages.MICRO_TIME;
            case STRINGS -> ValueMessages.STRINGS;
            case RAW_EXTENSION, FIELDS, JSON -> RawJsonCodec.INSTANCE;
        };
    }

    private MessageCodec messageOf(StructSchema struct) {
        return Objects.requireNonNull(messageCodecs.get(struct), struct::name);
    }
}
