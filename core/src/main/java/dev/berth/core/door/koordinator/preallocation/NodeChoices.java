package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sets of pods that a reservation can take over on one node, the best one first. With the resources of any of these
 * sets the reservation fits the node. Other filters are not considered.
 */
final class NodeChoices {
    /** The limit of sets that the filters evaluate for one node. */
    private static final int MAX_CHOICES = 16;

    /** The status of the reservation names each of the pods, and its length is limited. */
    private static final int MAX_PODS = 256;

    private final List<List<Pod>> choices = new ArrayList<>();
    private final PreAllocationRequest request;

    /** @param candidates the accepted candidates on the node, in their order */
    NodeChoices(PreAllocationRequest request, NodeState node, List<Pod> candidates) {
        this.request = request;
        if (request.preAllocation().multiple()) {
            addSets(node.free(), candidates);
        } else {
            addSinglePods(node.free(), candidates);
        }
    }

    private void addSinglePods(Resources free, List<Pod> candidates) {
        for (Pod pod : candidates) {
            if (choices.size() < MAX_CHOICES && fits(free.plus(taken(pod)))) {
                choices.add(List.of(pod));
            }
        }
    }

    /** A pod that would make the set exceed the reservation is skipped. */
    private void addSets(Resources free, List<Pod> candidates) {
        List<Pod> set = new ArrayList<>();
        Resources requests = Resources.NONE;
        Resources available = free;
        for (Pod pod : candidates) {
            Resources more = requests.plus(taken(pod));
            if (choices.size() < MAX_CHOICES && set.size() < MAX_PODS && CandidateFilter.isWithin(more, request)) {
                set.add(pod);
                requests = more;
                available = available.plus(taken(pod));
                if (fits(available)) {
                    choices.add(List.copyOf(set));
                }
            }
        }
    }

    private static Resources taken(Pod pod) {
        return PodSlot.addTo(pod.spec().requests());
    }

    private boolean fits(Resources available) {
        return request.size().fitsIn(available) && PodSlot.isFreeIn(available);
    }

    List<List<Pod>> all() {
        return choices;
    }

    boolean isEmpty() {
        return choices.isEmpty();
    }

    /** As in Koordinator: a single pod that fills the reservation is best, and of sets the smallest. */
    long score() {
        List<Pod> best = choices.get(0);
        return request.preAllocation().multiple()
                ? 100 / (1 + best.size())
                : CandidateOrder.fill(best.get(0).spec().requests(), request.size());
    }

    static Set<PodUid> uids(List<Pod> pods) {
        return pods.stream().map(Pod::uid).collect(Collectors.toUnmodifiableSet());
    }
}
