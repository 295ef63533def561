package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns and cells of PersistentVolumes, PersistentVolumeClaims and the kinds of {@code storage.k8s.io}. */
final class StoragePrinters {
    static final List<TableColumn> VOLUME = TableColumn.parseAll(
            "Name",
            "Capacity",
            "Access Modes",
            "Reclaim Policy",
            "Status",
            "Claim",
            "StorageClass",
            "VolumeAttributesClass",
            "Reason",
            "Age",
            "VolumeMode+");
    static final List<TableColumn> CLAIM = TableColumn.parseAll(
            "Name",
            "Status",
            "Volume",
            "Capacity",
            "Access Modes",
            "StorageClass",
            "VolumeAttributesClass",
            "Age",
            "VolumeMode+");
    static final List<TableColumn> STORAGE_CLASS = TableColumn.parseAll(
            "Name", "Provisioner", "ReclaimPolicy", "VolumeBindingMode", "AllowVolumeExpansion", "Age");
    static final List<TableColumn> CSI_NODE = TableColumn.parseAll("Name", "Drivers:integer", "Age");
    static final List<TableColumn> CSI_DRIVER = TableColumn.parseAll(
            "Name",
            "AttachRequired:boolean",
            "PodInfoOnMount:boolean",
            "StorageCapacity:boolean",
            "TokenRequests",
            "RequiresRepublish:boolean",
            "Modes",
            "Age");
    static final List<TableColumn> VOLUME_ATTACHMENT =
            TableColumn.parseAll("Name", "Attacher=name", "PV", "Node", "Attached:boolean", "Age");

    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
    private static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";
    private static final String UNSET = "<unset>";

    private StoragePrinters() {}

    private static String modes(List<String> modes) {
        return Stream.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
                .filter(modes::contains)
                .map(MODES::get)
                .collect(Collectors.joining(","));
    }

    private static String phase(ObjectNode object) {
        return has(object, "metadata", "deletionTimestamp") ? "Terminating" : text(object, "status", "phase");
    }

    private static String storageClass(ObjectNode object) {
        String old = text(object, "metadata", "annotations", OLD_CLASS);
        return old.isEmpty() ? text(object, "spec", "storageClassName") : old;
    }

    static List<JsonNode> volume(ObjectNode volume, Instant now) {
        String claim = object(volume, "spec", "claimRef")
                .map(ref -> text(ref, "namespace") + "/" + text(ref, "name"))
                .orElse("");
        return new RowBuilder(volume, now)
                .name()
                .textOr("0", "spec", "capacity", "storage")
                .text(modes(texts(volume, "spec", "accessModes")))
                .textAt("spec", "persistentVolumeReclaimPolicy")
                .text(phase(volume))
                .text(claim)
                .text(storageClass(volume))
                .textOr(UNSET, "spec", "volumeAttributesClassName")
                .textAt("status", "reason")
                .age()
                .textOr(UNSET, "spec", "volumeMode")
                .build();
    }

    static List<JsonNode> claim(ObjectNode claim, Instant now) {
        boolean bound = !text(claim, "spec", "volumeName").isEmpty();
        String capacity = at(claim, "status", "capacity", "storage").asText("0");
        return new RowBuilder(claim, now)
                .name()
                .text(phase(claim))
                .textAt("spec", "volumeName")
                .text(bound ? capacity : "")
                .text(bound ? modes(texts(claim, "status", "accessModes")) : "")
                .text(storageClass(claim))
                .textOr(UNSET, "spec", "volumeAttributesClassName")
                .age()
                .textOr(UNSET, "spec", "volumeMode")
                .build();
    }

    static List<JsonNode> storageClass(ObjectNode storageClass, Instant now) {
        String name = text(storageClass, "metadata", "name");
        boolean isDefault = Stream.of(
                        "storageclass.kubernetes.io/is-default-class",
                        "storageclass.beta.kubernetes.io/is-default-class")
                .anyMatch(key ->
                        text(storageClass, "metadata", "annotations", key).equals("true"));
        return new RowBuilder(storageClass, now)
                .text(isDefault ? name + " (default)" : name)
                .textAt("provisioner")
                .textOr("Delete", "reclaimPolicy")
                .textOr("Immediate", "volumeBindingMode")
                .flag(flag(storageClass, "allowVolumeExpansion"))
                .age()
                .build();
    }

    static List<JsonNode> csiNode(ObjectNode node, Instant now) {
        return new RowBuilder(node, now)
                .name()
                .number(items(node, "spec", "drivers").size())
                .age()
                .build();
    }

    static List<JsonNode> csiDriver(ObjectNode driver, Instant now) {
        String audiences = objects(driver, "spec", "tokenRequests").stream()
                .map(request -> text(request, "audience"))
                .collect(Collectors.joining(","));
        String modes = String.join(",", texts(driver, "spec", "volumeLifecycleModes"));
        return new RowBuilder(driver, now)
                .name()
                .flag(!has(driver, "spec", "attachRequired") || flag(driver, "spec", "attachRequired"))
                .flag(flag(driver, "spec", "podInfoOnMount"))
                .flag(flag(driver, "spec", "storageCapacity"))
                .text(has(driver, "spec", "tokenRequests") ? audiences : UNSET)
                .flag(flag(driver, "spec", "requiresRepublish"))
                .text(modes.isEmpty() ? RowBuilder.NONE : modes)
                .age()
                .build();
    }

    static List<JsonNode> volumeAttachment(ObjectNode attachment, Instant now) {
        return new RowBuilder(attachment, now)
                .name()
                .textAt("spec", "attacher")
                .textAt("spec", "source", "persistentVolumeName")
                .textAt("spec", "nodeName")
                .flag(flag(attachment, "status", "attached"))
                .age()
                .build();
    }
}
