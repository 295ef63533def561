package dev.berth.sandbox.validation.storage;

import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks the volume sources of pod volumes and PersistentVolumes. */
public final class VolumeSourceChecks {
    private static final List<String> HOST_PATH_TYPES = List.of(
            "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket");

    /** The required fields of the volume sources that have no other check. */
    private static final Map<String, List<String>> REQUIRED = Map.ofEntries(
            Map.entry("gitRepo", List.of("repository")),
            Map.entry("gcePersistentDisk", List.of("pdName")),
            Map.entry("awsElasticBlockStore", List.of("volumeID")),
            Map.entry("iscsi", List.of("targetPortal", "iqn")),
            Map.entry("glusterfs", List.of("endpoints", "path")),
            Map.entry("rbd", List.of("image")),
            Map.entry("cinder", List.of("volumeID")),
            Map.entry("azureFile", List.of("secretName", "shareName")),
            Map.entry("azureDisk", List.of("diskName", "diskURI")),
            Map.entry("flexVolume", List.of("driver")),
            Map.entry("vsphereVolume", List.of("volumePath")),
            Map.entry("photonPersistentDisk", List.of("pdID")),
            Map.entry("portworxVolume", List.of("volumeID")),
            Map.entry("scaleIO", List.of("gateway", "system", "volumeName")),
            Map.entry("quobyte", List.of("registry", "volume")));

    private VolumeSourceChecks() {}

    public static void check(ObjectNode source, String kind, FieldPath path, FieldErrorList errors) {
        switch (kind) {
            case "hostPath" -> hostPath(source, path, errors);
            case "local" -> {
                require(source, "path", path, errors);
                checkNoBacksteps(text(source, "path"), path.child("path"), errors);
            }
            case "nfs" -> {
                require(source, "server", path, errors);
                require(source, "path", path, errors);
                if (!text(source, "path").startsWith("/")) {
                    errors.invalid(path.child("path"), text(source, "path"), "must be an absolute path");
                }
            }
            case "csi" -> {
                checkDriverName(text(source, "driver"), path.child("driver"), errors);
                require(source, "volumeHandle", path, errors);
            }
            case "cephfs" -> {
                if (items(source, "monitors").isEmpty()) {
                    errors.required(path.child("monitors"));
                }
            }
            default -> REQUIRED.getOrDefault(kind, List.of()).forEach(field -> require(source, field, path, errors));
        }
    }

    private static void hostPath(ObjectNode source, FieldPath path, FieldErrorList errors) {
        String value = text(source, "path");
        if (value.isEmpty()) {
            errors.required(path.child("path"));
            return;
        }
        checkNoBacksteps(value, path.child("path"), errors);
        if (!HOST_PATH_TYPES.contains(text(source, "type"))) {
            errors.notSupported(path.child("type"), text(source, "type"), HOST_PATH_TYPES);
        }
    }

    private static void checkNoBacksteps(String value, FieldPath path, FieldErrorList errors) {
        if (Arrays.asList(value.split("/", -1)).contains("..")) {
            errors.invalid(path, value, "must not contain '..'");
        }
    }

    private static void require(ObjectNode source, String field, FieldPath path, FieldErrorList errors) {
        if (text(source, field).isEmpty()) {
            errors.required(path.child(field));
        }
    }

    /** Checks the name of a CSI driver. */
    public static void checkDriverName(String name, FieldPath path, FieldErrorList errors) {
        if (name.isEmpty()) {
            errors.required(path);
            return;
        }
        if (name.length() > 63) {
            errors.tooLong(path, 63);
        }
        errors.invalid(path, name, NameChecks.dnsSubdomain(name.toLowerCase(Locale.ROOT)));
    }
}
