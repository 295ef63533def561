package dev.berth.testkit.parity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** API objects as trees. */
final class ApiObjects {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private ApiObjects() {}

    /** An object with only its identity; cluster-scoped if the namespace is empty. */
    static ObjectNode named(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = JSON.createObjectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.put("uid", "%s-%s-%s".formatted(kind, namespace, name));
        return object;
    }

    static String kind(JsonNode object) {
        return object.path("kind").asText();
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asText();
    }

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    static byte[] bytes(JsonNode object) {
        return object.toString().getBytes(StandardCharsets.UTF_8);
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException malformed) {
            throw new UncheckedIOException("no JSON: " + json, malformed);
        }
    }

    static String yaml(JsonNode object) {
        try {
            return YAML.writeValueAsString(object);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
