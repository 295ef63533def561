package dev.berth.sandbox.apiextensions;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.schema.SchemaChecks;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;

/** The schemas, subresources and columns of a definition's versions; an error that all versions share is reported once. */
final class CrdVersionChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> COLUMN_FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

    private final List<ObjectNode> versions;
    private final FieldErrorList errors;

    CrdVersionChecks(List<ObjectNode> versions, FieldErrorList errors) {
        this.versions = versions;
        this.errors = errors;
    }

    /** A check of one part of a version. */
    private interface PartCheck {
        void check(ObjectNode version, FieldPath path);
    }

    void check() {
        checkPart("schema", "validation", this::schema);
        checkPart("subresources", "subresources", this::subresources);
        checkPart("additionalPrinterColumns", "additionalPrinterColumns", this::columns);
    }

    private void checkPart(String field, String shared, PartCheck check) {
        if (versions.isEmpty()) {
            return;
        }
        boolean same = versions.stream().allMatch(version -> at(version, field).equals(at(versions.get(0), field)));
        if (same) {
            check.check(versions.get(0), SPEC.child(shared));
        } else {
            SPEC.child("versions").forEachIndexed(versions, (version, here) -> check.check(version, here.child(field)));
        }
    }

    private void schema(ObjectNode version, FieldPath path) {
        object(version, "schema", "openAPIV3Schema").ifPresent(schema -> {
            FieldPath here = path.child("openAPIV3Schema");
            if (flag(schema, "nullable")) {
                errors.forbidden(here.child("nullable"), "nullable cannot be true at the root");
            }
            SchemaChecks.check(schema, here, errors);
        });
    }

    private void subresources(ObjectNode version, FieldPath path) {
        object(version, "subresources", "scale").ifPresent(scale -> {
            FieldPath here = path.child("scale");
            scalePath(scale, "specReplicasPath", List.of(".spec."), here);
            scalePath(scale, "statusReplicasPath", List.of(".status."), here);
            if (has(scale, "labelSelectorPath")) {
                scalePath(scale, "labelSelectorPath", List.of(".spec.", ".status."), here);
            }
        });
    }

    private void scalePath(ObjectNode scale, String field, List<String> roots, FieldPath path) {
        String value = text(scale, field);
        if (value.isEmpty()) {
            errors.required(path.child(field));
        } else if (!value.startsWith(".")) {
            errors.invalid(path.child(field), value, "must be a simple json path starting with .");
        } else if (roots.stream().noneMatch(value::startsWith)) {
            String words =
                    roots.size() > 1 ? "either .spec or .status" : roots.get(0).replaceAll("\\.$", "");
            errors.invalid(path.child(field), value, "should be a json path under " + words);
        }
    }

    private void columns(ObjectNode version, FieldPath path) {
        path.forEachIndexed(objects(version, "additionalPrinterColumns"), (column, here) -> {
            if (text(column, "name").isEmpty()) {
                errors.required(here.child("name"));
            }
            checkSupported(text(column, "type"), COLUMN_TYPES, here.child("type"));
            if (!text(column, "format").isEmpty()) {
                checkSupported(text(column, "format"), COLUMN_FORMATS, here.child("format"));
            }
            String jsonPath = text(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                errors.required(here.child("JSONPath"));
            } else if (!jsonPath.startsWith(".")) {
                errors.invalid(here.child("JSONPath"), jsonPath, "must be a simple json path starting with .");
            }
        });
    }

    private void checkSupported(String value, List<String> supported, FieldPath path) {
        if (value.isEmpty()) {
            errors.required(path, "must be one of " + String.join(",", supported));
        } else if (!supported.contains(value)) {
            errors.invalid(path, value, "must be one of " + String.join(",", supported));
        }
    }
}
