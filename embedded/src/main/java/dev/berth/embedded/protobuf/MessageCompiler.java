package dev.berth.embedded.protobuf;

import dev.berth.embedded.schema.FieldSchema;
import dev.berth.embedded.schema.FieldType;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.value.Zeroes;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Makes the messages of all structs ready. */
final class MessageCompiler {

    private final Map<StructSchema, Message> messages = new HashMap<>();

    private MessageCompiler() {}

    static Map<StructSchema, Message> compile(Collection<StructSchema> structs) {
        MessageCompiler compiler = new MessageCompiler();
        structs.forEach(struct -> compiler.messages.put(struct, new Message(struct)));
        structs.forEach(struct -> compiler.messageOf(struct).define(compiler.fields(struct)));
        return compiler.messages;
    }

    private List<Field> fields(StructSchema struct) {
        return struct.fields().stream()
                .filter(field -> field.number() > 0)
                .sorted(Comparator.comparingInt(FieldSchema::number).reversed())
                .map(this::field)
                .toList();
    }

    private Field field(FieldSchema field) {
        if (field.isInline() && field.type() instanceof FieldType.StructOf inlined) {
            return new Field.Inlined(field, messageOf(inlined.struct()));
        }
        if (field.type() instanceof FieldType.ListOf list) {
            return new Field.Repeated(field, codec(list.element()));
        }
        if (field.type() instanceof FieldType.MapOf map) {
            return new Field.Mapped(field, codec(map.value()), Zeroes.element(map.value()));
        }
        return new Field.Single(field, codec(field.type()));
    }

    private ValueCodec codec(FieldType type) {
        if (type instanceof FieldType.StructOf structOf) {
            return messageOf(structOf.struct());
        }
        if (type instanceof FieldType.Union union) {
            Message schema = messageOf(union.schema());
            return switch (union.alternative()) {
                case ARRAY -> new UnionCodec.OrList(schema, schema);
                case STRINGS -> new UnionCodec.OrList(schema, PlainCodec.STRING);
                case BOOL -> new UnionCodec.OrBool(schema);
            };
        }
        if (type instanceof FieldType.Scalar scalar) {
            return codec(scalar);
        }
        throw new IllegalArgumentException("type (%s) has no form in protobuf".formatted(type));
    }

    private static ValueCodec codec(FieldType.Scalar scalar) {
        return switch (scalar) {
            case STRING -> PlainCodec.STRING;
            case BYTES -> PlainCodec.BYTES_AS_BASE64;
            case BOOL -> PlainCodec.BOOL;
            case INT32 -> PlainCodec.INT32;
            case INT64 -> PlainCodec.INT64;
            case FLOAT64 -> PlainCodec.FLOAT64;
            case QUANTITY -> ValueMessages.QUANTITY;
            case INT_OR_STRING -> ValueMessages.INT_OR_STRING;
            case TIME -> ValueMessages.TIME;
            case MICRO_TIME -> ValueMessages.MICRO_TIME;
            case STRINGS -> ValueMessages.STRINGS;
            case RAW_EXTENSION, FIELDS, JSON -> RawJsonCodec.INSTANCE;
        };
    }

    private Message messageOf(StructSchema struct) {
        return Objects.requireNonNull(messages.get(struct), struct::name);
    }
}
