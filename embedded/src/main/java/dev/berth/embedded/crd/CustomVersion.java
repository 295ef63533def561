package dev.berth.embedded.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.schema.Defaulting;
import dev.berth.embedded.crd.schema.EmbeddedObjects;
import dev.berth.embedded.crd.schema.ListChecks;
import dev.berth.embedded.crd.schema.Pruning;
import dev.berth.embedded.crd.schema.StructuralSchema;
import dev.berth.embedded.crd.schema.ValueChecks;
import dev.berth.embedded.table.TableLayout;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;
import java.util.Optional;

/**
 * One version of a custom kind: what it demands of objects and how it shows them. A written object is
 * pruned, defaulted and validated, in this order.
 */
public final class CustomVersion {
    private final ObjectNode definition;
    private final boolean namespaced;
    private final String deprecation;
    private final StructuralSchema schema;
    private final CustomMetadata metadata;
    private final TableLayout table;

    private CustomVersion(ObjectNode definition, boolean namespaced, String apiVersionAndKind) {
        this.definition = definition;
        this.namespaced = namespaced;
        String warning = Trees.text(definition, "deprecationWarning");
        this.deprecation = warning.isEmpty() ? apiVersionAndKind + " is deprecated" : warning;
        this.schema = StructuralSchema.of(Trees.at(definition, "schema", "openAPIV3Schema"));
        this.metadata = new CustomMetadata();
        this.table = CustomColumns.layout(definition);
    }

    static CustomVersion from(ObjectNode definition, ObjectNode crd) {
        String described = Trees.text(crd, "spec", "group") + "/" + Trees.text(definition, "name") + " "
                + Trees.text(crd, "spec", "names", "kind");
        boolean namespaced = Trees.text(crd, "spec", "scope").equals("Namespaced");
        return new CustomVersion(definition.deepCopy(), namespaced, described);
    }

    public String name() {
        return Trees.text(definition, "name");
    }

    public boolean served() {
        return Trees.flag(definition, "served");
    }

    public boolean storage() {
        return Trees.flag(definition, "storage");
    }

    /** The warning that every request to a deprecated version is answered with. */
    public Optional<String> deprecationWarning() {
        return Trees.flag(definition, "deprecated") ? Optional.of(deprecation) : Optional.empty();
    }

    public boolean hasStatus() {
        return Trees.has(definition, "subresources", "status");
    }

    /** Where the scale subresource looks, if the version has one. */
    public Optional<ScalePaths> scale() {
        return Trees.object(definition, "subresources", "scale")
                .map(scale -> new ScalePaths(
                        Trees.text(scale, "specReplicasPath"),
                        Trees.text(scale, "statusReplicasPath"),
                        Trees.text(scale, "labelSelectorPath")));
    }

    /** The simple JSON paths of the fields that lists may be narrowed by. */
    public List<String> selectableFields() {
        return Trees.objects(definition, "selectableFields").stream()
                .map(field -> Trees.text(field, "jsonPath"))
                .toList();
    }

    /** The OpenAPI v3 schema as it was written; an empty object where the version has none. */
    public ObjectNode schema() {
        return Trees.object(definition, "schema", "openAPIV3Schema").orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** Removes the fields the schema does not know, and tells their paths in sorted order. */
    public List<String> prune(ObjectNode object) {
        return metadata.pruneWith(object, Pruning.prune(object, schema));
    }

    /** Fills the defaults of the schema. */
    public void applyDefaults(ObjectNode object) {
        Defaulting.apply(object, schema);
    }

    /** What is wrong with a pruned and defaulted object that is to be created. */
    public List<FieldError> validate(ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        ObjectMeta.checkNewCustom(object, namespaced, errors);
        ValueChecks.check(object, schema, errors);
        scale().ifPresent(scale -> {
            scale.checkSpec(object, errors);
            scale.checkStatus(object, errors);
        });
        EmbeddedObjects.check(object, schema, errors);
        ListChecks.check(object, schema, errors);
        return errors.list();
    }

    /** What is wrong with a pruned and defaulted object that is to replace another. */
    public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
        FieldErrors errors = new FieldErrors();
        ObjectMeta.checkAnyUpdate(before, after, namespaced, errors);
        ValueChecks.checkUpdate(before, after, schema, Path.ROOT, errors);
        scale().ifPresent(scale -> {
            scale.checkSpec(after, errors);
            scale.checkStatus(after, errors);
        });
        EmbeddedObjects.check(after, schema, errors);
        newListMistakes(before, after, errors);
        return errors.list();
    }

    /** What is wrong with a change through the status subresource. */
    public List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after) {
        FieldErrors errors = new FieldErrors();
        ObjectMeta.checkAnyUpdate(before, after, namespaced, errors);
        JsonNode status = after.path("status");
        schema.field("status")
                .filter(found -> after.has("status"))
                .ifPresent(found ->
                        ValueChecks.checkUpdate(before.path("status"), status, found, Path.of("status"), errors));
        scale().ifPresent(scale -> scale.checkStatus(after, errors));
        newListMistakes(before, after, errors);
        return errors.list();
    }

    /** Lists that were wrong before may stay so. */
    private void newListMistakes(ObjectNode before, ObjectNode after, FieldErrors errors) {
        FieldErrors old = new FieldErrors();
        ListChecks.check(before, schema, old);
        if (old.isEmpty()) {
            ListChecks.check(after, schema, errors);
        }
    }

    /** How objects are printed in this version. */
    public TableLayout table() {
        return table;
    }
}
