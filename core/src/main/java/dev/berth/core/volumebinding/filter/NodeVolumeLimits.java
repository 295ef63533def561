package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.InTreePlugin;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolume.CsiVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageIndex;
import dev.berth.core.volumebinding.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks how many volumes the drivers of a node can attach. A volume counts once, even if several pods and holds of the
 * node mount it.
 */
final class NodeVolumeLimits {
    private final StorageIndex storageIndex;

    NodeVolumeLimits(StorageIndex storageIndex) {
        this.storageIndex = storageIndex;
    }

    /**
     * Why the node cannot attach the additional volumes of the pod; empty if it can.
     *
     * @param holds the holds whose volumes count in addition to those of the node's pods
     */
    Optional<Veto> findVeto(Pod pod, NodeState state, List<Hold> holds) {
        Optional<CsiNode> drivers = storageIndex.findCsiNode(state.node().name());
        if (drivers.isEmpty() || drivers.get().attachLimits().isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> limits = drivers.get().attachLimits();
        Set<CsiVolume> mounted = new HashSet<>();
        addMounted(pod, mounted);
        if (mounted.isEmpty()) {
            return Optional.empty();
        }
        Set<CsiVolume> byPods = new HashSet<>();
        state.pods().forEach(present -> addMounted(present, byPods));
        Set<CsiVolume> byAll = new HashSet<>(byPods);
        holds.forEach(hold -> addMounted(hold.neighbour().orElseThrow(), byAll));
        if (fits(mounted, byAll, state, limits)) {
            return Optional.empty();
        }
        boolean blockedByHolds = byAll.size() > byPods.size() && fits(mounted, byPods, state, limits);
        return Optional.of(Veto.blockedBy(Code.VOLUME_LIMIT, blockedByHolds ? blockingHolds(holds) : List.of()));
    }

    private boolean fits(Set<CsiVolume> mounted, Set<CsiVolume> others, NodeState state, Map<String, Long> limits) {
        Set<CsiVolume> more = new HashSet<>(mounted);
        more.removeAll(others);
        Set<CsiVolume> attached = new HashSet<>(others);
        addAttached(state.node().name(), attached);
        Map<String, Long> present = count(attached);
        return count(more).entrySet().stream()
                .allMatch(added -> !limits.containsKey(added.getKey())
                        || present.getOrDefault(added.getKey(), 0L) + added.getValue()
                                <= limits.getOrDefault(added.getKey(), 0L));
    }

    private List<BlockingHold> blockingHolds(List<Hold> holds) {
        List<BlockingHold> blocking = new ArrayList<>();
        for (Hold hold : holds) {
            Set<CsiVolume> counted = new HashSet<>();
            addMounted(hold.neighbour().orElseThrow(), counted);
            if (!counted.isEmpty()) {
                blocking.add(BlockingHold.of(hold));
            }
        }
        return blocking;
    }

    private static Map<String, Long> count(Set<CsiVolume> volumes) {
        Map<String, Long> counts = new HashMap<>();
        volumes.forEach(volume -> counts.merge(volume.driver(), 1L, Long::sum));
        return counts;
    }

    /**
     * Adds attached volumes, even if no pod mounts them. A volume that the pod mounts, too, counts twice, as in
     * Kubernetes.
     */
    private void addAttached(String node, Set<CsiVolume> into) {
        for (VolumeAttachment attachment : storageIndex.attachmentsTo(node)) {
            if (!attachment.attacher().isEmpty()) {
                attachment
                        .volume()
                        .flatMap(storageIndex::findVolume)
                        .flatMap(volume -> volume.reachability().csiVolume())
                        .ifPresent(csiVolume -> into.add(new CsiVolume(attachment.attacher(), csiVolume.handle())));
            }
        }
    }

    private void addMounted(Pod pod, Set<CsiVolume> into) {
        if (pod.volumes().isEmpty()) {
            return;
        }
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            storageIndex
                    .findClaim(new PersistentVolumeClaimKey(pod.namespace(), persistentVolumeClaimRef.name()))
                    .filter(claim -> !persistentVolumeClaimRef.ephemeral()
                            || claim.state()
                                    .ownerUid()
                                    .equals(Optional.of(pod.uid().value())))
                    .flatMap(this::csiVolumeOf)
                    .ifPresent(into::add);
        }
        for (PodVolumes.Disk disk : pod.volumes().disks()) {
            inlineVolume(disk).ifPresent(into::add);
        }
        List<String> templateClasses = pod.volumes().templateClasses();
        for (int i = 0; i < templateClasses.size(); i++) {
            String handle = "ephemeral volume %d of %s".formatted(i, pod.uid());
            driverOfClass(templateClasses.get(i)).ifPresent(driver -> into.add(new CsiVolume(driver, handle)));
        }
    }

    /** A claim without a volume counts by its class, because it will get a volume. */
    private Optional<CsiVolume> csiVolumeOf(PersistentVolumeClaim claim) {
        Optional<PersistentVolume> volume =
                storageIndex.findVolume(claim.state().volumeName());
        if (volume.isPresent()) {
            PersistentVolume.Reachability reachability = volume.get().reachability();
            return reachability
                    .csiVolume()
                    .or(() -> reachability
                            .migration()
                            .filter(migration -> migration.plugin().countsTowardsLimit())
                            .map(PersistentVolume.CsiMigration::csiVolume));
        }
        return driverOfClass(claim.spec().storageClass())
                .map(driver -> new CsiVolume(driver, "of claim " + claim.key()));
    }

    private Optional<String> driverOfClass(String name) {
        return storageIndex.findStorageClass(name).flatMap(storageClass -> countedDriver(storageClass.provisioner()));
    }

    private static Optional<String> countedDriver(String provisioner) {
        Optional<InTreePlugin> plugin = InTreePlugin.findByName(provisioner);
        if (plugin.isPresent()) {
            return plugin.filter(InTreePlugin::countsTowardsLimit).map(InTreePlugin::driverName);
        }
        return provisioner.isEmpty() ? Optional.empty() : Optional.of(provisioner);
    }

    private static Optional<CsiVolume> inlineVolume(PodVolumes.Disk disk) {
        return switch (disk.kind()) {
            case GCE_PD ->
                Optional.of(new CsiVolume(
                        InTreePlugin.GCE_PD.driverName(), "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/" + disk.id()));
            case AWS_EBS -> Optional.of(new CsiVolume(InTreePlugin.AWS_EBS.driverName(), withoutZone(disk.id())));
            case CINDER -> Optional.of(new CsiVolume(InTreePlugin.CINDER.driverName(), disk.id()));
            case AZURE_DISK -> Optional.of(new CsiVolume(InTreePlugin.AZURE_DISK.driverName(), disk.id()));
            case PORTWORX -> Optional.of(new CsiVolume(InTreePlugin.PORTWORX.driverName(), disk.id()));
            case ISCSI, RBD -> Optional.empty();
        };
    }

    /** {@code aws://zone/vol-1} is the same volume as {@code vol-1}. */
    private static String withoutZone(String volume) {
        return volume.startsWith("aws://") ? volume.substring(volume.lastIndexOf('/') + 1) : volume;
    }
}
