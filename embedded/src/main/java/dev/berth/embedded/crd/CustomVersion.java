package dev.berth.embedded.crd;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.table.TableLayout;
import dev.berth.embedded.table.Tables;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import java.util.List;
import java.util.Optional;

/**
 * One version of a custom kind: what it demands of objects and how it shows them. A written object is
 * pruned, defaulted and validated, in this order.
 */
public final class CustomVersion {
    private final ObjectNode definition;

    private CustomVersion(ObjectNode definition) {
        this.definition = definition;
    }

    static CustomVersion from(ObjectNode definition) {
        return new CustomVersion(definition.deepCopy());
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
        return Optional.empty();
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

    /** The OpenAPI v3 schema as it was written; an empty object where the version has none. */
    public ObjectNode schema() {
        return Trees.object(definition, "schema", "openAPIV3Schema").orElseGet(JsonNodeFactory.instance::objectNode);
    }

    /** Removes the fields the schema does not know, and tells their paths in sorted order. */
    public List<String> prune(ObjectNode object) {
        return List.of();
    }

    /** Fills the defaults of the schema. */
    public void applyDefaults(ObjectNode object) {}

    /** What is wrong with a pruned and defaulted object that is to be created. */
    public List<FieldError> validate(ObjectNode object) {
        return List.of();
    }

    /** What is wrong with a pruned and defaulted object that is to replace another. */
    public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
        return List.of();
    }

    /** How objects are printed in this version. */
    public TableLayout table() {
        return Tables.layout("", "");
    }
}
