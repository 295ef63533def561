package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.InTreePlugin;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.PersistentVolume.Csi;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.VolumeClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How many volumes a node's drivers can attach. A volume counts once, however many pods of the node mount it. */
final class Limits {
    private final Storage storage;

    Limits(Storage storage) {
        this.storage = storage;
    }

    /** Whether the node can attach what the pod would bring along. */
    boolean allow(Pod pod, NodeState state) {
        Optional<CsiNode> drivers = storage.node(state.node().name());
        if (drivers.isEmpty() || drivers.get().limits().isEmpty()) {
            return true;
        }
        Set<Csi> more = new HashSet<>();
        collect(pod, more);
        if (more.isEmpty()) {
            return true;
        }
        Set<Csi> there = new HashSet<>();
        state.pods().forEach(present -> collect(present, there));
        more.removeAll(there);
        attachments(state.node().name(), there);
        Map<String, Long> present = count(there);
        Map<String, Long> limits = drivers.get().limits();
        return count(more).entrySet().stream()
                .allMatch(added -> !limits.containsKey(added.getKey())
                        || present.getOrDefault(added.getKey(), 0L) + added.getValue()
                                <= limits.getOrDefault(added.getKey(), 0L));
    }

    private static Map<String, Long> count(Set<Csi> volumes) {
        Map<String, Long> counts = new HashMap<>();
        volumes.forEach(volume -> counts.merge(volume.driver(), 1L, Long::sum));
        return counts;
    }

    /** What is attached, be it that no pod there mounts it. One that the pod would mount counts twice, as Kubernetes has it. */
    private void attachments(String node, Set<Csi> into) {
        for (Attachment attachment : storage.attachmentsTo(node)) {
            if (!attachment.attacher().isEmpty()) {
                attachment
                        .volume()
                        .flatMap(storage::volume)
                        .flatMap(volume -> volume.reach().csi())
                        .ifPresent(csi -> into.add(new Csi(attachment.attacher(), csi.handle())));
            }
        }
    }

    private void collect(Pod pod, Set<Csi> into) {
        if (pod.volumes().isEmpty()) {
            return;
        }
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            storage.claim(new ClaimKey(pod.namespace(), claimed.name()))
                    .filter(claim -> !claimed.ephemeral()
                            || claim.state()
                                    .owner()
                                    .equals(Optional.of(pod.uid().value())))
                    .flatMap(this::volumeOf)
                    .ifPresent(into::add);
        }
        for (PodVolumes.Disk disk : pod.volumes().disks()) {
            inline(disk).ifPresent(into::add);
        }
    }

    /** A claim without a volume counts by its class: it will get one. */
    private Optional<Csi> volumeOf(VolumeClaim claim) {
        Optional<PersistentVolume> volume = storage.volume(claim.state().volume());
        if (volume.isPresent()) {
            PersistentVolume.Reach reach = volume.get().reach();
            return reach.csi()
                    .or(() -> reach.migration()
                            .filter(migration -> migration.plugin().counted())
                            .map(PersistentVolume.Migration::csi));
        }
        return storage.storageClass(claim.ask().storageClass())
                .flatMap(storageClass -> driver(storageClass.provisioner()))
                .map(driver -> new Csi(driver, "of claim " + claim.key()));
    }

    private static Optional<String> driver(String provisioner) {
        Optional<InTreePlugin> plugin = InTreePlugin.named(provisioner);
        if (plugin.isPresent()) {
            return plugin.filter(InTreePlugin::counted).map(InTreePlugin::driver);
        }
        return provisioner.isEmpty() ? Optional.empty() : Optional.of(provisioner);
    }

    private static Optional<Csi> inline(PodVolumes.Disk disk) {
        return switch (disk.kind()) {
            case GCE_PD ->
                Optional.of(new Csi(
                        InTreePlugin.GCE_PD.driver(), "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/" + disk.id()));
            case AWS_EBS -> Optional.of(new Csi(InTreePlugin.AWS_EBS.driver(), withoutZone(disk.id())));
            case CINDER -> Optional.of(new Csi(InTreePlugin.CINDER.driver(), disk.id()));
            case AZURE_DISK -> Optional.of(new Csi(InTreePlugin.AZURE_DISK.driver(), disk.id()));
            case PORTWORX -> Optional.of(new Csi(InTreePlugin.PORTWORX.driver(), disk.id()));
            case ISCSI, RBD -> Optional.empty();
        };
    }

    /** {@code aws://zone/vol-1} is the same volume as {@code vol-1}. */
    private static String withoutZone(String volume) {
        return volume.startsWith("aws://") ? volume.substring(volume.lastIndexOf('/') + 1) : volume;
    }
}
