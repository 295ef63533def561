package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.VolumeClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The volumes that one claim could have on some node or other. Of those that suit it the smallest is taken, of equals the
 * first by name; one that is meant for it already comes before all others, and if that cannot be reached, none is taken.
 *
 * <p>A cluster may have as many volumes as nodes, each on its own: those are found by the node's hostname.
 */
final class Candidates {
    private static final Comparator<PersistentVolume> SMALLEST = Comparator.comparing(
                    (PersistentVolume volume) -> volume.offer().capacity())
            .thenComparing(PersistentVolume::name);

    private final VolumeClaim claim;
    private final Optional<PersistentVolume> meant;
    private final Map<String, List<PersistentVolume>> byHost = new HashMap<>();
    private final List<PersistentVolume> elsewhere = new ArrayList<>();

    private Candidates(VolumeClaim claim, Optional<PersistentVolume> meant, List<PersistentVolume> others) {
        this.claim = claim;
        this.meant = meant;
        for (PersistentVolume volume : others) {
            Optional<List<String>> hosts = hosts(volume);
            if (hosts.isPresent()) {
                Set.copyOf(hosts.get())
                        .forEach(host -> byHost.computeIfAbsent(host, any -> new ArrayList<>())
                                .add(volume));
            } else {
                elsewhere.add(volume);
            }
        }
    }

    static Candidates of(VolumeClaim claim, Storage storage, Assumed assumed) {
        Optional<PersistentVolume> meant = Optional.empty();
        List<PersistentVolume> others = new ArrayList<>();
        for (PersistentVolume volume : storage.volumesOf(claim.ask().storageClass())) {
            Optional<PersistentVolume.ClaimRef> target =
                    assumed.claimOf(volume.name()).or(() -> volume.state().claim());
            boolean mine = target.filter(ref -> ref.means(claim)).isPresent();
            if ((target.isPresent() && !mine) || !isLikeAsked(volume, claim)) {
                continue;
            }
            if (mine) {
                meant = meant.or(() -> Optional.of(volume));
            } else if (isFree(volume, claim)) {
                others.add(volume);
            }
        }
        others.sort(SMALLEST);
        return new Candidates(claim, meant, others);
    }

    private static boolean isLikeAsked(PersistentVolume volume, VolumeClaim claim) {
        return volume.offer().capacity().compareTo(claim.ask().size().orElse(Quantity.ZERO)) >= 0
                && volume.offer().mode().equals(claim.ask().mode())
                && volume.offer().attributesClass().equals(claim.ask().attributesClass())
                && !volume.state().deleting();
    }

    private static boolean isFree(PersistentVolume volume, VolumeClaim claim) {
        return volume.state().available()
                && claim.ask()
                        .selector()
                        .map(selector -> selector.matches(volume.labels()))
                        .orElse(true)
                && volume.offer().accessModes().containsAll(claim.ask().accessModes());
    }

    VolumeClaim claim() {
        return claim;
    }

    /** @param taken the names of volumes that other claims of the same pod get */
    Optional<PersistentVolume> on(Node node, Set<String> taken) {
        if (meant.isPresent() && !taken.contains(meant.get().name())) {
            return meant.filter(volume -> volume.reachableFrom(node));
        }
        List<PersistentVolume> here = node.labels()
                .get(Node.HOSTNAME_LABEL)
                .map(host -> byHost.getOrDefault(host, List.of()))
                .orElse(List.of());
        return Stream.of(first(here, node, taken), first(elsewhere, node, taken))
                .flatMap(Optional::stream)
                .min(SMALLEST);
    }

    private static Optional<PersistentVolume> first(List<PersistentVolume> volumes, Node node, Set<String> taken) {
        for (PersistentVolume volume : volumes) {
            if (!taken.contains(volume.name()) && volume.reachableFrom(node)) {
                return Optional.of(volume);
            }
        }
        return Optional.empty();
    }

    /** The hostnames to which the volume is bound, if it is bound to hostnames. */
    private static Optional<List<String>> hosts(PersistentVolume volume) {
        List<NodeTerm> terms = volume.reach().nodes().orElse(List.of());
        return terms.size() != 1
                ? Optional.empty()
                : terms.get(0).labels().stream()
                        .filter(requirement -> requirement.key().equals(Node.HOSTNAME_LABEL)
                                && requirement.operator() == Requirement.Operator.IN)
                        .findFirst()
                        .map(Requirement::values);
    }
}
