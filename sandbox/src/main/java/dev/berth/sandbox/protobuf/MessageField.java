package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes one field of a message. */
abstract class MessageField {

    final String name;
    final int tag;

    MessageField(FieldSchema schema, int wireType) {
        this.name = schema.name();
        this.tag = WrappedCodec.tag(schema.number(), wireType);
    }

    final int number() {
        return tag >>> 3;
    }

    /** Writes the field of the owner. As in Go, an absent field that is not a pointer is written as zero value. */
    abstract void write(ObjectNode owner, WireOutput out);

    /** Reads the value after the tag into the owner. */
    abstract void read(WireInput in, int wireType, ObjectNode owner) throws DecodingException;

    final void require(int expected, int found) throws DecodingException {
        if (expected != found) {
            throw new DecodingException("proto: wrong wireType = %d for field %s".formatted(found, name));
        }
    }

    /** A field with one value. */
    static final class Single extends MessageField {

        private final ValueCodec codec;
        private final boolean pointer;
        private final boolean dropsEmpty;

        Single(FieldSchema schema, ValueCodec codec) {
            super(schema, codec.wireType());
            this.codec = codec;
            this.pointer = schema.isPointer();
            this.dropsEmpty = schema.dropsEmpty();
        }

        @Override
        void write(ObjectNode owner, WireOutput out) {
            JsonNode value = owner.get(name);
            if (value != null && !value.isNull()) {
                codec.write(value, out);
                out.tag(tag);
            } else if (!pointer && codec.writeZero(out)) {
                out.tag(tag);
            }
        }

        @Override
        void read(WireInput in, int wireType, ObjectNode owner) throws DecodingException {
            require(codec.wireType(), wireType);
            JsonNode value = codec.read(in);
            if (!value.isNull() && !(dropsEmpty && ZeroValues.isEmpty(value))) {
                owner.set(name, value);
            }
        }
    }

    /** A list: one field for each element. */
    static final class Repeated extends MessageField {

        private final ValueCodec element;

        Repeated(FieldSchema schema, ValueCodec element) {
            super(schema, element.wireType());
            this.element = element;
        }

        @Override
        void write(ObjectNode owner, WireOutput out) {
            JsonNode list = owner.get(name);
            if (list == null) {
                return;
            }
            for (int i = list.size() - 1; i >= 0; i--) {
                element.write(list.get(i), out);
                out.tag(tag);
            }
        }

        @Override
        void read(WireInput in, int wireType, ObjectNode owner) throws DecodingException {
            ArrayNode list = owner.get(name) instanceof ArrayNode before ? before : owner.putArray(name);
            if (wireType == ValueCodec.BYTES && element.wireType() != ValueCodec.BYTES) {
                int outer = in.enter();
                while (in.hasMore()) {
                    list.add(element.read(in));
                }
                in.leave(outer);
                return;
            }
            require(element.wireType(), wireType);
            list.add(element.read(in));
        }
    }

    /** A map: one entry message for each key, in sorted order. */
    static final class Mapped extends MessageField {

        private static final int KEY = WrappedCodec.tag(1, ValueCodec.BYTES);

        private final ValueCodec value;
        private final int valueTag;
        private final JsonNode absent;

        Mapped(FieldSchema schema, ValueCodec value, JsonNode absent) {
            super(schema, ValueCodec.BYTES);
            this.value = value;
            this.valueTag = WrappedCodec.tag(2, value.wireType());
            this.absent = absent;
        }

        @Override
        void write(ObjectNode owner, WireOutput out) {
            JsonNode map = owner.get(name);
            if (map == null || map.isEmpty()) {
                return;
            }
            List<String> keys = new ArrayList<>(map.size());
            map.fieldNames().forEachRemaining(keys::add);
            Collections.sort(keys);
            for (int i = keys.size() - 1; i >= 0; i--) {
                int before = out.size();
                value.write(map.get(keys.get(i)), out);
                out.tag(valueTag);
                out.string(keys.get(i));
                out.tag(KEY);
                out.lengthSince(before);
                out.tag(tag);
            }
        }

        @Override
        void read(WireInput in, int wireType, ObjectNode owner) throws DecodingException {
            require(ValueCodec.BYTES, wireType);
            ObjectNode map = owner.get(name) instanceof ObjectNode before ? before : owner.putObject(name);
            int outer = in.enter();
            String key = "";
            @Nullable JsonNode read = null;
            while (in.hasMore()) {
                int entryTag = in.tag();
                if (entryTag == KEY) {
                    key = in.string();
                } else if (entryTag == valueTag) {
                    read = value.read(in);
                } else {
                    in.skip(entryTag & 7);
                }
            }
            in.leave(outer);
            map.set(key, read == null ? absent.deepCopy() : read);
        }
    }

    /** An inlined message: in JSON, its fields are fields of the owner. */
    static final class Inlined extends MessageField {

        private final MessageCodec messageCodec;

        Inlined(FieldSchema schema, MessageCodec messageCodec) {
            super(schema, ValueCodec.BYTES);
            this.messageCodec = messageCodec;
        }

        @Override
        void write(ObjectNode owner, WireOutput out) {
            messageCodec.write(owner, out);
            out.tag(tag);
        }

        @Override
        void read(WireInput in, int wireType, ObjectNode owner) throws DecodingException {
            require(ValueCodec.BYTES, wireType);
            int outer = in.enter();
            messageCodec.readFields(in, owner);
            in.leave(outer);
        }
    }
}
