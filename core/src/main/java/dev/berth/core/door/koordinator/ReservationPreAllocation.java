package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.koordinator.preallocation.PreAllocatedPods;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.door.koordinator.preallocation.PreAllocationRequest;
import dev.berth.core.door.koordinator.preallocation.PreAllocations;
import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.resource.ResourceName;
import java.util.Optional;
import java.util.Set;

/** Connects the reservations with the pods that they take over, before and after they have their place. */
final class ReservationPreAllocation {
    /** The rules of a request are not in the ledger, so they have no node. */
    private static final NodeUid NO_NODE = new NodeUid("none");

    private final PreAllocations requests;
    private final IgnoredResources ignored;
    private final DeploymentOwners deploymentOwners;
    private final PreAllocatedPods pods = new PreAllocatedPods();

    /** @param ignored the resources that no reservation restricts */
    ReservationPreAllocation(PreAllocations requests, IgnoredResources ignored, DeploymentOwners deploymentOwners) {
        this.requests = requests;
        this.ignored = ignored;
        this.deploymentOwners = deploymentOwners;
    }

    PreAllocations requests() {
        return requests;
    }

    PreAllocatedPods pods() {
        return pods;
    }

    /** Whether both versions request the same pods. Of a reservation that takes over pods every edit may change that. */
    static boolean isSameRequest(Reservation before, Reservation after) {
        return (preAllocation(before).isEmpty() && preAllocation(after).isEmpty())
                || before.spec().equals(after.spec());
    }

    private static Optional<PreAllocation> preAllocation(Reservation reservation) {
        return reservation.spec().flatMap(ReservationSpec::preAllocation);
    }

    /** The reservation waits for a placement. */
    void request(Reservation reservation, Pod reservePod, DoorHandle handle) {
        Optional<PreAllocationRequest> request = reservation
                .spec()
                .flatMap(spec ->
                        spec.preAllocation().map(how -> createRequest(reservation, spec, how, reservePod, handle)));
        request.ifPresentOrElse(it -> requests.put(it, handle), () -> requests.remove(reservePod.uid()));
    }

    private PreAllocationRequest createRequest(
            Reservation reservation, ReservationSpec spec, PreAllocation how, Pod reservePod, DoorHandle handle) {
        Hold rules = Hold.builder(
                        reservation.holdId(), NO_NODE, new Origin(Origin.DoorId.KOORDINATOR, reservation.toString()))
                .owners(spec.owners())
                .taints(spec.taints())
                .size(spec.template().spec().requests())
                .reservation(Optional.of(ReservationInfo.of(reservation.name(), spec.labels(), reservation.created())))
                .build();
        AllocatePolicy policy = spec.allocation().policy(spec.template().spec().requests(), ignored);
        Optional<Set<ResourceName>> restricted = policy instanceof AllocatePolicy.Restricted restrictedPolicy
                ? Optional.of(restrictedPolicy.resources())
                : Optional.empty();
        return new PreAllocationRequest(
                reservation.uid(),
                reservePod,
                how,
                deploymentOwners.withReplicaSets(reservation.uid(), rules, handle.ledger()),
                restricted);
    }

    /** The watch shows the reservation. */
    void onUpsert(ReservationState state, EventTarget target) {
        Reservation reservation = state.observed;
        Set<PodUid> taken =
                reservation.status().isAvailable() ? PreAllocatedCondition.podsIn(reservation.status()) : Set.of();
        Optional<String> annotation =
                state.served ? Optional.of(ReservationHoldFactory.allocatedAnnotation(reservation)) : Optional.empty();
        pods.put(reservation.uid(), new PreAllocatedPods.TakenOver(taken, annotation, target));
    }

    void onDelete(String reservationUid) {
        requests.remove(Reservation.reservePodUid(reservationUid));
        pods.remove(reservationUid);
    }
}
