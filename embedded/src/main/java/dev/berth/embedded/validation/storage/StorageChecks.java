package dev.berth.embedded.validation.storage;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.same;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Storage classes, and what nodes know of storage drivers. */
public final class StorageChecks {
    private StorageChecks() {}

    public static void storageClass(ObjectNode storageClass, FieldErrors errors) {
        String provisioner = text(storageClass, "provisioner");
        Path path = Path.of("provisioner");
        if (provisioner.isEmpty()) {
            errors.required(path);
        } else {
            String lower = provisioner.toLowerCase(Locale.ROOT);
            errors.invalid(path, lower, Names.qualified(lower));
        }
        errors.oneOfOrNone(Path.of("reclaimPolicy"), text(storageClass, "reclaimPolicy"), List.of("Delete", "Retain"));
        errors.oneOfOrNone(
                Path.of("volumeBindingMode"),
                text(storageClass, "volumeBindingMode"),
                List.of("Immediate", "WaitForFirstConsumer"));
    }

    public static void storageClassUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")) {
            ObjectMeta.checkUnchanged(at(before, field), at(after, field), Path.of(field), errors);
        }
    }

    public static void csiNode(ObjectNode node, FieldErrors errors) {
        List<ObjectNode> drivers = objects(node, "spec", "drivers");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < drivers.size(); i++) {
            csiNodeDriver(drivers.get(i), names, Path.of("spec", "drivers").index(i), errors);
        }
    }

    private static void csiNodeDriver(ObjectNode driver, Set<String> names, Path path, FieldErrors errors) {
        String name = text(driver, "name");
        checkDriverName(name, path.child("name"), errors);
        String node = text(driver, "nodeID");
        if (node.isEmpty()) {
            errors.required(path.child("nodeID"));
        } else if (node.length() > 192) {
            errors.invalid(path.child("nodeID"), node, "must be 192 characters or less");
        }
        ObjectMeta.checkNotNegative(
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
            errors.invalid(path, key, Names.qualified(key));
        }
    }

    /** The name of a storage driver. */
    static void checkDriverName(String name, Path path, FieldErrors errors) {
        if (name.isEmpty()) {
            errors.required(path);
            return;
        }
        if (name.length() > 63) {
            errors.tooLong(path, 63);
        }
        String lower = name.toLowerCase(Locale.ROOT);
        errors.invalid(path, name, Names.subdomain(lower));
    }

    public static void csiDriver(ObjectNode driver, FieldErrors errors) {
        errors.oneOfOrNone(
                Path.of("spec", "fsGroupPolicy"),
                text(driver, "spec", "fsGroupPolicy"),
                List.of("File", "None", "ReadWriteOnceWithFSType"));
        for (String mode : texts(driver, "spec", "volumeLifecycleModes")) {
            if (!mode.equals("Persistent") && !mode.equals("Ephemeral")) {
                errors.notSupported(Path.of("spec", "volumeLifecycleModes"), mode, List.of("Ephemeral", "Persistent"));
            }
        }
    }

    public static void csiDriverUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectMeta.checkUnchanged(
                at(before, "spec", "attachRequired"),
                at(after, "spec", "attachRequired"),
                Path.of("spec", "attachedRequired"),
                errors);
        ObjectMeta.checkUnchanged(
                at(before, "spec", "volumeLifecycleModes"),
                at(after, "spec", "volumeLifecycleModes"),
                Path.of("spec", "volumeLifecycleModes"),
                errors);
    }

    public static void volumeAttachment(ObjectNode attachment, FieldErrors errors) {
        Path spec = Path.of("spec");
        checkDriverName(text(attachment, "spec", "attacher"), spec.child("attacher"), errors);
        String volume = text(attachment, "spec", "source", "persistentVolumeName");
        if (at(attachment, "spec", "source").isEmpty()) {
            errors.required(
                    spec.child("source"), "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
        } else if (volume.isEmpty()) {
            errors.required(
                    spec.child("source").child("persistentVolumeName"), "must specify non empty persistentVolumeName");
        }
        String node = text(attachment, "spec", "nodeName");
        errors.invalid(spec.child("nodeName"), node, Names.subdomain(node));
    }

    public static void volumeAttachmentUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        if (!same(at(before, "spec"), at(after, "spec"))) {
            errors.invalid(Path.of("spec"), GoText.NULL, ObjectMeta.IMMUTABLE);
        }
    }
}
