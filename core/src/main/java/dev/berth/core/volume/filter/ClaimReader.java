package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes.Claimed;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.VolumeClaim;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at a pod's claims before any node is looked at; what is wrong is said in the order in which plugins would. */
final class ClaimReader {
    private final Storage storage;
    private final Assumed assumed;
    private final Mentions mentions;

    ClaimReader(Storage storage, Assumed assumed, Mentions mentions) {
        this.storage = storage;
        this.assumed = assumed;
        this.mentions = mentions;
    }

    PodClaims read(Pod pod) {
        Optional<Veto> problem = missing(pod).or(() -> unusable(pod));
        return problem.isPresent() ? PodClaims.of(problem.get()) : sorted(pod);
    }

    private Optional<Veto> missing(Pod pod) {
        return pod.volumes().claims().stream()
                .filter(claimed -> !claimed.ephemeral() && find(pod, claimed).isEmpty())
                .findFirst()
                .map(claimed -> Veto.of(
                        Code.CLAIM_MISSING, "persistentvolumeclaim \"%s\" not found".formatted(claimed.name())));
    }

    private Optional<Veto> unusable(Pod pod) {
        return pod.volumes().claims().stream()
                .flatMap(claimed -> unusable(pod, claimed).stream())
                .findFirst()
                .map(words -> Veto.of(Code.CLAIM_UNUSABLE, words));
    }

    private Optional<String> unusable(Pod pod, Claimed claimed) {
        Optional<VolumeClaim> found = find(pod, claimed);
        if (found.isEmpty()) {
            return Optional.of("waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
                    .formatted(claimed.name()));
        }
        VolumeClaim claim = found.get();
        if (claim.state().lost()) {
            return Optional.of("persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                    .formatted(claim.key().name(), claim.state().volume()));
        }
        if (claim.state().deleting()) {
            return Optional.of("persistentvolumeclaim \"%s\" is being deleted"
                    .formatted(claim.key().name()));
        }
        boolean foreign = claimed.ephemeral()
                && !claim.state().owner().equals(Optional.of(pod.uid().value()));
        return foreign
                ? Optional.of("PVC %s was not created for pod %s (pod is not owner)".formatted(claim, pod))
                : Optional.empty();
    }

    private PodClaims sorted(Pod pod) {
        List<VolumeClaim> bound = new ArrayList<>();
        List<VolumeClaim> waiting = new ArrayList<>();
        for (VolumeClaim claim : claims(pod)) {
            if (claim.isBound()) {
                bound.add(claim);
            } else if (waits(claim)) {
                waiting.add(claim);
            } else {
                return PodClaims.of(Veto.of(Code.CLAIM_UNUSABLE, "pod has unbound immediate PersistentVolumeClaims"));
            }
        }
        List<Zones.Demand> zones = new ArrayList<>();
        Optional<Veto> gone = zones(pod, zones);
        if (gone.isPresent()) {
            return PodClaims.of(gone.get());
        }
        List<Candidates> candidates = waiting.stream()
                .map(claim -> Candidates.of(claim, storage, assumed))
                .toList();
        return new PodClaims(Optional.empty(), bound, candidates, rivals(pod), zones);
    }

    /** A claim that somebody has given a volume to by hand is not for whoever places the pod to bind. */
    private boolean waits(VolumeClaim claim) {
        return claim.state().volume().isEmpty()
                && storage.storageClass(claim.ask().storageClass())
                        .filter(StorageClass::waits)
                        .isPresent();
    }

    private List<Mentions.User> rivals(Pod pod) {
        return pod.volumes().claims().stream()
                .filter(claimed -> !claimed.ephemeral())
                .flatMap(claimed -> find(pod, claimed).stream())
                .filter(VolumeClaim::forOnePodAlone)
                .flatMap(claim -> mentions.others(claim.key(), pod).stream())
                .toList();
    }

    /** Claims made for the pod alone are not asked for their zones. */
    private Optional<Veto> zones(Pod pod, List<Zones.Demand> into) {
        for (Claimed claimed : pod.volumes().claims()) {
            String name = claimed.ephemeral()
                    ? ""
                    : find(pod, claimed).map(claim -> claim.state().volume()).orElse("");
            if (!name.isEmpty()) {
                Optional<PersistentVolume> volume = storage.volume(name);
                if (volume.isEmpty()) {
                    return Optional.of(
                            Veto.of(Code.VOLUME_MISSING, "persistentvolume \"%s\" not found".formatted(name)));
                }
                into.addAll(Zones.demands(volume.get()));
            }
        }
        return Optional.empty();
    }

    /** Each once, though a pod may mount one twice. */
    private Set<VolumeClaim> claims(Pod pod) {
        Set<VolumeClaim> claims = new LinkedHashSet<>();
        pod.volumes().claims().forEach(claimed -> find(pod, claimed).ifPresent(claims::add));
        return claims;
    }

    private Optional<VolumeClaim> find(Pod pod, Claimed claimed) {
        return storage.claim(Mentions.key(pod, claimed));
    }
}
