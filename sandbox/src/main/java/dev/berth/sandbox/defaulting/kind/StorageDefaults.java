package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultFlag;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults of PersistentVolumes, PersistentVolumeClaims, StorageClasses and CSIDrivers. */
public final class StorageDefaults {
    private StorageDefaults() {}

    public static void volume(ObjectNode volume) {
        setDefaultText(getOrCreateObject(volume, "status"), "phase", "Pending");
        ObjectNode spec = getOrCreateObject(volume, "spec");
        setDefaultText(spec, "persistentVolumeReclaimPolicy", "Retain");
        setDefaultText(spec, "volumeMode", "Filesystem");
        object(spec, "capacity").ifPresent(ResourceDefaults::roundList);
        VolumeDefaults.backing(spec);
    }

    public static void claim(ObjectNode claim) {
        ObjectNode status = getOrCreateObject(claim, "status");
        setDefaultText(status, "phase", "Pending");
        VolumeDefaults.claimSpec(getOrCreateObject(claim, "spec"));
        object(status, "capacity").ifPresent(ResourceDefaults::roundList);
        object(status, "allocatedResources").ifPresent(ResourceDefaults::roundList);
    }

    public static void storageClass(ObjectNode storageClass) {
        setDefaultText(storageClass, "reclaimPolicy", "Delete");
        setDefaultText(storageClass, "volumeBindingMode", "Immediate");
    }

    public static void driver(ObjectNode driver) {
        ObjectNode spec = getOrCreateObject(driver, "spec");
        setDefaultFlag(spec, "attachRequired", true);
        setDefaultFlag(spec, "podInfoOnMount", false);
        setDefaultFlag(spec, "storageCapacity", false);
        setDefaultText(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        if (items(spec, "volumeLifecycleModes").isEmpty()) {
            spec.putArray("volumeLifecycleModes").add("Persistent");
        }
        setDefaultFlag(spec, "requiresRepublish", false);
        setDefaultFlag(spec, "seLinuxMount", false);
    }
}
