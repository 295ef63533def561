package dev.berth.embedded.validation.pod.container;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Quantity;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.storage.ClaimChecks;
import dev.berth.embedded.validation.storage.FilePaths;
import dev.berth.embedded.validation.storage.VolumeSourceChecks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The volumes of a pod. */
public final class VolumeChecks {
    private static final String MODE_RULE = "must be a number between 0 and 0777 (octal), both inclusive";

    private final String podName;
    private final FieldErrors errors;

    public VolumeChecks(String podName, FieldErrors errors) {
        this.podName = podName;
        this.errors = errors;
    }

    /** Checks the volumes, and gives those that nothing is wrong with. */
    public Map<String, ObjectNode> check(List<ObjectNode> volumes, Path path) {
        Map<String, ObjectNode> good = new LinkedHashMap<>();
        path.each(volumes, (volume, here) -> {
            int before = errors.size();
            source(volume, here);
            String name = text(volume, "name");
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            } else {
                errors.invalid(here.child("name"), name, Names.label(name));
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

    private void source(ObjectNode volume, Path here) {
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

    private void source(ObjectNode volume, ObjectNode source, String kind, Path here) {
        Path path = here.child(kind);
        switch (kind) {
            case "emptyDir" ->
                Quantity.of(at(source, "sizeLimit"))
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
                new ProjectionChecks(this, errors).check(source, path);
            }
            case "ephemeral" -> ephemeral(volume, source, here);
            case "csi" -> VolumeSourceChecks.driver(text(source, "driver"), path.child("driver"), errors);
            default -> VolumeSourceChecks.check(source, kind, path, errors);
        }
    }

    private void ephemeral(ObjectNode volume, ObjectNode source, Path here) {
        Path path = here.child("ephemeral").child("volumeClaimTemplate");
        object(source, "volumeClaimTemplate")
                .ifPresentOrElse(template -> ClaimChecks.template(template, path, errors), () -> errors.required(path));
        String name = text(volume, "name");
        if (!podName.isEmpty() && !name.isEmpty()) {
            String claim = podName + "-" + name;
            for (String message : Names.subdomain(claim)) {
                errors.invalid(here.child("name"), name, "PVC name \"" + claim + "\": " + message);
            }
        }
    }

    private void keys(ObjectNode source, String nameField, Path path) {
        require(source, nameField, path);
        mode(source, "defaultMode", path);
        path.child("items").each(objects(source, "items"), this::key);
    }

    void key(ObjectNode item, Path here) {
        require(item, "key", here);
        require(item, "path", here);
        FilePaths.checkUnreserved(text(item, "path"), here.child("path"), errors);
        mode(item, "mode", here);
    }

    void downwardFile(ObjectNode item, Path path) {
        require(item, "path", path);
        FilePaths.checkUnreserved(text(item, "path"), path.child("path"), errors);
        if (has(item, "fieldRef")) {
            object(item, "fieldRef")
                    .ifPresent(ref -> DownwardChecks.field(ref, DownwardChecks.FILES, path.child("fieldRef"), errors));
            if (has(item, "resourceFieldRef")) {
                errors.invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else {
            object(item, "resourceFieldRef")
                    .ifPresentOrElse(
                            ref -> DownwardChecks.resource(ref, true, path.child("resourceFieldRef"), errors),
                            () -> errors.required(path, "one of fieldRef and resourceFieldRef is required"));
        }
        mode(item, "mode", path);
    }

    private void mode(ObjectNode holder, String field, Path path) {
        long mode = number(holder, field);
        if (mode < 0 || mode > 0777) {
            errors.invalid(path.child(field), mode, MODE_RULE);
        }
    }

    void require(ObjectNode holder, String field, Path path) {
        if (text(holder, field).isEmpty()) {
            errors.required(path.child(field));
        }
    }
}
