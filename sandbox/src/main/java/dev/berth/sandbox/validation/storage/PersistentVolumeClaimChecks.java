package dev.berth.sandbox.validation.storage;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.ObjectDiff;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;
import java.util.Optional;

/** Checks PersistentVolumeClaims. */
public final class PersistentVolumeClaimChecks {
    static final List<String> ACCESS_MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

    private PersistentVolumeClaimChecks() {}

    public static void claim(ObjectNode claim, FieldErrorList errors) {
        spec(at(claim, "spec"), FieldPath.of("spec"), errors);
    }

    /** Checks the claim template of an ephemeral volume. */
    public static void template(ObjectNode template, FieldPath path, FieldErrorList errors) {
        JsonNode metadata = at(template, "metadata");
        ObjectMetaChecks.checkAnnotations(
                at(metadata, "annotations"), path.child("metadata").child("annotations"), errors);
        LabelChecks.check(at(metadata, "labels"), path.child("metadata").child("labels"), errors);
        spec(at(template, "spec"), path.child("spec"), errors);
    }

    private static void spec(JsonNode spec, FieldPath path, FieldErrorList errors) {
        List<String> modes = texts(spec, "accessModes");
        if (modes.isEmpty()) {
            errors.required(path.child("accessModes"), "at least 1 access mode is required");
        }
        LabelChecks.checkSelector(at(spec, "selector"), path.child("selector"), errors);
        accessModes(modes, path.child("accessModes"), errors);
        FieldPath size = path.child("resources").key("storage");
        StoredQuantity.of(at(spec, "resources", "requests", "storage"))
                .ifPresentOrElse(amount -> positive(amount, size, errors), () -> errors.required(size));
        String storageClass = text(spec, "storageClassName");
        if (!storageClass.isEmpty()) {
            errors.invalid(path.child("storageClassName"), storageClass, NameChecks.dnsSubdomain(storageClass));
        }
        errors.requireSupportedOrEmpty(path.child("volumeMode"), text(spec, "volumeMode"), VOLUME_MODES);
        object(spec, "dataSource").ifPresent(source -> dataSource(source, path.child("dataSource"), errors));
        object(spec, "dataSourceRef").ifPresent(source -> dataSource(source, path.child("dataSourceRef"), errors));
    }

    private static void dataSource(ObjectNode source, FieldPath path, FieldErrorList errors) {
        for (String field : List.of("name", "kind")) {
            if (text(source, field).isEmpty()) {
                errors.required(path.child(field));
            }
        }
        String kind = text(source, "kind");
        if (text(source, "apiGroup").isEmpty() && !kind.equals("PersistentVolumeClaim")) {
            errors.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
        }
    }

    static void accessModes(List<String> modes, FieldPath path, FieldErrorList errors) {
        for (String mode : modes) {
            errors.requireSupportedOrEmpty(path, mode, ACCESS_MODES);
        }
        boolean single = modes.contains("ReadWriteOncePod");
        boolean other =
                modes.stream().anyMatch(mode -> ACCESS_MODES.contains(mode) && !mode.equals("ReadWriteOncePod"));
        if (single && other) {
            errors.forbidden(path, "may not use ReadWriteOncePod with other access modes");
        }
    }

    static void positive(StoredQuantity amount, FieldPath path, FieldErrorList errors) {
        if (amount.signum() <= 0) {
            errors.invalid(path, amount.toString(), "must be greater than zero");
        }
    }

    public static void claimUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectNode old = getOrCreateObject(before.deepCopy(), "spec");
        ObjectNode spec = getOrCreateObject(after.deepCopy(), "spec");
        if (text(old, "volumeName").isEmpty()) {
            copyField(spec, old, "volumeName");
        }
        if (!has(old, "storageClassName") && has(spec, "storageClassName")) {
            spec.remove("storageClassName");
        }
        if (text(after, "status", "phase").equals("Bound")) {
            copyField(
                    getOrCreateObject(getOrCreateObject(old, "resources"), "requests"),
                    getOrCreateObject(getOrCreateObject(spec, "resources"), "requests"),
                    "storage");
            copyField(old, spec, "volumeAttributesClassName");
        }
        if (!old.equals(spec)) {
            errors.forbidden(
                    FieldPath.of("spec"),
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for "
                            + "bound claims\n" + ObjectDiff.diff(old, spec));
        }
        Optional<StoredQuantity> was = StoredQuantity.of(at(before, "spec", "resources", "requests", "storage"));
        Optional<StoredQuantity> now = StoredQuantity.of(at(after, "spec", "resources", "requests", "storage"));
        Optional<StoredQuantity> capacity = StoredQuantity.of(at(before, "status", "capacity", "storage"));
        boolean shrinks = was.isPresent() && now.isPresent() && now.get().compareTo(was.get()) < 0;
        if (shrinks && capacity.map(size -> now.get().compareTo(size) <= 0).orElse(false)) {
            errors.forbidden(
                    FieldPath.of("spec", "resources", "requests", "storage"),
                    "field can not be less than status.capacity");
        }
        ObjectMetaChecks.checkUnchanged(
                at(before, "spec", "volumeMode"), at(after, "spec", "volumeMode"), FieldPath.of("volumeMode"), errors);
    }
}
