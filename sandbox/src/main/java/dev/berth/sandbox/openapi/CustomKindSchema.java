package dev.berth.sandbox.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.apiextensions.CustomVersion;
import dev.berth.sandbox.schema.GroupVersionKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** One version of a custom kind as OpenAPI shows it: the schema of its definition with what every object has. */
final class CustomKindSchema {

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private final CustomKind kind;
    private final CustomVersion version;
    private final GroupVersionKind gvk;

    CustomKindSchema(CustomKind kind, CustomVersion version) {
        this.kind = kind;
        this.version = version;
        this.gvk =
                new GroupVersionKind(kind.group(), version.name(), kind.names().kind());
    }

    GroupVersionKind gvk() {
        return gvk;
    }

    /** As the real server names it: {@code com.example.v1.Thing}. */
    String name() {
        return prefix() + gvk.kind();
    }

    String listName() {
        return prefix() + kind.names().listKind();
    }

    private String prefix() {
        List<String> labels = new ArrayList<>(Arrays.asList(gvk.group().split("\\.", -1)));
        Collections.reverse(labels);
        return String.join(".", labels) + "." + gvk.version() + ".";
    }

    String plural() {
        return kind.names().plural();
    }

    boolean namespaced() {
        return kind.namespaced();
    }

    boolean hasStatus() {
        return version.hasStatus();
    }

    boolean hasScale() {
        return version.scale().isPresent();
    }

    ObjectNode object() {
        ObjectNode schema = version.schema().deepCopy();
        explainIntOrString(schema);
        schema.put("type", "object");
        addTypeMeta(schema.withObjectProperty("properties"), "ObjectMeta");
        OpenApiComponents.write(gvk, schema.putArray(OpenApiComponents.GVK).addObject());
        addSelectableFields(schema);
        return schema;
    }

    ObjectNode list() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object").putArray("required").add("items");
        ObjectNode properties = schema.putObject("properties");
        addTypeMeta(properties, "ListMeta");
        properties
                .putObject("items")
                .put("type", "array")
                .putObject("items")
                .put("$ref", OpenApiComponents.reference(name()));
        OpenApiComponents.write(
                gvk.withKind(kind.names().listKind()),
                schema.putArray(OpenApiComponents.GVK).addObject());
        addSelectableFields(schema);
        return schema;
    }

    private void addSelectableFields(ObjectNode schema) {
        for (String path : version.selectableFields()) {
            schema.withArrayProperty("x-kubernetes-selectable-fields")
                    .addObject()
                    .put("fieldPath", path.startsWith(".") ? path.substring(1) : path);
        }
    }

    private static void addTypeMeta(ObjectNode properties, String metadata) {
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties.putObject("metadata").put("$ref", OpenApiComponents.reference(META + metadata));
    }

    /** Clients know two types, but not the extension. */
    private static void explainIntOrString(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.path("x-kubernetes-int-or-string").asBoolean()
                && !object.has("anyOf")
                && !object.has("allOf")) {
            object.putArray("anyOf")
                    .add(object.objectNode().put("type", "integer"))
                    .add(object.objectNode().put("type", "string"));
        }
        schema.forEach(CustomKindSchema::explainIntOrString);
    }
}
