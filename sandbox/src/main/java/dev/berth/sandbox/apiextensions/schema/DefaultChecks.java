package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;

/** Defaults must be valid by their own schema. */
final class DefaultChecks {
    private DefaultChecks() {}

    static void check(JsonNode value, FieldPath path, FieldErrorList errors) {
        if (!(value instanceof ObjectNode schema)) {
            return;
        }
        if (has(schema, "default")) {
            checkDefault(at(schema, "default"), StructuralSchema.of(schema), path.child("default"), errors);
        }
        at(schema, "properties")
                .properties()
                .forEach(entry ->
                        check(entry.getValue(), path.child("properties").key(entry.getKey()), errors));
        check(at(schema, "items"), path.child("items"), errors);
        check(at(schema, "additionalProperties"), path.child("additionalProperties"), errors);
    }

    private static void checkDefault(JsonNode preset, StructuralSchema schema, FieldPath path, FieldErrorList errors) {
        int before = errors.size();
        if (preset instanceof ObjectNode object
                && !Pruning.pruneValue(object.deepCopy(), schema).isEmpty()) {
            errors.invalid(path, preset, "must not have unknown fields");
        }
        if (errors.size() == before) {
            ValueChecks.checkUpdate(MissingNode.getInstance(), preset, schema, path, errors);
        }
    }
}
