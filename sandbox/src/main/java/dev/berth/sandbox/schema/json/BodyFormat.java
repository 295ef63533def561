package dev.berth.sandbox.schema.json;

/** How a body is written down. */
public enum BodyFormat {
    JSON,
    YAML
}
