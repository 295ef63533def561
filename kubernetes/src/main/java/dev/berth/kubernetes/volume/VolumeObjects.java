package dev.berth.kubernetes.volume;

import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.VolumeFact;
import dev.berth.core.volume.VolumeWrite;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.watch.KindPath;
import java.util.List;

/** What is read about volumes, and how the writes that bind them look on the wire. */
public final class VolumeObjects {
    private static final String VOLUMES = "/api/v1/persistentvolumes";

    private VolumeObjects() {}

    public static DoorFeeds feeds() {
        return new DoorFeeds(
                List.of(
                        feed(
                                new KindPath(
                                        "persistentvolumeclaims",
                                        "PersistentVolumeClaim",
                                        "/api/v1/persistentvolumeclaims"),
                                new ClaimProjection()),
                        feed(new KindPath("persistentvolumes", "PersistentVolume", VOLUMES), new VolumeProjection()),
                        storage("storageclasses", "StorageClass", new StorageClassProjection()),
                        storage("csinodes", "CSINode", new CsiNodeProjection()),
                        storage("csidrivers", "CSIDriver", new CsiDriverProjection()),
                        storage("csistoragecapacities", "CSIStorageCapacity", new CapacityProjection()),
                        storage("volumeattachments", "VolumeAttachment", new AttachmentProjection())),
                List.of());
    }

    private static ObjectFeed<?> storage(String plural, String kind, StorageProjection projection) {
        return feed(new KindPath(plural, kind, "/apis/storage.k8s.io/v1/" + plural), projection);
    }

    private static ObjectFeed<?> feed(KindPath kind, StorageProjection projection) {
        return new ObjectFeed<>(kind, projection, VolumeFact.Seen::new, VolumeFact.Gone::new);
    }

    public static void addForms(ObjectForms forms) {
        forms.with(VolumeWrite.Reserve.class, VolumeObjects::reserve)
                .with(VolumeWrite.SelectNode.class, VolumeObjects::selectNode);
    }

    /** As the controller of volumes would bind it, so that it knows the rest to be its own. */
    static ObjectRequest reserve(VolumeWrite.Reserve write) {
        ClaimKey claim = write.claim().key();
        Tree patch = precondition(write)
                .with("PersistentVolumeClaim", "spec", "claimRef", "kind")
                .with("v1", "spec", "claimRef", "apiVersion")
                .with(claim.namespace(), "spec", "claimRef", "namespace")
                .with(claim.name(), "spec", "claimRef", "name")
                .with(write.claim().uid(), "spec", "claimRef", "uid")
                .with(write.claimVersion(), "spec", "claimRef", "resourceVersion");
        Tree whole = write.byController()
                ? patch.with("yes", "metadata", "annotations", VolumeProjection.BOUND_BY_CONTROLLER)
                : patch;
        return ObjectRequest.merge(VOLUMES + "/" + write.volume(), whole);
    }

    static ObjectRequest selectNode(VolumeWrite.SelectNode write) {
        Tree patch = precondition(write).with(write.node(), "metadata", "annotations", ClaimProjection.SELECTED_NODE);
        return ObjectRequest.merge(
                "/api/v1/namespaces/%s/persistentvolumeclaims/%s"
                        .formatted(write.claim().namespace(), write.claim().name()),
                patch);
    }

    private static Tree precondition(VolumeWrite write) {
        return Tree.EMPTY.with(write.uid(), "metadata", "uid").with(write.version(), "metadata", "resourceVersion");
    }
}
