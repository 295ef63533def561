package dev.berth.embedded.defaults.kind;

import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.fillFlag;
import static dev.berth.embedded.tree.Trees.fillText;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.object;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults of volumes, claims, storage classes and storage drivers. */
public final class StorageDefaults {
    private StorageDefaults() {}

    public static void volume(ObjectNode volume) {
        fillText(child(volume, "status"), "phase", "Pending");
        ObjectNode spec = child(volume, "spec");
        fillText(spec, "persistentVolumeReclaimPolicy", "Retain");
        fillText(spec, "volumeMode", "Filesystem");
        object(spec, "capacity").ifPresent(ResourceDefaults::roundList);
        VolumeDefaults.backing(spec);
    }

    public static void claim(ObjectNode claim) {
        ObjectNode status = child(claim, "status");
        fillText(status, "phase", "Pending");
        VolumeDefaults.claimSpec(child(claim, "spec"));
        object(status, "capacity").ifPresent(ResourceDefaults::roundList);
        object(status, "allocatedResources").ifPresent(ResourceDefaults::roundList);
    }

    public static void storageClass(ObjectNode storageClass) {
        fillText(storageClass, "reclaimPolicy", "Delete");
        fillText(storageClass, "volumeBindingMode", "Immediate");
    }

    public static void driver(ObjectNode driver) {
        ObjectNode spec = child(driver, "spec");
        fillFlag(spec, "attachRequired", true);
        fillFlag(spec, "podInfoOnMount", false);
        fillFlag(spec, "storageCapacity", false);
        fillText(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        if (items(spec, "volumeLifecycleModes").isEmpty()) {
            spec.putArray("volumeLifecycleModes").add("Persistent");
        }
        fillFlag(spec, "requiresRepublish", false);
        fillFlag(spec, "seLinuxMount", false);
    }
}
