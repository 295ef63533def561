package dev.berth.sandbox.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.FieldType;

/** Types that have a name of their own in OpenAPI, though no fields. */
enum NamedScalarSchema {
    QUANTITY("io.k8s.apimachinery.pkg.api.resource.Quantity"),
    INT_OR_STRING("io.k8s.apimachinery.pkg.util.intstr.IntOrString"),
    TIME("io.k8s.apimachinery.pkg.apis.meta.v1.Time"),
    MICRO_TIME("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime"),
    RAW_EXTENSION("io.k8s.apimachinery.pkg.runtime.RawExtension"),
    FIELDS("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"),
    JSON("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON"),
    SCHEMA_OR_ARRAY("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray"),
    SCHEMA_OR_BOOL("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool"),
    SCHEMA_OR_STRINGS("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray");

    private final String schemaName;

    NamedScalarSchema(String schemaName) {
        this.schemaName = schemaName;
    }

    static NamedScalarSchema forAlternative(FieldType.Alternative alternative) {
        return switch (alternative) {
            case ARRAY -> SCHEMA_OR_ARRAY;
            case BOOL -> SCHEMA_OR_BOOL;
            case STRINGS -> SCHEMA_OR_STRINGS;
        };
    }

    String schemaName() {
        return schemaName;
    }

    ObjectNode schema() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        return switch (this) {
            case QUANTITY -> either(schema, "string", "number");
            case INT_OR_STRING -> either(schema.put("format", "int-or-string"), "integer", "string");
            case TIME, MICRO_TIME -> schema.put("type", "string").put("format", "date-time");
            case RAW_EXTENSION, FIELDS -> schema.put("type", "object");
            case JSON, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> schema;
        };
    }

    private static ObjectNode either(ObjectNode schema, String first, String second) {
        schema.putArray("oneOf")
                .add(schema.objectNode().put("type", first))
                .add(schema.objectNode().put("type", second));
        return schema;
    }
}
