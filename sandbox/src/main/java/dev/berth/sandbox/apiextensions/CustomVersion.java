package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.schema.Defaulting;
import dev.berth.sandbox.apiextensions.schema.EmbeddedObjects;
import dev.berth.sandbox.apiextensions.schema.ListUniquenessChecks;
import dev.berth.sandbox.apiextensions.schema.Pruning;
import dev.berth.sandbox.apiextensions.schema.StructuralSchema;
import dev.berth.sandbox.apiextensions.schema.ValueChecks;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;
import java.util.Optional;

/**
 * One version of a custom kind: its validation and its columns. A written object is
 * pruned, defaulted and validated, in this order.
 */
public final class CustomVersion {
    private final ObjectNode definition;
    private final boolean namespaced;
    private final String deprecation;
    private final StructuralSchema schema;
    private final CustomObjectMeta metadata;
    private final TableConvertor tableConvertor;

    private CustomVersion(ObjectNode definition, boolean namespaced, String apiVersionAndKind) {
        this.definition = definition;
        this.namespaced = namespaced;
        String warning = NestedFields.text(definition, "deprecationWarning");
        this.deprecation = warning.isEmpty() ? apiVersionAndKind + " is deprecated" : warning;
        this.schema = StructuralSchema.of(NestedFields.at(definition, "schema", "openAPIV3Schema"));
        this.metadata = new CustomObjectMeta();
        this.tableConvertor = PrinterColumns.tableConvertor(definition);
    }

    static CustomVersion from(ObjectNode definition, ObjectNode crd) {
        String described = NestedFields.text(crd, "spec", "group") + "/" + NestedFields.text(definition, "name") + " "
                + NestedFields.text(crd, "spec", "names", "kind");
        boolean namespaced = NestedFields.text(crd, "spec", "scope").equals("Namespaced");
        return new CustomVersion(definition.deepCopy(), namespaced, described);
    }

    public String name() {
        return NestedFields.text(definition, "name");
    }

    public boolean served() {
        return NestedFields.flag(definition, "served");
    }

    public boolean storage() {
        return NestedFields.flag(definition, "storage");
    }

    /** The warning that every request to a deprecated version is answered with. */
    public Optional<String> deprecationWarning() {
        return NestedFields.flag(definition, "deprecated") ? Optional.of(deprecation) : Optional.empty();
    }

    public boolean hasStatus() {
        return NestedFields.has(definition, "subresources", "status");
    }

    /** The paths of the scale subresource, if the version has one. */
    public Optional<ScalePaths> scale() {
        return NestedFields.object(definition, "subresources", "scale")
                .map(scale -> new ScalePaths(
                        NestedFields.text(scale, "specReplicasPath"),
                        NestedFields.text(scale, "statusReplicasPath"),
                        NestedFields.text(scale, "labelSelectorPath")));
    }

    /** The simple JSON paths of the fields that field selectors may use. */
    public List<String> selectableFields() {
        return NestedFields.objects(definition, "selectableFields").stream()
                .map(field -> NestedFields.text(field, "jsonPath"))
                .toList();
    }

    /** The OpenAPI v3 schema as it was written; an empty object where the version has none. */
    public ObjectNode schema() {
        return NestedFields.object(definition, "schema", "openAPIV3Schema")
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** Removes the fields that are not in the schema, and returns their paths in sorted order. */
    public List<String> prune(ObjectNode object) {
        return metadata.pruneMetadata(object, Pruning.prune(object, schema));
    }

    /** Applies the defaults of the schema. */
    public void applyDefaults(ObjectNode object) {
        Defaulting.apply(object, schema);
    }

    /** Validates a pruned and defaulted object before it is created. */
    public List<FieldError> validate(ObjectNode object) {
        FieldErrorList errors = new FieldErrorList();
        ObjectMetaChecks.checkNewCustomObject(object, namespaced, errors);
        ValueChecks.check(object, schema, errors);
        scale().ifPresent(scale -> {
            scale.checkSpec(object, errors);
            scale.checkStatus(object, errors);
        });
        EmbeddedObjects.check(object, schema, errors);
        ListUniquenessChecks.check(object, schema, errors);
        return errors.list();
    }

    /** Validates an update with a pruned and defaulted object. */
    public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
        FieldErrorList errors = new FieldErrorList();
        ObjectMetaChecks.checkUpdateOfAnyKind(before, after, namespaced, errors);
        ValueChecks.checkUpdate(before, after, schema, FieldPath.ROOT, errors);
        scale().ifPresent(scale -> {
            scale.checkSpec(after, errors);
            scale.checkStatus(after, errors);
        });
        EmbeddedObjects.check(after, schema, errors);
        addNewListErrors(before, after, errors);
        return errors.list();
    }

    /** Validates an update through the status subresource. */
    public List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after) {
        FieldErrorList errors = new FieldErrorList();
        ObjectMetaChecks.checkUpdateOfAnyKind(before, after, namespaced, errors);
        JsonNode status = after.path("status");
        schema.field("status")
                .filter(found -> after.has("status"))
                .ifPresent(found ->
                        ValueChecks.checkUpdate(before.path("status"), status, found, FieldPath.of("status"), errors));
        scale().ifPresent(scale -> scale.checkStatus(after, errors));
        addNewListErrors(before, after, errors);
        return errors.list();
    }

    /** Lists that were invalid before the update may stay invalid. */
    private void addNewListErrors(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        FieldErrorList old = new FieldErrorList();
        ListUniquenessChecks.check(before, schema, old);
        if (old.isEmpty()) {
            ListUniquenessChecks.check(after, schema, errors);
        }
    }

    /** How objects are printed in this version. */
    public TableConvertor tableConvertor() {
        return tableConvertor;
    }
}
