package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.sandbox.protobuf.EncodedProtobuf;
import dev.berth.sandbox.registry.SharedProtobufCodec;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;

/** Encodes complete objects in every media type. */
final class ObjectEncoder {

    private ObjectEncoder() {}

    static byte[] encode(MediaType mediaType, ObjectNode tree) {
        return switch (mediaType) {
            case JSON -> JsonText.write(tree);
            case PROTOBUF -> protobuf(tree).envelope();
            case YAML -> yaml(tree);
        };
    }

    /** An object with its own apiVersion and kind. */
    static EncodedProtobuf protobuf(ObjectNode tree) {
        GroupVersionKind gvk =
                GroupVersionKind.of(NestedFields.text(tree, "apiVersion"), NestedFields.text(tree, "kind"));
        return SharedProtobufCodec.CODEC.encode(gvk, tree);
    }

    private static byte[] yaml(ObjectNode tree) {
        try {
            return Yaml.MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written as YAML", impossible);
        }
    }

    /** Loaded on the first request for YAML. */
    private static final class Yaml {
        static final YAMLMapper MAPPER = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build();
    }
}
