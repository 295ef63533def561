package dev.berth.core.volume.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volume.VolumeClaim;
import java.util.List;
import java.util.Optional;

/**
 * What the claims of one pod come to, whichever node it goes to.
 *
 * @param problem why it can go nowhere as things are
 * @param bound those whose volumes are there
 * @param waiting those that get a volume when the pod is placed, as the pod names them, each with the volumes it could have
 * @param rivals who uses a claim that is for one pod alone
 * @param zones what the labels of the volumes demand of a node's
 */
record PodClaims(
        Optional<Veto> problem,
        List<VolumeClaim> bound,
        List<Candidates> waiting,
        List<Mentions.User> rivals,
        List<Zones.Demand> zones) {
    PodClaims {
        bound = List.copyOf(bound);
        waiting = List.copyOf(waiting);
        rivals = List.copyOf(rivals);
        zones = List.copyOf(zones);
    }

    static PodClaims of(Veto problem) {
        return new PodClaims(Optional.of(problem), List.of(), List.of(), List.of(), List.of());
    }
}
