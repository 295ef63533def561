package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Decides whether a reservation may take over a running pod. */
final class CandidateFilter {
    /** Whether a reservation with this UID exists and has not ended. */
    private final Predicate<String> isLiveReservation;

    CandidateFilter(Predicate<String> isLiveReservation) {
        this.isLiveReservation = isLiveReservation;
    }

    /** The pods of the node that use a hold or whose resources are promised to one. */
    static Set<PodUid> podsOfHolds(NodeState node, LedgerView ledger) {
        Set<PodUid> pods = new HashSet<>();
        for (HoldId id : node.holds()) {
            ledger.holdState(id).ifPresent(state -> addPodsOf(state, pods));
        }
        return pods;
    }

    private static void addPodsOf(HoldState state, Set<PodUid> pods) {
        state.claims().forEach(claim -> pods.add(claim.pod()));
        pods.addAll(state.hold().backers());
    }

    boolean accepts(Pod pod, NodeState node, PreAllocationRequest request) {
        return pod.isBoundAndActive()
                && !pod.spec().reservations().ignored()
                && !usesOtherReservation(pod, request)
                && matchesRules(pod, request)
                && request.rules().isSelectedBy(pod, node.node().labels())
                && sharesResource(pod.spec().requests(), request.size())
                && isWithin(PodSlot.addTo(pod.spec().requests()), request);
    }

    /**
     * By the annotation: a scheduler wrote it before the pod's claim was observed, or another program than Berth did. The
     * annotation of a reservation that ended stays on the pod and says nothing about the present.
     */
    private boolean usesOtherReservation(Pod pod, PreAllocationRequest request) {
        return ReservationRecord.reservationUidOn(pod)
                .filter(uid -> !uid.equals(request.reservationUid()) && isLiveReservation.test(uid))
                .isPresent();
    }

    /** In the mode Default an owner entry finds its pods by the labels, and then some entry must match the whole pod. */
    private static boolean matchesRules(Pod pod, PreAllocationRequest request) {
        boolean tolerates =
                request.rules().ownerRule().findUntoleratedTaint(pod).isEmpty();
        return tolerates
                && (request.preAllocation().mode() == PreAllocation.Mode.CLUSTER
                        || (request.rules().ownerRule().hasOwnerMatching(pod)
                                && request.rules().owners().stream()
                                        .anyMatch(owner -> owner.labels()
                                                .filter(selector -> selector.matches(pod.labels()))
                                                .isPresent())));
    }

    private static boolean sharesResource(Resources pod, Resources size) {
        for (int i = 0; i < size.size(); i++) {
            if (size.amountAt(i) > 0 && pod.get(size.nameAt(i)) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the reservation has as much of each resource that it restricts. */
    static boolean isWithin(Resources requests, PreAllocationRequest request) {
        for (ResourceName name : request.restricted().orElse(Set.of())) {
            if (requests.get(name) > request.size().get(name)) {
                return false;
            }
        }
        return true;
    }
}
