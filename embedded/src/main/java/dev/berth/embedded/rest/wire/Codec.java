package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.embedded.protobuf.EncodedObject;
import dev.berth.embedded.rest.kind.Json;
import dev.berth.embedded.rest.kind.Protobuf;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.tree.Trees;

/** Whole objects as bytes, in every media. */
final class Codec {

    private Codec() {}

    static byte[] encode(Media media, ObjectNode tree) {
        return switch (media) {
            case JSON -> Json.write(tree);
            case PROTOBUF -> protobuf(tree).envelope();
            case YAML -> yaml(tree);
        };
    }

    /** An object that says itself what it is. */
    static EncodedObject protobuf(ObjectNode tree) {
        GroupVersionKind gvk = GroupVersionKind.of(Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"));
        return Protobuf.CODEC.encode(gvk, tree);
    }

    private static byte[] yaml(ObjectNode tree) {
        try {
            return Yaml.MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written as YAML", impossible);
        }
    }

    /** Loaded when somebody first wants YAML, which few do. */
    private static final class Yaml {
        static final YAMLMapper MAPPER = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build();
    }
}
