package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.value.DecodingException;
import org.jspecify.annotations.Nullable;

/** A JSON schema or an alternative: a message with one field for the schema and one for the alternative. */
final class UnionCodec {

    private UnionCodec() {}

    /** A schema or a list. */
    static final class OrList extends WrappedCodec {

        private static final int SCHEMA = tag(1, BYTES);
        private static final int ELEMENT = tag(2, BYTES);

        private final MessageCodec schema;
        private final ValueCodec element;

        OrList(MessageCodec schema, ValueCodec element) {
            this.schema = schema;
            this.element = element;
        }

        @Override
        void writeFields(JsonNode value, WireOutput out) {
            if (value instanceof ObjectNode) {
                schema.write(value, out);
                out.tag(SCHEMA);
                return;
            }
            for (int i = value.size() - 1; i >= 0; i--) {
                element.write(value.get(i), out);
                out.tag(ELEMENT);
            }
        }

        @Override
        JsonNode readFields(WireInput in) throws DecodingException {
            JsonNode value = NullNode.getInstance();
            @Nullable ArrayNode list = null;
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == SCHEMA) {
                    value = schema.read(in);
                } else if (tag == ELEMENT) {
                    list = list == null ? JsonNodeFactory.instance.arrayNode() : list;
                    list.add(element.read(in));
                } else {
                    in.skip(tag & 7);
                }
            }
            return list == null ? value : list;
        }
    }

    /** A schema or a boolean. */
    static final class OrBool extends WrappedCodec {

        private static final int ALLOWS = tag(1, VARINT);
        private static final int SCHEMA = tag(2, BYTES);

        private final MessageCodec schema;

        OrBool(MessageCodec schema) {
            this.schema = schema;
        }

        @Override
        void writeFields(JsonNode value, WireOutput out) {
            boolean isSchema = value instanceof ObjectNode;
            if (isSchema) {
                schema.write(value, out);
                out.tag(SCHEMA);
            }
            out.oneByte(isSchema || value.booleanValue() ? 1 : 0);
            out.tag(ALLOWS);
        }

        @Override
        JsonNode readFields(WireInput in) throws DecodingException {
            boolean allows = false;
            @Nullable JsonNode read = null;
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == ALLOWS) {
                    allows = in.varint() != 0;
                } else if (tag == SCHEMA) {
                    read = schema.read(in);
                } else {
                    in.skip(tag & 7);
                }
            }
            return read == null ? BooleanNode.valueOf(allows) : read;
        }
    }
}
