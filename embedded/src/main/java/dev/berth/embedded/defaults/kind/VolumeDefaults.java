package dev.berth.embedded.defaults.kind;

import static dev.berth.embedded.tree.Trees.fillFlag;
import static dev.berth.embedded.tree.Trees.fillNumber;
import static dev.berth.embedded.tree.Trees.fillText;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The defaults of a pod's volumes and of what stands behind persistent ones. */
final class VolumeDefaults {
    private static final int READABLE = 0644;

    private VolumeDefaults() {}

    static void apply(ObjectNode volume) {
        if (volume.size() == (volume.has("name") ? 1 : 0)) {
            volume.putObject("emptyDir");
        }
        for (String source : List.of("secret", "configMap", "downwardAPI", "projected")) {
            object(volume, source).ifPresent(found -> fillNumber(found, "defaultMode", READABLE));
        }
        objects(volume, "downwardAPI", "items").forEach(VolumeDefaults::fieldOf);
        objects(volume, "projected", "sources").forEach(VolumeDefaults::projection);
        object(volume, "image")
                .ifPresent(image -> fillText(
                        image, "pullPolicy", ImageName.isLatest(text(image, "reference")) ? "Always" : "IfNotPresent"));
        object(volume, "ephemeral", "volumeClaimTemplate", "spec").ifPresent(VolumeDefaults::claimSpec);
        backing(volume);
    }

    private static void projection(ObjectNode source) {
        objects(source, "downwardAPI", "items").forEach(VolumeDefaults::fieldOf);
        object(source, "serviceAccountToken").ifPresent(token -> fillNumber(token, "expirationSeconds", 3600));
    }

    private static void fieldOf(ObjectNode item) {
        object(item, "fieldRef").ifPresent(ref -> fillText(ref, "apiVersion", "v1"));
    }

    /** The sources that a pod's volume and a persistent volume have in common. */
    static void backing(ObjectNode holder) {
        object(holder, "hostPath").filter(path -> !has(path, "type")).ifPresent(path -> path.put("type", ""));
        object(holder, "iscsi").ifPresent(iscsi -> fillText(iscsi, "iscsiInterface", "default"));
        object(holder, "rbd").ifPresent(rbd -> {
            fillText(rbd, "pool", "rbd");
            fillText(rbd, "user", "admin");
            fillText(rbd, "keyring", "/etc/ceph/keyring");
        });
        object(holder, "scaleIO").ifPresent(scale -> {
            fillText(scale, "storageMode", "ThinProvisioned");
            fillText(scale, "fsType", "xfs");
        });
        object(holder, "azureDisk").ifPresent(disk -> {
            fillText(disk, "cachingMode", "ReadWrite");
            fillText(disk, "fsType", "ext4");
            fillFlag(disk, "readOnly", false);
            fillText(disk, "kind", "Shared");
        });
    }

    static void claimSpec(ObjectNode spec) {
        fillText(spec, "volumeMode", "Filesystem");
        object(spec, "resources").ifPresent(ResourceDefaults::round);
    }
}
