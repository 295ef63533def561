package dev.berth.embedded.schema.json;

/** How a body is written down. */
public enum BodyFormat {
    JSON,
    YAML
}
