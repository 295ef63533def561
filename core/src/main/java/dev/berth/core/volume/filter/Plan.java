package dev.berth.core.volume.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.VolumeClaim;
import java.util.List;

/**
 * How a pod's claims that wait for its place would get their volumes on one node.
 *
 * @param vetoes why they would not; then there is nothing else
 * @param matches volumes that are there
 * @param provisions claims for which a volume has to be made
 */
public record Plan(List<Veto> vetoes, List<Match> matches, List<VolumeClaim> provisions) {
    public Plan {
        vetoes = List.copyOf(vetoes);
        matches = List.copyOf(matches);
        provisions = List.copyOf(provisions);
    }

    /** A volume for a claim. */
    public record Match(PersistentVolume volume, VolumeClaim claim) {}

    static Plan refused(List<Veto> vetoes) {
        return new Plan(vetoes, List.of(), List.of());
    }

    /** Whether the pod can be bound without waiting for anything. */
    public boolean isDone() {
        return matches.isEmpty() && provisions.isEmpty();
    }
}
