package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.SuffixedQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.storage.FilePathChecks;
import dev.berth.sandbox.validation.storage.PersistentVolumeClaimChecks;
import dev.berth.sandbox.validation.storage.VolumeSourceChecks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The volumes of a pod. */
public final class VolumeChecks {
    private static final String MODE_RULE = "must be a number between 0 and 0777 (octal), both inclusive";

    private final String podName;
    private final FieldErrorList errors;

    public VolumeChecks(String podName, FieldErrorList errors) {
        this.podName = podName;
        this.errors = errors;
    }

    /** Checks the volumes, and gives those that nothing is wrong with. */
    public Map<String, ObjectNode> check(List<ObjectNode> volumes, FieldPath path) {
        Map<String, ObjectNode> good = new LinkedHashMap<>();
        path.forEachIndexed(volumes, (volume, here) -> {
            int before = errors.size();
            source(volume, here);
            String name = text(volume, "name");
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            } else {
                errors.invalid(here.child("name"), name, NameChecks.dnsLabel(name));
            }
            if (good.containsKey(name)) {
                errors.duplicate(here.child("name"), name);
            }
            if (errors.size() == before) {
                good.put(name, volume);
            }
        });
        return good;
    }

    private void source(ObjectNode volume, FieldPath here) {
        List<String> kinds = new ArrayList<>();
        volume.fieldNames().forEachRemaining(kinds::add);
        kinds.remove("name");
        if (kinds.remove("emptyDir")) {
            kinds.add(0, "emptyDir");
        }
        if (kinds.isEmpty()) {
            errors.required(here, "must specify a volume type");
            return;
        }
        object(volume, kinds.get(0)).ifPresent(source -> source(volume, source, kinds.get(0), here));
        for (String kind : kinds.subList(1, kinds.size())) {
            errors.forbidden(here.child(kind), "may not specify more than 1 volume type");
        }
    }

    private void source(ObjectNode volume, ObjectNode source, String kind, FieldPath here) {
        FieldPath path = here.child(kind);
        switch (kind) {
            case "emptyDir" ->
                SuffixedQuantity.of(at(source, "sizeLimit"))
                        .filter(limit -> limit.signum() < 0)
                        .ifPresent(limit -> errors.forbidden(
                                path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity"));
            case "secret" -> keys(source, "secretName", path);
            case "configMap" -> keys(source, "name", path);
            case "persistentVolumeClaim" -> require(source, "claimName", path);
            case "downwardAPI" -> {
                mode(source, "defaultMode", path);
                objects(source, "items").forEach(item -> downwardFile(item, path));
            }
            case "projected" -> {
                mode(source, "defaultMode", path);
                new ProjectedVolumeChecks(this, errors).check(source, path);
            }
            case "ephemeral" -> ephemeral(volume, source, here);
            case "csi" -> VolumeSourceChecks.driver(text(source, "driver"), path.child("driver"), errors);
            default -> VolumeSourceChecks.check(source, kind, path, errors);
        }
    }

    private void ephemeral(ObjectNode volume, ObjectNode source, FieldPath here) {
        FieldPath path = here.child("ephemeral").child("volumeClaimTemplate");
        object(source, "volumeClaimTemplate")
                .ifPresentOrElse(
                        template -> PersistentVolumeClaimChecks.template(template, path, errors),
                        () -> errors.required(path));
        String name = text(volume, "name");
        if (!podName.isEmpty() && !name.isEmpty()) {
            String claim = podName + "-" + name;
            for (String message : NameChecks.dnsSubdomain(claim)) {
                errors.invalid(here.child("name"), name, "PVC name \"" + claim + "\": " + message);
            }
        }
    }

    private void keys(ObjectNode source, String nameField, FieldPath path) {
        require(source, nameField, path);
        mode(source, "defaultMode", path);
        path.child("items").forEachIndexed(objects(source, "items"), this::key);
    }

    void key(ObjectNode item, FieldPath here) {
        require(item, "key", here);
        require(item, "path", here);
        FilePathChecks.checkUnreserved(text(item, "path"), here.child("path"), errors);
        mode(item, "mode", here);
    }

    void downwardFile(ObjectNode item, FieldPath path) {
        require(item, "path", path);
        FilePathChecks.checkUnreserved(text(item, "path"), path.child("path"), errors);
        if (has(item, "fieldRef")) {
            object(item, "fieldRef")
                    .ifPresent(ref ->
                            DownwardApiChecks.field(ref, DownwardApiChecks.FILES, path.child("fieldRef"), errors));
            if (has(item, "resourceFieldRef")) {
                errors.invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else {
            object(item, "resourceFieldRef")
                    .ifPresentOrElse(
                            ref -> DownwardApiChecks.resource(ref, true, path.child("resourceFieldRef"), errors),
                            () -> errors.required(path, "one of fieldRef and resourceFieldRef is required"));
        }
        mode(item, "mode", path);
    }

    private void mode(ObjectNode holder, String field, FieldPath path) {
        long mode = number(holder, field);
        if (mode < 0 || mode > 0777) {
            errors.invalid(path.child(field), mode, MODE_RULE);
        }
    }

    void require(ObjectNode holder, String field, FieldPath path) {
        if (text(holder, field).isEmpty()) {
            errors.required(path.child(field));
        }
    }
}
