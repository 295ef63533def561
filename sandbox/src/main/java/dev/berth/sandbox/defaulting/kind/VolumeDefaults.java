package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultFlag;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The defaults of pod volumes, volume sources and claim specs. */
final class VolumeDefaults {
    private static final int READABLE = 0644;

    private VolumeDefaults() {}

    static void apply(ObjectNode volume) {
        if (volume.size() == (volume.has("name") ? 1 : 0)) {
            volume.putObject("emptyDir");
        }
        for (String source : List.of("secret", "configMap", "downwardAPI", "projected")) {
            object(volume, source).ifPresent(found -> setDefaultNumber(found, "defaultMode", READABLE));
        }
        objects(volume, "downwardAPI", "items").forEach(VolumeDefaults::fieldRef);
        objects(volume, "projected", "sources").forEach(VolumeDefaults::projection);
        object(volume, "image")
                .ifPresent(image -> setDefaultText(
                        image, "pullPolicy", ImageName.isLatest(text(image, "reference")) ? "Always" : "IfNotPresent"));
        object(volume, "ephemeral", "volumeClaimTemplate", "spec").ifPresent(VolumeDefaults::claimSpec);
        backing(volume);
    }

    private static void projection(ObjectNode source) {
        objects(source, "downwardAPI", "items").forEach(VolumeDefaults::fieldRef);
        object(source, "serviceAccountToken").ifPresent(token -> setDefaultNumber(token, "expirationSeconds", 3600));
    }

    private static void fieldRef(ObjectNode item) {
        object(item, "fieldRef").ifPresent(ref -> setDefaultText(ref, "apiVersion", "v1"));
    }

    /** The defaults of the volume sources that pod volumes and PersistentVolumes share. */
    static void backing(ObjectNode holder) {
        object(holder, "hostPath").filter(path -> !has(path, "type")).ifPresent(path -> path.put("type", ""));
        object(holder, "iscsi").ifPresent(iscsi -> setDefaultText(iscsi, "iscsiInterface", "default"));
        object(holder, "rbd").ifPresent(rbd -> {
            setDefaultText(rbd, "pool", "rbd");
            setDefaultText(rbd, "user", "admin");
            setDefaultText(rbd, "keyring", "/etc/ceph/keyring");
        });
        object(holder, "scaleIO").ifPresent(scale -> {
            setDefaultText(scale, "storageMode", "ThinProvisioned");
            setDefaultText(scale, "fsType", "xfs");
        });
        object(holder, "azureDisk").ifPresent(disk -> {
            setDefaultText(disk, "cachingMode", "ReadWrite");
            setDefaultText(disk, "fsType", "ext4");
            setDefaultFlag(disk, "readOnly", false);
            setDefaultText(disk, "kind", "Shared");
        });
    }

    static void claimSpec(ObjectNode spec) {
        setDefaultText(spec, "volumeMode", "Filesystem");
        object(spec, "resources").ifPresent(ResourceDefaults::round);
    }
}
