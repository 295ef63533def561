package dev.berth.sandbox.validation.storage;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks StorageClasses, CSINodes, CSIDrivers and VolumeAttachments. */
public final class StorageChecks {
    private StorageChecks() {}

    public static void storageClass(ObjectNode storageClass, FieldErrorList errors) {
        String provisioner = text(storageClass, "provisioner");
        FieldPath path = FieldPath.of("provisioner");
        if (provisioner.isEmpty()) {
            errors.required(path);
        } else {
            String lower = provisioner.toLowerCase(Locale.ROOT);
            errors.invalid(path, lower, NameChecks.qualifiedName(lower));
        }
        errors.requireSupportedOrEmpty(
                FieldPath.of("reclaimPolicy"), text(storageClass, "reclaimPolicy"), List.of("Delete", "Retain"));
        errors.requireSupportedOrEmpty(
                FieldPath.of("volumeBindingMode"),
                text(storageClass, "volumeBindingMode"),
                List.of("Immediate", "WaitForFirstConsumer"));
    }

    public static void storageClassUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")) {
            ObjectMetaChecks.checkUnchanged(at(before, field), at(after, field), FieldPath.of(field), errors);
        }
    }

    public static void csiNode(ObjectNode node, FieldErrorList errors) {
        List<ObjectNode> drivers = objects(node, "spec", "drivers");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < drivers.size(); i++) {
            csiNodeDriver(drivers.get(i), names, FieldPath.of("spec", "drivers").index(i), errors);
        }
    }

    private static void csiNodeDriver(ObjectNode driver, Set<String> names, FieldPath path, FieldErrorList errors) {
        String name = text(driver, "name");
        VolumeSourceChecks.checkDriverName(name, path.child("name"), errors);
        String node = text(driver, "nodeID");
        if (node.isEmpty()) {
            errors.required(path.child("nodeID"));
        } else if (node.length() > 192) {
            errors.invalid(path.child("nodeID"), node, "must be 192 characters or less");
        }
        ObjectMetaChecks.checkNotNegative(
                number(driver, "allocatable", "count"),
                path.child("allocatable").child("count"),
                errors);
        if (!names.add(name)) {
            errors.duplicate(path.child("name"), name);
        }
        Set<String> keys = new HashSet<>();
        for (String key : texts(driver, "topologyKeys")) {
            if (key.isEmpty()) {
                errors.required(path);
            }
            if (!keys.add(key)) {
                errors.duplicate(path, key);
            }
            errors.invalid(path, key, NameChecks.qualifiedName(key));
        }
    }

    public static void csiDriver(ObjectNode driver, FieldErrorList errors) {
        errors.requireSupportedOrEmpty(
                FieldPath.of("spec", "fsGroupPolicy"),
                text(driver, "spec", "fsGroupPolicy"),
                List.of("File", "None", "ReadWriteOnceWithFSType"));
        for (String mode : texts(driver, "spec", "volumeLifecycleModes")) {
            if (!mode.equals("Persistent") && !mode.equals("Ephemeral")) {
                errors.notSupported(
                        FieldPath.of("spec", "volumeLifecycleModes"), mode, List.of("Ephemeral", "Persistent"));
            }
        }
    }

    public static void csiDriverUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkUnchanged(
                at(before, "spec", "attachRequired"),
                at(after, "spec", "attachRequired"),
                FieldPath.of("spec", "attachedRequired"),
                errors);
        ObjectMetaChecks.checkUnchanged(
                at(before, "spec", "volumeLifecycleModes"),
                at(after, "spec", "volumeLifecycleModes"),
                FieldPath.of("spec", "volumeLifecycleModes"),
                errors);
    }

    public static void volumeAttachment(ObjectNode attachment, FieldErrorList errors) {
        FieldPath spec = FieldPath.of("spec");
        VolumeSourceChecks.checkDriverName(text(attachment, "spec", "attacher"), spec.child("attacher"), errors);
        String volume = text(attachment, "spec", "source", "persistentVolumeName");
        if (at(attachment, "spec", "source").isEmpty()) {
            errors.required(
                    spec.child("source"), "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
        } else if (volume.isEmpty()) {
            errors.required(
                    spec.child("source").child("persistentVolumeName"), "must specify non empty persistentVolumeName");
        }
        String node = text(attachment, "spec", "nodeName");
        errors.invalid(spec.child("nodeName"), node, NameChecks.dnsSubdomain(node));
    }

    public static void volumeAttachmentUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        if (!nullSafeEquals(at(before, "spec"), at(after, "spec"))) {
            errors.invalid(FieldPath.of("spec"), GoFormat.NULL, ObjectMetaChecks.IMMUTABLE);
        }
    }
}
