package dev.berth.core.volume.binding;

import dev.berth.core.cluster.Node;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.PersistentVolume.ClaimRef;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.VolumeWrite;
import java.util.Optional;

/** Compares a pledge with the objects: is it kept, is something to be written, or has it come to nothing? */
final class Keeping {
    private final Storage storage;
    private final Letters letters;

    Keeping(Storage storage, Letters letters) {
        this.storage = storage;
        this.letters = letters;
    }

    Progress of(Pledge pledge, Node node) {
        Optional<VolumeClaim> claim = storage.claim(pledge.claimKey())
                .filter(it -> it.uid().equals(pledge.claim().uid()));
        if (claim.isEmpty()) {
            return new Progress.Broken("persistentvolumeclaim \"%s\" not found"
                    .formatted(pledge.claimKey().name()));
        }
        Optional<String> refused = letters.refusal(pledge.target());
        if (refused.isPresent()) {
            return new Progress.Broken(refused.get());
        }
        return pledge instanceof Pledge.Reserved reserved
                ? reserved(reserved, claim.get(), node)
                : selected((Pledge.Selected) pledge, claim.get(), node);
    }

    private Progress reserved(Pledge.Reserved pledge, VolumeClaim claim, Node node) {
        Optional<PersistentVolume> found = storage.volume(pledge.volume());
        if (found.isEmpty()) {
            return new Progress.Broken("persistentvolume \"%s\" not found".formatted(pledge.volume()));
        }
        PersistentVolume volume = found.get();
        if (letters.waits(pledge.target())) {
            return Progress.WAITING;
        }
        Optional<ClaimRef> target = volume.state().claim();
        if (target.equals(Optional.of(pledge.claim()))) {
            return bound(claim, volume, node);
        }
        boolean another = target.filter(ref -> !ref.means(claim)).isPresent();
        if (another || letters.wasTaken(pledge.target())) {
            return new Progress.Broken("ClaimRef got reset for pv \"%s\"".formatted(volume.name()));
        }
        return new Progress.ToWrite(new VolumeWrite.Reserve(
                volume.name(), volume.uid(), volume.version(), pledge.claim(), claim.version(), target.isEmpty()));
    }

    private static Progress bound(VolumeClaim claim, PersistentVolume volume, Node node) {
        if (!volume.reachableFrom(node)) {
            return unreachable(volume, node);
        }
        if (!claim.isBound()) {
            return Progress.WAITING;
        }
        return claim.state().volume().equals(volume.name())
                ? Progress.KEPT
                : new Progress.Broken("persistentvolumeclaim \"%s\" is bound to persistentvolume \"%s\" by now"
                        .formatted(claim.key().name(), claim.state().volume()));
    }

    private Progress selected(Pledge.Selected pledge, VolumeClaim claim, Node node) {
        if (letters.waits(pledge.target())) {
            return Progress.WAITING;
        }
        Optional<String> target = claim.state().selectedNode();
        if (target.equals(Optional.of(pledge.node()))) {
            return made(claim, node);
        }
        boolean unsaid = target.isEmpty() && claim.state().volume().isEmpty();
        if (!unsaid || letters.wasTaken(pledge.target())) {
            // Whoever makes volumes takes the annotation away to say that it cannot be done there.
            return new Progress.Broken(
                    "provisioning failed for PVC \"%s\"".formatted(claim.key().name()));
        }
        return new Progress.ToWrite(
                new VolumeWrite.SelectNode(claim.key(), claim.uid(), claim.version(), pledge.node()));
    }

    private Progress made(VolumeClaim claim, Node node) {
        Optional<PersistentVolume> volume = storage.volume(claim.state().volume());
        if (volume.isEmpty()) {
            return Progress.WAITING;
        }
        if (!volume.get().reachableFrom(node, storage.node(node.name()))) {
            return unreachable(volume.get(), node);
        }
        return claim.isBound() ? Progress.KEPT : Progress.WAITING;
    }

    private static Progress unreachable(PersistentVolume volume, Node node) {
        return new Progress.Broken("pv \"%s\" node affinity doesn't match node \"%s\": no matching NodeSelectorTerms"
                .formatted(volume.name(), node.name()));
    }
}
