package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.embedded.rest.kind.Json;

/** Whole objects as bytes, in every media. */
public final class Codec {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build();

    byte[] encode(Media media, ObjectNode tree) {
        return switch (media) {
            case JSON, PROTOBUF -> Json.write(tree);
            case YAML -> yaml(tree);
        };
    }

    private static byte[] yaml(ObjectNode tree) {
        try {
            return YAML.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written as YAML", impossible);
        }
    }
}
