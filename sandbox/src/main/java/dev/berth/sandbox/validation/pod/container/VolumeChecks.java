package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.storage.PersistentVolumeClaimChecks;
import dev.berth.sandbox.validation.storage.VolumeSourceChecks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the volumes of a pod. */
public final class VolumeChecks {
    private final String podName;
    private final FieldErrorList errors;

    public VolumeChecks(String podName, FieldErrorList errors) {
        this.podName = podName;
        this.errors = errors;
    }

    public void check(List<ObjectNode> volumes, FieldPath path) {
        Set<String> validNames = new HashSet<>();
        path.forEachIndexed(volumes, (volume, here) -> {
            int before = errors.size();
            source(volume, here);
            String name = text(volume, "name");
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            } else {
                errors.invalid(here.child("name"), name, NameChecks.dnsLabel(name));
            }
            if (validNames.contains(name)) {
                errors.duplicate(here.child("name"), name);
            }
            if (errors.size() == before) {
                validNames.add(name);
            }
        });
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
                StoredQuantity.of(at(source, "sizeLimit"))
                        .filter(limit -> limit.signum() < 0)
                        .ifPresent(limit -> errors.forbidden(
                                path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity"));
            case "secret" -> require(source, "secretName", path);
            case "configMap" -> require(source, "name", path);
            case "persistentVolumeClaim" -> require(source, "claimName", path);
            case "ephemeral" -> ephemeral(volume, source, here);
            case "csi" -> VolumeSourceChecks.checkDriverName(text(source, "driver"), path.child("driver"), errors);
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

    private void require(ObjectNode holder, String field, FieldPath path) {
        if (text(holder, field).isEmpty()) {
            errors.required(path.child(field));
        }
    }
}
