package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes the message of a struct. */
final class MessageCodec extends ValueCodec {

    private static final ObjectNode EMPTY = JsonNodeFactory.instance.objectNode();

    private final StructSchema struct;
    private MessageField[] descending = {};
    private @Nullable MessageField[] byNumber = {};

    MessageCodec(StructSchema struct) {
        this.struct = struct;
    }

    /** Sets the fields. The compiler calls this once all codecs exist, because messages refer to each other. */
    void define(List<MessageField> descendingFields) {
        descending = descendingFields.toArray(MessageField[]::new);
        byNumber = new @Nullable MessageField[descending.length == 0 ? 0 : descending[0].number() + 1];
        for (MessageField field : descending) {
            byNumber[field.number()] = field;
        }
    }

    @Override
    void write(JsonNode value, WireOutput out) {
        if (!(value instanceof ObjectNode object)) {
            throw new IllegalArgumentException(
                    "(%s) cannot be sent as a %s: it is not an object".formatted(value, struct.shortName()));
        }
        int before = out.size();
        writeFields(object, out);
        out.lengthSince(before);
    }

    void writeFields(ObjectNode object, WireOutput out) {
        for (MessageField field : descending) {
            field.write(object, out);
        }
    }

    @Override
    boolean writeZero(WireOutput out) {
        write(EMPTY, out);
        return true;
    }

    @Override
    JsonNode read(WireInput in) throws DecodingException {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        int outer = in.enter();
        readFields(in, object);
        in.leave(outer);
        ZeroValues.addMissing(object, struct);
        return object;
    }

    /** Reads the fields up to the end of the message. The caller adds the zero values, also for inlined messages. */
    void readFields(WireInput in, ObjectNode into) throws DecodingException {
        while (in.hasMore()) {
            int tag = in.tag();
            int number = tag >>> 3;
            MessageField field = number < byNumber.length ? byNumber[number] : null;
            if (field == null) {
                in.skip(tag & 7);
            } else {
                field.read(in, tag & 7, into);
            }
        }
    }

    StructSchema struct() {
        return struct;
    }
}
