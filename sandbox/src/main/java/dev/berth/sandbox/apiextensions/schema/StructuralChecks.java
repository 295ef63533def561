package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A structural schema defines the type of every value once, outside of allOf, anyOf, oneOf and not. These only
 * restrict it further.
 */
final class StructuralChecks {
    private static final JsonNode INT_OR_STRING = JsonNodeFactory.instance
            .arrayNode()
            .add(JsonNodeFactory.instance.objectNode().put("type", "integer"))
            .add(JsonNodeFactory.instance.objectNode().put("type", "string"));

    private static final Map<String, String> FORBIDDEN_NESTED = Map.of(
            "additionalProperties", "must be undefined to be structural",
            "default", "must be undefined to be structural",
            "title", "must be empty to be structural",
            "description", "must be empty to be structural",
            "x-kubernetes-list-map-keys", "must be empty to be structural",
            "x-kubernetes-list-type", "must be undefined to be structural",
            "x-kubernetes-map-type", "must be undefined to be structural",
            "x-kubernetes-validations", "must be empty to be structural");
    private static final Set<String> FALSE_NESTED = Set.of(
            "nullable",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string");
    private static final Set<String> OBJECT_NAMES = Set.of("name", "generateName");

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String words;

        Level(String words) {
            this.words = words;
        }
    }

    private final FieldErrorList errors;

    private StructuralChecks(FieldErrorList errors) {
        this.errors = errors;
    }

    static void check(ObjectNode schema, FieldPath path, FieldErrorList errors) {
        new StructuralChecks(errors).node(schema, Level.ROOT, path);
        new StructuralChecks(errors).complete(schema, schema, path, path);
    }

    private void node(JsonNode value, Level level, FieldPath path) {
        if (!(value instanceof ObjectNode schema)) {
            return;
        }
        String type = text(schema, "type");
        if (type.equals("array") && !has(schema, "items")) {
            errors.required(path.child("items"), "must be specified");
        }
        node(at(schema, "items"), Level.ITEM, path.child("items"));
        at(schema, "properties")
                .properties()
                .forEach(entry -> node(
                        entry.getValue(), Level.FIELD, path.child("properties").key(entry.getKey())));
        if (has(schema, "additionalProperties") && level == Level.ROOT) {
            errors.forbidden(path.child("additionalProperties"), "must not be used at the root");
        }
        node(at(schema, "additionalProperties"), Level.FIELD, path.child("additionalProperties"));
        combinations(schema, isIntOrString(schema, "anyOf"), path);
        type(schema, type, level, path);
        extensions(schema, path);
        metaFields(schema, level, path);
    }

    private void type(ObjectNode schema, String type, Level level, FieldPath path) {
        boolean embedded = flag(schema, "x-kubernetes-embedded-resource");
        if (embedded && !type.equals("object")) {
            String words = "must be object if x-kubernetes-embedded-resource is true";
            if (type.isEmpty()) {
                errors.required(path.child("type"), words);
            } else {
                errors.invalid(path.child("type"), type, words);
            }
        } else if (type.isEmpty()
                && !flag(schema, "x-kubernetes-int-or-string")
                && !flag(schema, "x-kubernetes-preserve-unknown-fields")) {
            errors.required(path.child("type"), "must not be empty " + level.words);
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            errors.invalid(path.child("type"), type, "must be object at the root");
        }
    }

    private void extensions(ObjectNode schema, FieldPath path) {
        boolean embedded = flag(schema, "x-kubernetes-embedded-resource");
        if (flag(schema, "x-kubernetes-int-or-string")) {
            for (String other : List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
                if (flag(schema, other)) {
                    errors.invalid(
                            path.child(other), BooleanNode.TRUE, "must be false if x-kubernetes-int-or-string is true");
                }
            }
        }
        if (embedded && has(schema, "additionalProperties")) {
            errors.forbidden(
                    path.child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set");
        }
        boolean preserves = flag(schema, "x-kubernetes-preserve-unknown-fields");
        if (embedded && !preserves && at(schema, "properties").isEmpty()) {
            errors.required(
                    path.child("properties"),
                    "must not be empty if x-kubernetes-embedded-resource is true without "
                            + "x-kubernetes-preserve-unknown-fields");
        }
    }

    private void metaFields(ObjectNode schema, Level level, FieldPath path) {
        boolean checked = level == Level.ROOT || flag(schema, "x-kubernetes-embedded-resource");
        FieldPath properties = path.child("properties");
        for (String field : List.of("kind", "apiVersion")) {
            String type = text(schema, "properties", field, "type");
            if (checked && has(schema, "properties", field) && !type.equals("string")) {
                errors.invalid(properties.key(field).child("type"), type, "must be string");
            }
        }
        if (!(at(schema, "properties", "metadata") instanceof ObjectNode metadata)) {
            return;
        }
        FieldPath here = properties.key("metadata");
        String type = text(metadata, "type");
        if (checked && !type.equals("object")) {
            errors.invalid(here.child("type"), type, "must be object");
        }
        if (level == Level.ROOT && saysMoreThanNames(metadata)) {
            errors.forbidden(
                    here,
                    "must not specify anything other than name and generateName, but metadata is implicitly specified");
        }
    }

    private static boolean saysMoreThanNames(ObjectNode metadata) {
        ObjectNode rest = metadata.deepCopy();
        rest.remove(List.of("type", "default", "description"));
        boolean onlyNames = true;
        for (Map.Entry<String, JsonNode> entry : at(rest, "properties").properties()) {
            onlyNames &= OBJECT_NAMES.contains(entry.getKey());
        }
        if (onlyNames) {
            rest.remove("properties");
        }
        return !rest.isEmpty();
    }

    private static boolean isIntOrString(JsonNode schema, String field) {
        return at(schema, field).equals(INT_OR_STRING);
    }

    private void combinations(ObjectNode schema, boolean skipAnyOf, FieldPath path) {
        if (!skipAnyOf) {
            path.child("anyOf").forEachIndexed(objects(schema, "anyOf"), (part, here) -> nested(part, false, here));
        }
        List<ObjectNode> all = objects(schema, "allOf");
        for (int i = 0; i < all.size(); i++) {
            boolean skip = i == 0 && isIntOrString(all.get(i), "anyOf");
            nested(all.get(i), skip, path.child("allOf").index(i));
        }
        path.child("oneOf").forEachIndexed(objects(schema, "oneOf"), (part, here) -> nested(part, false, here));
        nested(at(schema, "not"), false, path.child("not"));
        String pattern = text(schema, "pattern");
        if (!pattern.isEmpty() && GoPattern.compile(pattern).isEmpty()) {
            errors.invalid(
                    path.child("pattern"),
                    pattern,
                    "must be a valid regular expression, but isn't: " + GoPattern.errorMessage(pattern));
        }
    }

    private void nested(JsonNode value, boolean skipAnyOf, FieldPath path) {
        if (!(value instanceof ObjectNode schema)) {
            return;
        }
        combinations(schema, skipAnyOf, path);
        nested(at(schema, "items"), false, path.child("items"));
        at(schema, "properties")
                .properties()
                .forEach(entry ->
                        nested(entry.getValue(), false, path.child("properties").key(entry.getKey())));
        if (!text(schema, "type").isEmpty()) {
            errors.forbidden(path.child("type"), "must be empty to be structural");
        }
        FORBIDDEN_NESTED.forEach((word, message) -> {
            if (has(schema, word)) {
                errors.forbidden(path.child(word), message);
            }
        });
        FALSE_NESTED.forEach(word -> {
            if (flag(schema, word)) {
                errors.forbidden(path.child(word), "must be false to be structural");
            }
        });
        if (has(schema, "properties", "metadata")) {
            errors.forbidden(path.child("properties").key("metadata"), "must not be specified in a nested context");
        }
    }

    /** A field inside a combination must also be defined outside of it. */
    private void complete(JsonNode part, JsonNode schema, FieldPath there, FieldPath here) {
        for (String list : List.of("allOf", "anyOf", "oneOf")) {
            here.child(list).forEachIndexed(objects(part, list), (each, at) -> covered(each, schema, there, at));
        }
        if (has(part, "not")) {
            covered(at(part, "not"), schema, there, here.child("not"));
        }
    }

    private void covered(JsonNode part, JsonNode schema, FieldPath there, FieldPath here) {
        complete(part, schema, there, here);
        if (has(part, "items")) {
            inside(at(part, "items"), at(schema, "items"), there.child("items"), here.child("items"));
        }
        at(part, "properties")
                .properties()
                .forEach(entry -> inside(
                        entry.getValue(),
                        at(schema, "properties", entry.getKey()),
                        there.child("properties").key(entry.getKey()),
                        here.child("properties").key(entry.getKey())));
    }

    private void inside(JsonNode part, JsonNode schema, FieldPath there, FieldPath here) {
        if (schema.isMissingNode()) {
            errors.required(there, "because it is defined in " + here);
        } else {
            covered(part, schema, there, here);
        }
    }
}
