package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;

/** Checks the schema of a definition: structural, with valid defaults, and without unsupported keywords. */
public final class SchemaChecks {
    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> FORBIDDEN =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
    private static final List<String> META_FIELDS = List.of("apiVersion", "kind", "metadata");

    private final FieldErrorList errors;

    private SchemaChecks(FieldErrorList errors) {
        this.errors = errors;
    }

    /** Checks the whole schema of one version. */
    public static void check(ObjectNode schema, FieldPath path, FieldErrorList errors) {
        FieldErrorList structural = new FieldErrorList();
        StructuralChecks.check(schema, path, structural);
        if (structural.isEmpty()) {
            DefaultChecks.check(schema, path, structural);
        }
        errors.addAll(structural.list());
        new SchemaChecks(errors).node(schema, path, true, false);
    }

    private void node(JsonNode value, FieldPath path, boolean root, boolean insideMeta) {
        if (!(value instanceof ObjectNode schema)) {
            return;
        }
        words(schema, path);
        if (insideMeta && has(schema, "default")) {
            errors.forbidden(path.child("default"), "must not be set in top-level metadata");
        }
        if (flag(schema, "uniqueItems")) {
            errors.forbidden(
                    path.child("uniqueItems"),
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        boolean others = has(schema, "additionalProperties") && !flag(schema, "additionalProperties");
        if (others && !at(schema, "properties").isEmpty()) {
            errors.forbidden(
                    path.child("additionalProperties"), "additionalProperties and properties are mutual exclusive");
        }
        node(at(schema, "additionalProperties"), path.child("additionalProperties"), false, insideMeta);
        at(schema, "properties")
                .properties()
                .forEach(entry -> node(
                        entry.getValue(),
                        path.child("properties").key(entry.getKey()),
                        false,
                        insideMeta || (root && META_FIELDS.contains(entry.getKey()))));
        node(at(schema, "not"), path.child("not"), false, insideMeta);
        for (String list : List.of("allOf", "oneOf", "anyOf")) {
            path.child(list).forEachIndexed(objects(schema, list), (part, here) -> node(part, here, false, insideMeta));
        }
        node(at(schema, "items"), path.child("items"), false, insideMeta);
        extensions(schema, path);
    }

    private void words(ObjectNode schema, FieldPath path) {
        String type = text(schema, "type");
        errors.requireSupportedOrEmpty(path.child("type"), type, TYPES);
        for (String word : FORBIDDEN) {
            JsonNode value = at(schema, word);
            boolean empty = value.isObject() && value.isEmpty() && !word.equals("dependencies");
            if (!value.isMissingNode() && !empty) {
                errors.forbidden(path.child(word), word + " is not supported");
            }
        }
        if (type.equals("null")) {
            errors.forbidden(path.child("type"), "type cannot be set to null, use nullable as an alternative");
        }
        if (at(schema, "items").isArray()) {
            errors.forbidden(path.child("items"), "items must be a schema object and not an array");
        }
    }

    private void extensions(ObjectNode schema, FieldPath path) {
        JsonNode preserve = at(schema, "x-kubernetes-preserve-unknown-fields");
        if (preserve.isBoolean() && !preserve.booleanValue()) {
            errors.invalid(
                    path.child("x-kubernetes-preserve-unknown-fields"), BooleanNode.FALSE, "must be true or undefined");
        }
        typed(schema, "x-kubernetes-map-type", "object", path);
        errors.requireSupportedOrEmpty(
                path.child("x-kubernetes-map-type"),
                text(schema, "x-kubernetes-map-type"),
                List.of("atomic", "granular"));
        typed(schema, "x-kubernetes-list-type", "array", path);
        errors.requireSupportedOrEmpty(
                path.child("x-kubernetes-list-type"),
                text(schema, "x-kubernetes-list-type"),
                List.of("atomic", "set", "map"));
        ListTypeChecks.check(schema, path, errors);
        rules(schema, path.child("x-kubernetes-validations"));
    }

    private void typed(ObjectNode schema, String extension, String wanted, FieldPath path) {
        String type = text(schema, "type");
        if (!has(schema, extension) || type.equals(wanted)) {
            return;
        }
        String words = "must be " + wanted + " if " + extension + " is specified";
        if (type.isEmpty()) {
            errors.required(path.child("type"), words);
        } else {
            errors.invalid(path.child("type"), type, words);
        }
    }

    private void rules(ObjectNode schema, FieldPath path) {
        path.forEachIndexed(objects(schema, "x-kubernetes-validations"), (rule, here) -> {
            String message = text(rule, "message");
            String words = text(rule, "rule").strip();
            if (words.isEmpty()) {
                errors.required(here.child("rule"), "rule is not specified");
            } else if (has(rule, "message") && message.isBlank()) {
                errors.invalid(here.child("message"), message, "must be non-empty if specified");
            } else if (message.strip().contains("\n")) {
                errors.invalid(here.child("message"), message, "must not contain line breaks");
            } else if (words.contains("\n") && message.isBlank()) {
                errors.required(here.child("message"), "message must be specified if rule contains line breaks");
            }
        });
    }
}
