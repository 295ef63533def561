package dev.berth.sandbox.protobuf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.DecodingMessages;
import dev.berth.sandbox.schema.value.ExpectedKindCheck;
import dev.berth.sandbox.schema.value.ZeroValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Converts JSON trees to the protobuf of Kubernetes and back, byte for byte like Go's generated code. Thread-safe. */
public final class ProtobufCodec {

    /** The content type of bodies. Watches add {@code ;stream=watch}. */
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int FIRST = WrappedCodec.tag(1, ValueCodec.BYTES);
    private static final int SECOND = WrappedCodec.tag(2, ValueCodec.BYTES);
    /** The empty content encoding and content type of the envelope, as Go encodes them. */
    private static final byte[] ENVELOPE_END = {0x1a, 0, 0x22, 0};

    private static final int EXPECTED_SIZE = 4096;

    private final BuiltInSchemas schemas;
    private final ExpectedKindCheck expectation;
    private final Map<StructSchema, MessageCodec> messageCodecs;
    private final MessageCodec listMeta;

    public ProtobufCodec(BuiltInSchemas schemas) {
        this.schemas = schemas;
        this.expectation = new ExpectedKindCheck(schemas);
        this.messageCodecs = MessageCompiler.compile(schemas.structs().values());
        this.listMeta = schemas.struct("io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta")
                .map(this::message)
                .orElseThrow();
    }

    /** Whether the bytes start with the prefix of an envelope. */
    public static boolean isEnvelope(byte[] body) {
        return body.length >= MAGIC.length && Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Whether the kind has a protobuf encoding. Custom kinds have none. */
    public boolean supports(GroupVersionKind gvk) {
        return schemas.structOf(gvk).isPresent();
    }

    /**
     * Encodes an object, a list or a Status.
     *
     * @throws IllegalArgumentException if the kind is unknown or a value does not match the schema
     */
    public EncodedProtobuf encode(GroupVersionKind gvk, ObjectNode object) {
        MessageCodec messageCodec = schemas.structOf(gvk)
                .map(this::message)
                .orElseThrow(() -> new IllegalArgumentException("kind (%s) has no protobuf form".formatted(gvk)));
        WireOutput out = new WireOutput(EXPECTED_SIZE);
        out.raw(ENVELOPE_END);
        int before = out.size();
        messageCodec.writeFields(object, out);
        int length = out.size() - before;
        beginEnvelope(gvk, length, out);
        byte[] envelope = out.toBytes();
        return new EncodedProtobuf(envelope, envelope.length - ENVELOPE_END.length - length, length);
    }

    /**
     * Builds a list from encoded objects.
     *
     * @param listGvk  for example {@code v1 PodList}
     * @param metadata the metadata of the list: {@code resourceVersion}, {@code continue}, {@code remainingItemCount}
     */
    public byte[] encodeList(GroupVersionKind listGvk, ObjectNode metadata, List<EncodedProtobuf> items) {
        WireOutput meta = new WireOutput(128);
        listMeta.write(metadata, meta);
        meta.tag(FIRST);
        long length = meta.size();
        for (EncodedProtobuf item : items) {
            length += 1 + sizeOfVarint(item.messageLength()) + item.messageLength();
        }
        WireOutput head = new WireOutput(128);
        head.raw(meta.toBytes());
        beginEnvelope(listGvk, Math.toIntExact(length), head);
        byte[] start = head.toBytes();
        byte[] list = Arrays.copyOf(start, Math.toIntExact(start.length + length - meta.size() + ENVELOPE_END.length));
        int at = start.length;
        for (EncodedProtobuf item : items) {
            list[at++] = (byte) SECOND;
            at = item.copyMessage(list, writeVarint(item.messageLength(), list, at));
        }
        System.arraycopy(ENVELOPE_END, 0, list, at, ENVELOPE_END.length);
        return list;
    }

    /**
     * Builds a watch frame: a length of four bytes, then a WatchEvent without envelope. The event contains the object
     * with its envelope.
     */
    public static byte[] watchFrame(String type, EncodedProtobuf object) {
        byte[] name = type.getBytes(StandardCharsets.UTF_8);
        byte[] raw = object.envelope();
        int inner = 1 + sizeOfVarint(raw.length) + raw.length;
        int length = 1 + sizeOfVarint(name.length) + name.length + 1 + sizeOfVarint(inner) + inner;
        byte[] frame = new byte[4 + length];
        for (int i = 0; i < 4; i++) {
            frame[i] = (byte) (length >>> (24 - 8 * i));
        }
        frame[4] = (byte) FIRST;
        int at = writeVarint(name.length, frame, 5);
        System.arraycopy(name, 0, frame, at, name.length);
        at += name.length;
        frame[at++] = (byte) SECOND;
        at = writeVarint(inner, frame, at);
        frame[at++] = (byte) FIRST;
        at = writeVarint(raw.length, frame, at);
        System.arraycopy(raw, 0, frame, at, raw.length);
        return frame;
    }

    /**
     * Decodes a request body of the expected kind.
     *
     * @return the object in canonical form, with {@code apiVersion} and {@code kind}
     * @throws DecodingException with the real server's message for a bad request
     */
    public ObjectNode decode(byte[] body, GroupVersionKind expected) throws DecodingException {
        ObjectEnvelope envelope;
        try {
            envelope = ObjectEnvelope.read(body);
        } catch (DecodingException e) {
            throw new DecodingException(DecodingMessages.unrecognized(expected.kind(), e.message(), body));
        }
        expectation.check(envelope.apiVersion(), envelope.kind(), expected);
        try {
            return decode(envelope, expected);
        } catch (DecodingException e) {
            throw new DecodingException(
                    DecodingMessages.cannotHandle(expected.kind(), expected.version(), expected.kind(), e.message()));
        }
    }

    /** Decodes an object of the kind that the envelope names. */
    public ObjectNode decode(byte[] body) throws DecodingException {
        ObjectEnvelope envelope = ObjectEnvelope.read(body);
        GroupVersionKind gvk;
        try {
            gvk = GroupVersionKind.of(envelope.apiVersion(), envelope.kind());
        } catch (IllegalArgumentException e) {
            throw new DecodingException(e);
        }
        return decode(envelope, gvk);
    }

    private ObjectNode decode(ObjectEnvelope envelope, GroupVersionKind gvk) throws DecodingException {
        Optional<MessageCodec> messageCodec = schemas.structOf(gvk).map(this::message);
        if (messageCodec.isEmpty()) {
            throw new DecodingException(
                    "no kind \"%s\" is registered for version \"%s\"".formatted(gvk.kind(), gvk.apiVersion()));
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", gvk.apiVersion());
        object.put("kind", gvk.kind());
        messageCodec.get().readFields(envelope.message(), object);
        ZeroValues.addMissing(object, messageCodec.get().struct());
        return object;
    }

    private static void beginEnvelope(GroupVersionKind gvk, int messageLength, WireOutput out) {
        out.varint(messageLength);
        out.tag(SECOND);
        int before = out.size();
        out.string(gvk.kind());
        out.tag(SECOND);
        out.string(gvk.apiVersion());
        out.tag(FIRST);
        out.lengthSince(before);
        out.tag(FIRST);
        out.raw(MAGIC);
    }

    private static int sizeOfVarint(int value) {
        return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
    }

    private static int writeVarint(int value, byte[] target, int from) {
        int at = from;
        int rest = value;
        while (rest >= 0x80) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        return at;
    }

    private MessageCodec message(StructSchema struct) {
        return Objects.requireNonNull(messageCodecs.get(struct), struct::name);
    }
}
