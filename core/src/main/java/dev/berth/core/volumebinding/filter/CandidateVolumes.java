package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The volumes that one claim can be bound to. The smallest matching volume is chosen, then the first by name. A volume
 * that is already reserved for the claim comes first; if the node cannot reach it, none is chosen.
 *
 * <p>A cluster may have one local volume for each node: these are indexed by hostname.
 */
final class CandidateVolumes {
    private static final Comparator<PersistentVolume> SMALLEST_FIRST = Comparator.comparing(
                    (PersistentVolume volume) -> volume.spec().capacity())
            .thenComparing(PersistentVolume::name);

    private final PersistentVolumeClaim claim;
    private final Optional<PersistentVolume> preboundVolume;
    private final Map<String, List<PersistentVolume>> byHost = new HashMap<>();
    private final List<PersistentVolume> notByHost = new ArrayList<>();

    private CandidateVolumes(
            PersistentVolumeClaim claim, Optional<PersistentVolume> prebound, List<PersistentVolume> candidates) {
        this.claim = claim;
        this.preboundVolume = prebound;
        for (PersistentVolume volume : candidates) {
            Optional<List<String>> hosts = hosts(volume);
            if (hosts.isPresent()) {
                Set.copyOf(hosts.get())
                        .forEach(host -> byHost.computeIfAbsent(host, any -> new ArrayList<>())
                                .add(volume));
            } else {
                notByHost.add(volume);
            }
        }
    }

    static CandidateVolumes of(PersistentVolumeClaim claim, StorageIndex storageIndex, AssumedVolumes assumedVolumes) {
        Optional<PersistentVolume> prebound = Optional.empty();
        List<PersistentVolume> candidates = new ArrayList<>();
        for (PersistentVolume volume : storageIndex.volumesOfClass(claim.spec().storageClass())) {
            Optional<PersistentVolume.ClaimRef> target = assumedVolumes
                    .assumedClaim(volume.name())
                    .or(() -> volume.state().claimRef());
            boolean mine = target.filter(ref -> ref.refersTo(claim)).isPresent();
            if ((target.isPresent() && !mine) || !satisfiesSpec(volume, claim)) {
                continue;
            }
            if (mine) {
                prebound = prebound.or(() -> Optional.of(volume));
            } else if (isAvailable(volume, claim)) {
                candidates.add(volume);
            }
        }
        candidates.sort(SMALLEST_FIRST);
        return new CandidateVolumes(claim, prebound, candidates);
    }

    private static boolean satisfiesSpec(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec().capacity().compareTo(claim.spec().size().orElse(Quantity.ZERO)) >= 0
                && volume.spec().volumeMode().equals(claim.spec().volumeMode())
                && volume.spec().volumeAttributesClass().equals(claim.spec().volumeAttributesClass())
                && !volume.state().terminating();
    }

    private static boolean isAvailable(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.state().available()
                && claim.spec()
                        .selector()
                        .map(selector -> selector.matches(volume.labels()))
                        .orElse(true)
                && volume.spec().accessModes().containsAll(claim.spec().accessModes());
    }

    PersistentVolumeClaim claim() {
        return claim;
    }

    /** @param taken the names of volumes that other claims of the same pod get */
    Optional<PersistentVolume> findOn(Node node, Set<String> taken) {
        if (preboundVolume.isPresent() && !taken.contains(preboundVolume.get().name())) {
            return preboundVolume.filter(volume -> volume.isReachableFrom(node));
        }
        List<PersistentVolume> ofHost = node.labels()
                .get(Node.HOSTNAME_LABEL)
                .map(host -> byHost.getOrDefault(host, List.of()))
                .orElse(List.of());
        return Stream.of(first(ofHost, node, taken), first(notByHost, node, taken))
                .flatMap(Optional::stream)
                .min(SMALLEST_FIRST);
    }

    private static Optional<PersistentVolume> first(List<PersistentVolume> volumes, Node node, Set<String> taken) {
        for (PersistentVolume volume : volumes) {
            if (!taken.contains(volume.name()) && volume.isReachableFrom(node)) {
                return Optional.of(volume);
            }
        }
        return Optional.empty();
    }

    /** The hostnames that the volume's node affinity requires, if it requires hostnames. */
    private static Optional<List<String>> hosts(PersistentVolume volume) {
        List<NodeSelectorTerm> terms = volume.reachability().nodeTerms().orElse(List.of());
        return terms.size() != 1
                ? Optional.empty()
                : terms.get(0).labels().stream()
                        .filter(requirement -> requirement.key().equals(Node.HOSTNAME_LABEL)
                                && requirement.operator() == Requirement.Operator.IN)
                        .findFirst()
                        .map(Requirement::values);
    }
}
