package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes.PersistentVolumeClaimRef;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageIndex;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a pod's claims before any node is filtered. Problems are reported in the order of kube-scheduler's plugins. */
final class PodVolumeClaimsReader {
    private final StorageIndex storageIndex;
    private final AssumedVolumes assumedVolumes;
    private final VolumeClaimUsers volumeClaimUsers;
    private final MountingHolds mountingHolds;

    PodVolumeClaimsReader(
            StorageIndex storageIndex,
            AssumedVolumes assumedVolumes,
            VolumeClaimUsers volumeClaimUsers,
            MountingHolds mountingHolds) {
        this.storageIndex = storageIndex;
        this.assumedVolumes = assumedVolumes;
        this.volumeClaimUsers = volumeClaimUsers;
        this.mountingHolds = mountingHolds;
    }

    PodVolumeClaims read(Pod pod) {
        Optional<Veto> problem = findMissing(pod).or(() -> findUnusable(pod));
        return problem.isPresent() ? PodVolumeClaims.of(problem.get()) : classify(pod);
    }

    private Optional<Veto> findMissing(Pod pod) {
        return pod.volumes().persistentVolumeClaims().stream()
                .filter(persistentVolumeClaimRef -> !persistentVolumeClaimRef.ephemeral()
                        && find(pod, persistentVolumeClaimRef).isEmpty())
                .findFirst()
                .map(claimed ->
                        Veto.of(Code.PVC_MISSING, "persistentvolumeclaim \"%s\" not found".formatted(claimed.name())));
    }

    private Optional<Veto> findUnusable(Pod pod) {
        return pod.volumes().persistentVolumeClaims().stream()
                .flatMap(persistentVolumeClaimRef -> findUnusable(pod, persistentVolumeClaimRef).stream())
                .findFirst()
                .map(message -> Veto.of(Code.PVC_UNUSABLE, message));
    }

    private Optional<String> findUnusable(Pod pod, PersistentVolumeClaimRef persistentVolumeClaimRef) {
        Optional<PersistentVolumeClaim> found = find(pod, persistentVolumeClaimRef);
        if (found.isEmpty()) {
            return Optional.of("waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
                    .formatted(persistentVolumeClaimRef.name()));
        }
        PersistentVolumeClaim claim = found.get();
        if (claim.state().lost()) {
            return Optional.of("persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                    .formatted(claim.key().name(), claim.state().volumeName()));
        }
        if (claim.state().terminating()) {
            return Optional.of("persistentvolumeclaim \"%s\" is being deleted"
                    .formatted(claim.key().name()));
        }
        boolean foreign = persistentVolumeClaimRef.ephemeral()
                && !claim.state().ownerUid().equals(Optional.of(pod.uid().value()));
        return foreign
                ? Optional.of("PVC %s was not created for pod %s (pod is not owner)".formatted(claim, pod))
                : Optional.empty();
    }

    private PodVolumeClaims classify(Pod pod) {
        List<PersistentVolumeClaim> bound = new ArrayList<>();
        List<PersistentVolumeClaim> waiting = new ArrayList<>();
        for (PersistentVolumeClaim claim : claims(pod)) {
            if (claim.isBound()) {
                bound.add(claim);
            } else if (waitsForFirstConsumer(claim)) {
                waiting.add(claim);
            } else {
                return PodVolumeClaims.of(
                        Veto.of(Code.PVC_UNUSABLE, "pod has unbound immediate PersistentVolumeClaims"));
            }
        }
        List<VolumeZone.ZoneRequirement> zones = new ArrayList<>();
        Optional<Veto> zoneVeto = collectZones(pod, zones);
        if (zoneVeto.isPresent()) {
            return PodVolumeClaims.of(zoneVeto.get());
        }
        List<CandidateVolumes> candidateVolumes = waiting.stream()
                .map(claim -> CandidateVolumes.of(claim, storageIndex, assumedVolumes))
                .toList();
        Set<PersistentVolumeClaimKey> exclusive = findExclusiveClaims(pod);
        return new PodVolumeClaims(
                Optional.empty(),
                bound,
                candidateVolumes,
                exclusive,
                exclusive.stream()
                        .flatMap(claim -> volumeClaimUsers.otherUsers(claim, pod).stream())
                        .toList(),
                exclusive.stream()
                        .flatMap(claim -> mountingHolds.holdsMounting(claim).stream())
                        .distinct()
                        .toList(),
                zones);
    }

    /** A claim that a user has bound to a volume by name is not bound by the scheduler. */
    private boolean waitsForFirstConsumer(PersistentVolumeClaim claim) {
        return claim.state().volumeName().isEmpty()
                && storageIndex
                        .findStorageClass(claim.spec().storageClass())
                        .filter(StorageClass::waitsForFirstConsumer)
                        .isPresent();
    }

    private Set<PersistentVolumeClaimKey> findExclusiveClaims(Pod pod) {
        return pod.volumes().persistentVolumeClaims().stream()
                .filter(persistentVolumeClaimRef -> !persistentVolumeClaimRef.ephemeral())
                .flatMap(claimed -> find(pod, claimed).stream())
                .filter(PersistentVolumeClaim::isReadWriteOncePod)
                .map(PersistentVolumeClaim::key)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Ephemeral claims of the pod are not checked for zones. */
    private Optional<Veto> collectZones(Pod pod, List<VolumeZone.ZoneRequirement> into) {
        for (PersistentVolumeClaimRef persistentVolumeClaimRef : pod.volumes().persistentVolumeClaims()) {
            String name = persistentVolumeClaimRef.ephemeral()
                    ? ""
                    : find(pod, persistentVolumeClaimRef)
                            .map(claim -> claim.state().volumeName())
                            .orElse("");
            if (!name.isEmpty()) {
                Optional<PersistentVolume> volume = storageIndex.findVolume(name);
                if (volume.isEmpty()) {
                    return Optional.of(
                            Veto.of(Code.VOLUME_MISSING, "persistentvolume \"%s\" not found".formatted(name)));
                }
                into.addAll(VolumeZone.requirementsOf(volume.get()));
            }
        }
        return Optional.empty();
    }

    /** Each claim once, even if the pod mounts it twice. */
    private Set<PersistentVolumeClaim> claims(Pod pod) {
        Set<PersistentVolumeClaim> claims = new LinkedHashSet<>();
        pod.volumes()
                .persistentVolumeClaims()
                .forEach(persistentVolumeClaimRef ->
                        find(pod, persistentVolumeClaimRef).ifPresent(claims::add));
        return claims;
    }

    private Optional<PersistentVolumeClaim> find(Pod pod, PersistentVolumeClaimRef persistentVolumeClaimRef) {
        return storageIndex.findClaim(VolumeClaimUsers.claimKey(pod, persistentVolumeClaimRef));
    }
}
