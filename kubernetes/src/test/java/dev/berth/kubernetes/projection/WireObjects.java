package dev.berth.kubernetes.projection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.sandbox.protobuf.EncodedProtobuf;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import java.util.ArrayList;
import java.util.List;

/** Writes objects as a server does and reads them back through a projection. */
public final class WireObjects {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final ProtobufCodec PROTOBUF = new ProtobufCodec(BuiltInSchemas.load());

    private WireObjects() {}

    public static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    public static byte[] json(ObjectNode object) {
        try {
            return JSON.writeValueAsBytes(object);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    public static EncodedProtobuf protobuf(ObjectNode object) {
        return PROTOBUF.encode(kind(object), object);
    }

    public static byte[] protobufList(ObjectNode metadata, List<ObjectNode> items) {
        GroupVersionKind item = kind(items.get(0));
        return PROTOBUF.encodeList(
                GroupVersionKind.of(item.apiVersion(), item.kind() + "List"),
                metadata,
                items.stream().map(WireObjects::protobuf).toList());
    }

    public static <T> ReadResult<T> readFromJson(Projection<T> projection, ObjectNode object) {
        return read(projection, WireFormat.JSON, json(object));
    }

    public static <T> ReadResult<T> readFromProtobuf(Projection<T> projection, ObjectNode object) {
        return read(projection, WireFormat.PROTOBUF, protobuf(object).envelope());
    }

    static <T> ReadResult<T> read(Projection<T> projection, WireFormat format, byte[] body) {
        List<ReadResult<T>> readResult = new ArrayList<>();
        new StreamReaders().readObject(format, body, in -> readResult.add(projection.read(in)));
        return readResult.get(0);
    }

    private static GroupVersionKind kind(ObjectNode object) {
        return GroupVersionKind.of(
                object.path("apiVersion").asText(), object.path("kind").asText());
    }
}
