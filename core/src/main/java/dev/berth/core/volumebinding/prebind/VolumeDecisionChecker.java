package dev.berth.core.volumebinding.prebind;

import dev.berth.core.cluster.Node;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolume.ClaimRef;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageIndex;
import dev.berth.core.volumebinding.VolumeWrite;
import java.util.Optional;

/** Compares a volume decision with the objects: is it done, is a write needed, or did it fail? */
final class VolumeDecisionChecker {
    private final StorageIndex storageIndex;
    private final PendingVolumeWrites pendingVolumeWrites;

    VolumeDecisionChecker(StorageIndex storageIndex, PendingVolumeWrites pendingVolumeWrites) {
        this.storageIndex = storageIndex;
        this.pendingVolumeWrites = pendingVolumeWrites;
    }

    VolumeBindingProgress check(VolumeDecision volumeDecision, Node node) {
        Optional<PersistentVolumeClaim> claim = storageIndex
                .findClaim(volumeDecision.claimKey())
                .filter(it -> it.uid().equals(volumeDecision.claim().uid()));
        if (claim.isEmpty()) {
            return new VolumeBindingProgress.Failed("persistentvolumeclaim \"%s\" not found"
                    .formatted(volumeDecision.claimKey().name()));
        }
        Optional<String> refused = pendingVolumeWrites.refusal(volumeDecision.target());
        if (refused.isPresent()) {
            return new VolumeBindingProgress.Failed(refused.get());
        }
        return volumeDecision instanceof VolumeDecision.StaticBinding staticBinding
                ? checkStaticBinding(staticBinding, claim.get(), node)
                : checkProvisioning((VolumeDecision.DynamicProvisioning) volumeDecision, claim.get(), node);
    }

    private VolumeBindingProgress checkStaticBinding(
            VolumeDecision.StaticBinding decision, PersistentVolumeClaim claim, Node node) {
        Optional<PersistentVolume> found = storageIndex.findVolume(decision.volume());
        if (found.isEmpty()) {
            return new VolumeBindingProgress.Failed("persistentvolume \"%s\" not found".formatted(decision.volume()));
        }
        PersistentVolume volume = found.get();
        if (pendingVolumeWrites.awaitsEcho(decision.target())) {
            return VolumeBindingProgress.WAITING;
        }
        Optional<ClaimRef> target = volume.state().claimRef();
        if (target.equals(Optional.of(decision.claim()))) {
            return checkBound(claim, volume, node);
        }
        boolean refersToOtherClaim = target.filter(ref -> !ref.refersTo(claim)).isPresent();
        if (refersToOtherClaim || pendingVolumeWrites.wasAccepted(decision.target())) {
            return new VolumeBindingProgress.Failed("ClaimRef got reset for pv \"%s\"".formatted(volume.name()));
        }
        return new VolumeBindingProgress.WriteNeeded(new VolumeWrite.SetClaimRef(
                volume.name(), volume.uid(), volume.version(), decision.claim(), claim.version(), target.isEmpty()));
    }

    private static VolumeBindingProgress checkBound(PersistentVolumeClaim claim, PersistentVolume volume, Node node) {
        if (!volume.isReachableFrom(node)) {
            return unreachable(volume, node);
        }
        if (!claim.isBound()) {
            return VolumeBindingProgress.WAITING;
        }
        return claim.state().volumeName().equals(volume.name())
                ? VolumeBindingProgress.DONE
                : new VolumeBindingProgress.Failed(
                        "persistentvolumeclaim \"%s\" is bound to persistentvolume \"%s\" by now"
                                .formatted(claim.key().name(), claim.state().volumeName()));
    }

    private VolumeBindingProgress checkProvisioning(
            VolumeDecision.DynamicProvisioning decision, PersistentVolumeClaim claim, Node node) {
        if (pendingVolumeWrites.awaitsEcho(decision.target())) {
            return VolumeBindingProgress.WAITING;
        }
        Optional<String> target = claim.state().selectedNode();
        if (target.equals(Optional.of(decision.node()))) {
            return checkProvisioned(claim, node);
        }
        boolean undecided = target.isEmpty() && claim.state().volumeName().isEmpty();
        if (!undecided || pendingVolumeWrites.wasAccepted(decision.target())) {
            // A provisioner removes the annotation to report that it cannot provision there.
            return new VolumeBindingProgress.Failed(
                    "provisioning failed for PVC \"%s\"".formatted(claim.key().name()));
        }
        return new VolumeBindingProgress.WriteNeeded(
                new VolumeWrite.SetSelectedNode(claim.key(), claim.uid(), claim.version(), decision.node()));
    }

    private VolumeBindingProgress checkProvisioned(PersistentVolumeClaim claim, Node node) {
        Optional<PersistentVolume> volume =
                storageIndex.findVolume(claim.state().volumeName());
        if (volume.isEmpty()) {
            return VolumeBindingProgress.WAITING;
        }
        if (!volume.get().isReachableFrom(node, storageIndex.findCsiNode(node.name()))) {
            return unreachable(volume.get(), node);
        }
        return claim.isBound() ? VolumeBindingProgress.DONE : VolumeBindingProgress.WAITING;
    }

    private static VolumeBindingProgress unreachable(PersistentVolume volume, Node node) {
        return new VolumeBindingProgress.Failed(
                "pv \"%s\" node affinity doesn't match node \"%s\": no matching NodeSelectorTerms"
                        .formatted(volume.name(), node.name()));
    }
}
