package dev.berth.sandbox.schema.json;

/** The text format of a body. */
public enum BodyFormat {
    JSON,
    YAML
}
