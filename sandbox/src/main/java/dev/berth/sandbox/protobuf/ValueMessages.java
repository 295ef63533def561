package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.Timestamps;
import dev.berth.sandbox.schema.value.ZeroValues;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.time.DateTimeException;
import java.time.Instant;

/** Encodes and decodes quantities, int-or-string values, times and string lists, which are messages in protobuf. */
final class ValueMessages {

    private static final int FIRST_BYTES = WrappedCodec.tag(1, ValueCodec.BYTES);
    private static final int FIRST_VARINT = WrappedCodec.tag(1, ValueCodec.VARINT);
    private static final int SECOND_VARINT = WrappedCodec.tag(2, ValueCodec.VARINT);
    private static final int THIRD_BYTES = WrappedCodec.tag(3, ValueCodec.BYTES);

    static final ValueCodec QUANTITY = new Quantity();
    static final ValueCodec INT_OR_STRING = new IntOrString();
    static final ValueCodec TIME = new Time(false);
    static final ValueCodec MICRO_TIME = new Time(true);
    static final ValueCodec STRINGS = new Strings();

    private ValueMessages() {}

    private static final class Quantity extends WrappedCodec {

        @Override
        void writeFields(JsonNode value, WireOutput out) {
            out.string(value.asText());
            out.tag(FIRST_BYTES);
        }

        @Override
        JsonNode readFields(WireInput in) throws DecodingException {
            String text = "0";
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == FIRST_BYTES) {
                    text = in.string();
                } else {
                    in.skip(tag & 7);
                }
            }
            try {
                return TextNode.valueOf(StoredQuantity.canonicalize(text));
            } catch (IllegalArgumentException e) {
                throw new DecodingException(e);
            }
        }

        @Override
        boolean writeZero(WireOutput out) {
            write(TextNode.valueOf("0"), out);
            return true;
        }
    }

    private static final class IntOrString extends WrappedCodec {

        @Override
        void writeFields(JsonNode value, WireOutput out) {
            boolean text = value.isTextual();
            out.string(text ? value.textValue() : "");
            out.tag(THIRD_BYTES);
            out.varint(text ? 0 : value.intValue());
            out.tag(SECOND_VARINT);
            out.varint(text ? 1 : 0);
            out.tag(FIRST_VARINT);
        }

        @Override
        JsonNode readFields(WireInput in) throws DecodingException {
            long type = 0;
            int number = 0;
            String text = "";
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == FIRST_VARINT) {
                    type = in.varint();
                } else if (tag == SECOND_VARINT) {
                    number = (int) in.varint();
                } else if (tag == THIRD_BYTES) {
                    text = in.string();
                } else {
                    in.skip(tag & 7);
                }
            }
            return type == 1 ? TextNode.valueOf(text) : ZeroValues.number(number);
        }

        @Override
        boolean writeZero(WireOutput out) {
            write(ZeroValues.number(0), out);
            return true;
        }
    }

    private static final class Time extends WrappedCodec {

        private final boolean micros;

        Time(boolean micros) {
            this.micros = micros;
        }

        @Override
        void writeFields(JsonNode value, WireOutput out) {
            Instant time = micros ? Timestamps.parseMicros(value.asText()) : Timestamps.parseSeconds(value.asText());
            out.varint(time.getNano());
            out.tag(SECOND_VARINT);
            out.varint(time.getEpochSecond());
            out.tag(FIRST_VARINT);
        }

        @Override
        JsonNode readFields(WireInput in) throws DecodingException {
            if (!in.hasMore()) {
                return NullNode.getInstance();
            }
            long seconds = 0;
            long nanos = 0;
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == FIRST_VARINT) {
                    seconds = in.varint();
                } else if (tag == SECOND_VARINT) {
                    nanos = in.varint();
                } else {
                    in.skip(tag & 7);
                }
            }
            return TextNode.valueOf(format(seconds, nanos));
        }

        private String format(long seconds, long nanos) throws DecodingException {
            try {
                Instant time = Instant.ofEpochSecond(seconds, nanos);
                return micros ? Timestamps.formatMicros(time) : Timestamps.formatSeconds(time);
            } catch (DateTimeException | IllegalArgumentException e) {
                throw new DecodingException(
                        "seconds (%d) and nanos (%d) are not a valid time".formatted(seconds, nanos));
            }
        }
    }

    private static final class Strings extends WrappedCodec {

        @Override
        void writeFields(JsonNode value, WireOutput out) {
            for (int i = value.size() - 1; i >= 0; i--) {
                out.string(value.get(i).asText());
                out.tag(FIRST_BYTES);
            }
        }

        @Override
        JsonNode readFields(WireInput in) throws DecodingException {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == FIRST_BYTES) {
                    list.add(in.string());
                } else {
                    in.skip(tag & 7);
                }
            }
            return list;
        }

        @Override
        boolean writeZero(WireOutput out) {
            return false;
        }
    }
}
