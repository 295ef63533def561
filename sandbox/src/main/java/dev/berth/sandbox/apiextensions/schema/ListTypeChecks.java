package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Schemas of lists that are sets or maps. */
final class ListTypeChecks {
    private static final String KEYS = "x-kubernetes-list-map-keys";
    private static final String TYPE = "x-kubernetes-list-type";

    private ListTypeChecks() {}

    static void check(ObjectNode schema, FieldPath path, FieldErrorList errors) {
        String type = text(schema, TYPE);
        if (!texts(schema, KEYS).isEmpty() && !type.equals("map")) {
            String words = "must be map if " + KEYS + " is non-empty";
            if (type.isEmpty()) {
                errors.required(path.child(TYPE), words);
            } else {
                errors.invalid(path.child(TYPE), type, words);
            }
        }
        if (type.equals("map")) {
            map(schema, path, errors);
        } else if (type.equals("set")) {
            set(schema, path, errors);
        }
    }

    private static void set(ObjectNode schema, FieldPath path, FieldErrorList errors) {
        JsonNode items = at(schema, "items");
        boolean parts = text(items, "type").equals("object")
                && !text(items, "x-kubernetes-map-type").equals("atomic");
        if (parts) {
            errors.invalid(
                    path.child("items").child("x-kubernetes-map-type"),
                    GoFormat.NULL,
                    "must be atomic as item of a list with x-kubernetes-list-type=set");
        }
        String inner = text(items, TYPE);
        if (text(items, "type").equals("array") && !inner.isEmpty() && !inner.equals("atomic")) {
            errors.invalid(
                    path.child("items").child(TYPE),
                    inner,
                    "must be atomic as item of a list with x-kubernetes-list-type=set");
        }
    }

    private static void map(ObjectNode schema, FieldPath path, FieldErrorList errors) {
        List<String> keys = texts(schema, KEYS);
        if (keys.isEmpty()) {
            errors.required(path.child(KEYS), "must not be empty if x-kubernetes-list-type is map");
        }
        JsonNode items = at(schema, "items");
        if (items.isMissingNode()) {
            errors.required(path.child("items"), "must have a schema if x-kubernetes-list-type is map");
            return;
        }
        String type = text(items, "type");
        if (!type.equals("object")) {
            errors.invalid(
                    path.child("items").child("type"),
                    type,
                    "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        keys(schema, keys, path, errors);
    }

    private static void keys(ObjectNode schema, List<String> keys, FieldPath path, FieldErrorList errors) {
        FieldPath properties = path.child("items").child("properties");
        Set<String> seen = new HashSet<>();
        for (String key : keys) {
            JsonNode field = at(schema, "items", "properties", key);
            if (field.isMissingNode()) {
                errors.invalid(path.child(KEYS), at(schema, KEYS), "entries must all be names of item properties");
            } else if (List.of("array", "object").contains(text(field, "type"))) {
                errors.invalid(
                        properties.key(key).child("type"),
                        "object",
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            }
            if (!seen.add(key)) {
                errors.invalid(path.child(KEYS), at(schema, KEYS), "must not contain duplicate entries");
            }
            boolean required = texts(schema, "items", "required").contains(key);
            if (!field.isMissingNode() && !required && !has(field, "default")) {
                errors.required(
                        properties.key(key).child("default"),
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required "
                                + "property");
            }
        }
    }
}
