package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.storage.FilePathChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where a container finds its volumes. */
final class MountChecks {
    private static final List<String> PROPAGATIONS = List.of("Bidirectional", "HostToContainer", "None");

    private final Map<String, ObjectNode> volumes;
    private final FieldErrorList errors;

    MountChecks(Map<String, ObjectNode> volumes, FieldErrorList errors) {
        this.volumes = volumes;
        this.errors = errors;
    }

    void check(ObjectNode container, FieldPath path) {
        List<ObjectNode> mounts = objects(container, "volumeMounts");
        List<ObjectNode> devices = objects(container, "volumeDevices");
        mounts(mounts, devices, path.child("volumeMounts"));
        devices(devices, mounts, path.child("volumeDevices"));
    }

    private void mounts(List<ObjectNode> mounts, List<ObjectNode> devices, FieldPath path) {
        Set<String> places = new HashSet<>();
        path.forEachIndexed(mounts, (mount, here) -> {
            String name = text(mount, "name");
            String place = text(mount, "mountPath");
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            }
            if (!volumes.containsKey(name)) {
                errors.notFound(here.child("name"), name);
            }
            if (place.isEmpty()) {
                errors.required(here.child("mountPath"));
            }
            if (!places.add(place)) {
                errors.invalid(here.child("mountPath"), place, "must be unique");
            }
            if (devices.stream().anyMatch(device -> text(device, "name").equals(name))) {
                errors.invalid(here.child("name"), name, "must not already exist in volumeDevices");
            }
            if (devices.stream().anyMatch(device -> text(device, "devicePath").equals(place))) {
                errors.invalid(here.child("mountPath"), place, "must not already exist as a path in volumeDevices");
            }
            inside(mount, path, here);
            errors.requireSupportedOrEmpty(
                    path.child("mountPropagation"), text(mount, "mountPropagation"), PROPAGATIONS);
        });
    }

    private void inside(ObjectNode mount, FieldPath path, FieldPath here) {
        String inside = text(mount, "subPath");
        String expression = text(mount, "subPathExpr");
        if (!inside.isEmpty()) {
            FilePathChecks.checkDescending(inside, path.child("subPath"), errors);
        }
        if (!expression.isEmpty()) {
            if (!inside.isEmpty()) {
                errors.invalid(here.child("subPathExpr"), expression, "subPathExpr and subPath are mutually exclusive");
            }
            FilePathChecks.checkDescending(expression, path.child("subPathExpr"), errors);
        }
    }

    private void devices(List<ObjectNode> devices, List<ObjectNode> mounts, FieldPath path) {
        Set<String> names = new HashSet<>();
        Set<String> places = new HashSet<>();
        path.forEachIndexed(devices, (device, here) -> {
            String name = text(device, "name");
            String place = text(device, "devicePath");
            ObjectNode volume = volumes.get(name);
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            } else if (!names.add(name)) {
                errors.invalid(here.child("name"), name, "must be unique");
            }
            if (volume == null) {
                errors.notFound(here.child("name"), name);
            } else if (!has(volume, "persistentVolumeClaim") && !has(volume, "ephemeral")) {
                errors.invalid(
                        here.child("name"),
                        name,
                        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
            if (place.isEmpty()) {
                errors.required(here.child("devicePath"));
            } else if (!places.add(place)) {
                errors.invalid(here.child("devicePath"), place, "must be unique");
            }
            if (FilePathChecks.hasBackstep(place)) {
                errors.invalid(here.child("devicePath"), place, "can not contain backsteps ('..')");
            }
            if (mounts.stream().anyMatch(mount -> text(mount, "name").equals(name))) {
                errors.invalid(here.child("name"), name, "must not already exist in volumeMounts");
            }
        });
    }
}
