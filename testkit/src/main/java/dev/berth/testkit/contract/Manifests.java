package dev.berth.testkit.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** API objects as users write them. */
public final class Manifests {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON = new ObjectMapper();

    private Manifests() {}

    /** Parses YAML, or JSON, which is also YAML. */
    public static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no manifest: " + text, e);
        }
    }

    /** Parses JSON. */
    public static JsonNode json(byte[] text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException("no JSON: " + new String(text, StandardCharsets.UTF_8), e);
        }
    }

    static byte[] bytes(JsonNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + node, e);
        }
    }

    public static ObjectNode pod(String name) {
        return yaml("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                spec:
                  schedulerName: nobody
                  containers:
                  - name: main
                    image: nginx
                """.formatted(name));
    }

    public static ObjectNode configMap(String name) {
        return yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {a: b}}".formatted(name));
    }

    public static ObjectNode binding(String pod, String node) {
        return yaml(
                "{apiVersion: v1, kind: Binding, metadata: {name: %s}, target: {apiVersion: v1, kind: Node, name: %s}}"
                        .formatted(pod, node));
    }

    /** A Deployment with one replica, for a scheduler that does not exist. */
    public static ObjectNode deployment(String name) {
        return yaml("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: %1$s
                spec:
                  replicas: 1
                  selector:
                    matchLabels: {app: %1$s}
                  template:
                    metadata:
                      labels: {app: %1$s}
                    spec:
                      schedulerName: nobody
                      containers:
                      - name: main
                        image: nginx
                """.formatted(name));
    }
}
