package dev.berth.kubernetes.projection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.embedded.protobuf.EncodedObject;
import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import java.util.ArrayList;
import java.util.List;

/** Writes objects as a server does and reads them back through a projection. */
public final class Wire {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final ProtobufCodec PROTOBUF = new ProtobufCodec(BuiltInSchemas.load());

    private Wire() {}

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

    public static EncodedObject protobuf(ObjectNode object) {
        return PROTOBUF.encode(kind(object), object);
    }

    public static byte[] protobufList(ObjectNode metadata, List<ObjectNode> items) {
        GroupVersionKind item = kind(items.get(0));
        return PROTOBUF.encodeList(
                GroupVersionKind.of(item.apiVersion(), item.kind() + "List"),
                metadata,
                items.stream().map(Wire::protobuf).toList());
    }

    public static <T> Seen<T> throughJson(Projection<T> projection, ObjectNode object) {
        return read(projection, Format.JSON, json(object));
    }

    public static <T> Seen<T> throughProtobuf(Projection<T> projection, ObjectNode object) {
        return read(projection, Format.PROTOBUF, protobuf(object).envelope());
    }

    static <T> Seen<T> read(Projection<T> projection, Format format, byte[] body) {
        List<Seen<T>> seen = new ArrayList<>();
        new Readers().object(format, body, in -> seen.add(projection.read(in)));
        return seen.get(0);
    }

    private static GroupVersionKind kind(ObjectNode object) {
        return GroupVersionKind.of(
                object.path("apiVersion").asText(), object.path("kind").asText());
    }
}
