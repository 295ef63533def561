package dev.berth.kubernetes.volumebinding;

import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.VolumeFact;
import dev.berth.core.volumebinding.VolumeWrite;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.List;

/** Reads the storage objects, and writes the volume bindings. */
public final class VolumeBindingApi {
    private static final String VOLUMES = "/api/v1/persistentvolumes";

    private VolumeBindingApi() {}

    public static ComponentInformers informers() {
        return new ComponentInformers(
                List.of(
                        watched(
                                new ApiResource(
                                        "persistentvolumeclaims",
                                        "PersistentVolumeClaim",
                                        "/api/v1/persistentvolumeclaims"),
                                new PersistentVolumeClaimProjection()),
                        watched(
                                new ApiResource("persistentvolumes", "PersistentVolume", VOLUMES),
                                new PersistentVolumeProjection()),
                        watchedStorage("storageclasses", "StorageClass", new StorageClassProjection()),
                        watchedStorage("csinodes", "CSINode", new CsiNodeProjection()),
                        watchedStorage("csidrivers", "CSIDriver", new CsiDriverProjection()),
                        watchedStorage(
                                "csistoragecapacities", "CSIStorageCapacity", new CsiStorageCapacityProjection()),
                        watchedStorage("volumeattachments", "VolumeAttachment", new VolumeAttachmentProjection())),
                List.of());
    }

    private static WatchedResource<?> watchedStorage(String plural, String kind, StorageProjection projection) {
        return watched(new ApiResource(plural, kind, "/apis/storage.k8s.io/v1/" + plural), projection);
    }

    private static WatchedResource<?> watched(ApiResource kind, StorageProjection projection) {
        return new WatchedResource<>(kind, projection, VolumeFact.Upserted::new, VolumeFact.Deleted::new);
    }

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(VolumeWrite.SetClaimRef.class, VolumeBindingApi::encodeSetClaimRef)
                .register(VolumeWrite.SetSelectedNode.class, VolumeBindingApi::encodeSetSelectedNode);
    }

    /** As the PersistentVolume controller binds it, so that the controller recognizes the binding as its own. */
    static WriteRequest encodeSetClaimRef(VolumeWrite.SetClaimRef write) {
        PersistentVolumeClaimKey claim = write.claimRef().key();
        JsonObject patch = precondition(write)
                .with("PersistentVolumeClaim", "spec", "claimRef", "kind")
                .with("v1", "spec", "claimRef", "apiVersion")
                .with(claim.namespace(), "spec", "claimRef", "namespace")
                .with(claim.name(), "spec", "claimRef", "name")
                .with(write.claimRef().uid(), "spec", "claimRef", "uid")
                .with(write.claimVersion(), "spec", "claimRef", "resourceVersion");
        JsonObject whole = write.boundByController()
                ? patch.with("yes", "metadata", "annotations", PersistentVolumeProjection.BOUND_BY_CONTROLLER)
                : patch;
        return WriteRequest.mergePatch(VOLUMES + "/" + write.volume(), whole);
    }

    static WriteRequest encodeSetSelectedNode(VolumeWrite.SetSelectedNode write) {
        JsonObject patch = precondition(write)
                .with(write.node(), "metadata", "annotations", PersistentVolumeClaimProjection.SELECTED_NODE);
        return WriteRequest.mergePatch(
                "/api/v1/namespaces/%s/persistentvolumeclaims/%s"
                        .formatted(write.claim().namespace(), write.claim().name()),
                patch);
    }

    private static JsonObject precondition(VolumeWrite write) {
        return JsonObject.EMPTY
                .with(write.uid(), "metadata", "uid")
                .with(write.version(), "metadata", "resourceVersion");
    }
}
