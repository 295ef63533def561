package dev.berth.sandbox.apiextensions.schema;

import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;
import java.util.Locale;

/** Validates embedded resources: their kind and their metadata. */
public final class EmbeddedObjects {
    private EmbeddedObjects() {}

    /** Checks all embedded resources of the object. */
    public static void check(JsonNode object, StructuralSchema schema, FieldErrorList errors) {
        value(FieldPath.ROOT, object, schema, errors);
    }

    private static void value(FieldPath path, JsonNode value, StructuralSchema schema, FieldErrorList errors) {
        if (value instanceof ObjectNode object) {
            if (schema.embeddedResource()) {
                embedded(path, object, errors);
            }
            object.properties().forEach(entry -> {
                boolean own = schema.properties().containsKey(entry.getKey());
                FieldPath here = own ? path.child(entry.getKey()) : path.key(entry.getKey());
                schema.field(entry.getKey()).ifPresent(field -> value(here, entry.getValue(), field, errors));
            });
        } else if (value.isArray()) {
            schema.items().ifPresent(items -> {
                for (int i = 0; i < value.size(); i++) {
                    value(path.index(i), value.get(i), items, errors);
                }
            });
        }
    }

    private static void embedded(FieldPath path, ObjectNode object, FieldErrorList errors) {
        for (String field : List.of("apiVersion", "kind")) {
            if (!object.has(field)) {
                errors.required(path.child(field));
            } else if (!object.path(field).isTextual()) {
                errors.invalid(path.child(field), object.path(field), "must be a string");
            } else if (text(object, field).isEmpty()) {
                errors.invalid(path.child(field), "", "must not be empty");
            }
        }
        String kind = text(object, "kind");
        List<String> messages = NameChecks.dns1035Label(kind.toLowerCase(Locale.ROOT));
        if (!kind.isEmpty() && !messages.isEmpty()) {
            errors.invalid(
                    path.child("kind"),
                    kind,
                    "may have mixed case, but should otherwise match: " + String.join(",", messages));
        }
        if (object.has("metadata")) {
            ObjectMetaChecks.checkEmbedded(object.path("metadata"), path.child("metadata"), errors);
        }
    }
}
