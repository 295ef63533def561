package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.VolumeClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether a node can reach the volumes of a pod's claims, and which volumes those get that have none yet. */
final class Planning {
    private static final Comparator<Candidates> BY_SIZE =
            Comparator.comparing(candidates -> candidates.claim().ask().size().orElse(Quantity.ZERO));

    private final Storage storage;
    private final Assumed assumed;

    Planning(Storage storage, Assumed assumed) {
        this.storage = storage;
        this.assumed = assumed;
    }

    Plan plan(PodClaims claims, Node node) {
        List<Veto> vetoes = new ArrayList<>();
        bound(claims.bound(), node).ifPresent(code -> vetoes.add(Veto.of(code)));
        List<VolumeClaim> provisions = new ArrayList<>();
        List<Candidates> open = new ArrayList<>();
        for (Candidates candidates : claims.waiting()) {
            Optional<String> selected = selectedNode(candidates.claim());
            if (selected.isEmpty()) {
                open.add(candidates);
            } else if (selected.get().equals(node.name())) {
                provisions.add(candidates.claim());
            } else {
                vetoes.add(Veto.of(Code.NO_VOLUME));
                return Plan.refused(vetoes);
            }
        }
        // Those whose node is chosen already stay in the pod's order, which decides of which the words are.
        open.sort(BY_SIZE);
        List<Plan.Match> matches = matches(open, node, provisions);
        provisions.stream()
                .flatMap(claim -> unprovidable(claim, node).stream())
                .findFirst()
                .ifPresent(code -> vetoes.add(Veto.of(code)));
        return vetoes.isEmpty() ? new Plan(List.of(), matches, provisions) : Plan.refused(vetoes);
    }

    private Optional<String> selectedNode(VolumeClaim claim) {
        return assumed.nodeOf(claim.key()).or(() -> claim.state().selectedNode());
    }

    private Optional<Code> bound(List<VolumeClaim> claims, Node node) {
        Optional<CsiNode> drivers = storage.node(node.name());
        for (VolumeClaim claim : claims) {
            Optional<PersistentVolume> volume = storage.volume(claim.state().volume());
            if (volume.isEmpty()) {
                return Optional.of(Code.VOLUME_UNKNOWN);
            }
            if (!volume.get().reachableFrom(node, drivers)) {
                return Optional.of(Code.VOLUME_AFFINITY);
            }
        }
        return Optional.empty();
    }

    /** @param rest is given the claims for which no volume is there */
    private static List<Plan.Match> matches(List<Candidates> open, Node node, List<VolumeClaim> rest) {
        List<Plan.Match> matches = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Candidates candidates : open) {
            Optional<PersistentVolume> volume = candidates.on(node, taken);
            if (volume.isPresent()) {
                taken.add(volume.get().name());
                matches.add(new Plan.Match(volume.get(), candidates.claim()));
            } else {
                rest.add(candidates.claim());
            }
        }
        return matches;
    }

    private Optional<Code> unprovidable(VolumeClaim claim, Node node) {
        Optional<StorageClass> storageClass = storage.storageClass(claim.ask().storageClass());
        if (storageClass.filter(it -> it.provisions() && it.allows(node)).isEmpty()) {
            return Optional.of(Code.NO_VOLUME);
        }
        return hasRoom(claim, storageClass.get(), node) ? Optional.empty() : Optional.of(Code.NO_STORAGE);
    }

    private boolean hasRoom(VolumeClaim claim, StorageClass storageClass, Node node) {
        boolean counted = claim.ask().size().isPresent()
                && storage.driver(storageClass.provisioner())
                        .filter(CsiDriver::tellsCapacity)
                        .isPresent();
        if (!counted) {
            return true;
        }
        long bytes = claim.ask().size().get().toUnits();
        return storage.capacitiesOf(storageClass.name()).stream().anyMatch(capacity -> capacity.suffices(bytes, node));
    }
}
