package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides whether a node can reach the volumes of a pod's claims, and which volumes the unbound claims get. */
final class VolumeBindingPlanner {
    private static final Comparator<CandidateVolumes> BY_SIZE = Comparator.comparing(
            candidateVolumes -> candidateVolumes.claim().spec().size().orElse(Quantity.ZERO));

    private final StorageIndex storageIndex;
    private final AssumedVolumes assumedVolumes;

    VolumeBindingPlanner(StorageIndex storageIndex, AssumedVolumes assumedVolumes) {
        this.storageIndex = storageIndex;
        this.assumedVolumes = assumedVolumes;
    }

    VolumeBindingPlan plan(PodVolumeClaims claims, Node node) {
        List<Veto> vetoes = new ArrayList<>();
        checkBoundClaims(claims.bound(), node).ifPresent(code -> vetoes.add(Veto.of(code)));
        List<PersistentVolumeClaim> provisions = new ArrayList<>();
        List<CandidateVolumes> open = new ArrayList<>();
        for (CandidateVolumes candidateVolumes : claims.delayedBinding()) {
            Optional<String> selected = selectedNode(candidateVolumes.claim());
            if (selected.isEmpty()) {
                open.add(candidateVolumes);
            } else if (selected.get().equals(node.name())) {
                provisions.add(candidateVolumes.claim());
            } else {
                vetoes.add(Veto.of(Code.NO_MATCHING_VOLUME));
                return VolumeBindingPlan.refused(vetoes);
            }
        }
        // Claims with a selected node keep the pod's order, which decides whose veto is reported.
        open.sort(BY_SIZE);
        List<VolumeBindingPlan.VolumeMatch> matches = findMatchingVolumes(open, node, provisions);
        provisions.stream()
                .flatMap(claim -> checkProvisioning(claim, node).stream())
                .findFirst()
                .ifPresent(code -> vetoes.add(Veto.of(code)));
        return vetoes.isEmpty()
                ? new VolumeBindingPlan(List.of(), matches, provisions)
                : VolumeBindingPlan.refused(vetoes);
    }

    private Optional<String> selectedNode(PersistentVolumeClaim claim) {
        return assumedVolumes.assumedNode(claim.key()).or(() -> claim.state().selectedNode());
    }

    private Optional<Code> checkBoundClaims(List<PersistentVolumeClaim> claims, Node node) {
        Optional<CsiNode> drivers = storageIndex.findCsiNode(node.name());
        for (PersistentVolumeClaim claim : claims) {
            Optional<PersistentVolume> volume =
                    storageIndex.findVolume(claim.state().volumeName());
            if (volume.isEmpty()) {
                return Optional.of(Code.BOUND_VOLUME_MISSING);
            }
            if (!volume.get().isReachableFrom(node, drivers)) {
                return Optional.of(Code.VOLUME_AFFINITY);
            }
        }
        return Optional.empty();
    }

    /** @param rest receives the claims without a matching volume */
    private static List<VolumeBindingPlan.VolumeMatch> findMatchingVolumes(
            List<CandidateVolumes> open, Node node, List<PersistentVolumeClaim> rest) {
        List<VolumeBindingPlan.VolumeMatch> matches = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (CandidateVolumes candidateVolumes : open) {
            Optional<PersistentVolume> volume = candidateVolumes.findOn(node, taken);
            if (volume.isPresent()) {
                taken.add(volume.get().name());
                matches.add(new VolumeBindingPlan.VolumeMatch(volume.get(), candidateVolumes.claim()));
            } else {
                rest.add(candidateVolumes.claim());
            }
        }
        return matches;
    }

    private Optional<Code> checkProvisioning(PersistentVolumeClaim claim, Node node) {
        Optional<StorageClass> storageClass =
                storageIndex.findStorageClass(claim.spec().storageClass());
        if (storageClass.filter(it -> it.hasProvisioner() && it.allows(node)).isEmpty()) {
            return Optional.of(Code.NO_MATCHING_VOLUME);
        }
        return hasEnoughCapacity(claim, storageClass.get(), node)
                ? Optional.empty()
                : Optional.of(Code.INSUFFICIENT_STORAGE);
    }

    private boolean hasEnoughCapacity(PersistentVolumeClaim claim, StorageClass storageClass, Node node) {
        boolean counted = claim.spec().size().isPresent()
                && storageIndex
                        .findCsiDriver(storageClass.provisioner())
                        .filter(CsiDriver::reportsCapacity)
                        .isPresent();
        if (!counted) {
            return true;
        }
        long bytes = claim.spec().size().get().toUnits();
        return storageIndex.capacitiesOfClass(storageClass.name()).stream()
                .anyMatch(capacity -> capacity.canProvision(bytes, node));
    }
}
