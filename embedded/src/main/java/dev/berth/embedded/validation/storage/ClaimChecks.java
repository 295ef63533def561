package dev.berth.embedded.validation.storage;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.keep;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Quantity;
import dev.berth.embedded.validation.Differences;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;
import java.util.Optional;

/** Claims on volumes. */
public final class ClaimChecks {
    static final List<String> ACCESS_MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

    private ClaimChecks() {}

    public static void claim(ObjectNode claim, FieldErrors errors) {
        spec(at(claim, "spec"), Path.of("spec"), errors);
    }

    /** A claim that is made together with a pod. */
    public static void template(ObjectNode template, Path path, FieldErrors errors) {
        JsonNode metadata = at(template, "metadata");
        ObjectMeta.checkAnnotations(
                at(metadata, "annotations"), path.child("metadata").child("annotations"), errors);
        Labels.check(at(metadata, "labels"), path.child("metadata").child("labels"), errors);
        spec(at(template, "spec"), path.child("spec"), errors);
    }

    private static void spec(JsonNode spec, Path path, FieldErrors errors) {
        List<String> modes = texts(spec, "accessModes");
        if (modes.isEmpty()) {
            errors.required(path.child("accessModes"), "at least 1 access mode is required");
        }
        Labels.checkSelector(at(spec, "selector"), path.child("selector"), errors);
        accessModes(modes, path.child("accessModes"), errors);
        Path size = path.child("resources").key("storage");
        Quantity.of(at(spec, "resources", "requests", "storage"))
                .ifPresentOrElse(amount -> positive(amount, size, errors), () -> errors.required(size));
        String storageClass = text(spec, "storageClassName");
        if (!storageClass.isEmpty()) {
            errors.invalid(path.child("storageClassName"), storageClass, Names.subdomain(storageClass));
        }
        errors.oneOfOrNone(path.child("volumeMode"), text(spec, "volumeMode"), VOLUME_MODES);
        object(spec, "dataSource").ifPresent(source -> dataSource(source, path.child("dataSource"), errors));
        object(spec, "dataSourceRef").ifPresent(source -> dataSource(source, path.child("dataSourceRef"), errors));
    }

    private static void dataSource(ObjectNode source, Path path, FieldErrors errors) {
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

    static void accessModes(List<String> modes, Path path, FieldErrors errors) {
        for (String mode : modes) {
            errors.oneOfOrNone(path, mode, ACCESS_MODES);
        }
        boolean single = modes.contains("ReadWriteOncePod");
        boolean other =
                modes.stream().anyMatch(mode -> ACCESS_MODES.contains(mode) && !mode.equals("ReadWriteOncePod"));
        if (single && other) {
            errors.forbidden(path, "may not use ReadWriteOncePod with other access modes");
        }
    }

    static void positive(Quantity amount, Path path, FieldErrors errors) {
        if (amount.signum() <= 0) {
            errors.invalid(path, amount.toString(), "must be greater than zero");
        }
    }

    public static void claimUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectNode old = child(before.deepCopy(), "spec");
        ObjectNode spec = child(after.deepCopy(), "spec");
        if (text(old, "volumeName").isEmpty()) {
            keep(spec, old, "volumeName");
        }
        if (!has(old, "storageClassName") && has(spec, "storageClassName")) {
            spec.remove("storageClassName");
        }
        if (text(after, "status", "phase").equals("Bound")) {
            keep(child(child(old, "resources"), "requests"), child(child(spec, "resources"), "requests"), "storage");
            keep(old, spec, "volumeAttributesClassName");
        }
        if (!old.equals(spec)) {
            errors.forbidden(
                    Path.of("spec"),
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for "
                            + "bound claims\n" + Differences.between(old, spec));
        }
        Optional<Quantity> was = Quantity.of(at(before, "spec", "resources", "requests", "storage"));
        Optional<Quantity> now = Quantity.of(at(after, "spec", "resources", "requests", "storage"));
        Optional<Quantity> capacity = Quantity.of(at(before, "status", "capacity", "storage"));
        boolean shrinks = was.isPresent() && now.isPresent() && now.get().compareTo(was.get()) < 0;
        if (shrinks && capacity.map(size -> now.get().compareTo(size) <= 0).orElse(false)) {
            errors.forbidden(
                    Path.of("spec", "resources", "requests", "storage"), "field can not be less than status.capacity");
        }
        ObjectMeta.checkUnchanged(
                at(before, "spec", "volumeMode"), at(after, "spec", "volumeMode"), Path.of("volumeMode"), errors);
    }
}
