package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.ReturnKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A bound pod from its deletion until the watch shows its Reservation. */
final class DeletedPod {
    private final GodelReservationLifecycle lifecycle = GodelReservationLifecycle.ofTerminatingPod();
    private Pod pod;
    private Optional<PlannedReservation> planned = Optional.empty();

    /**
     * The Reservation that Berth creates for the pod.
     *
     * @param name of the Reservation
     */
    record PlannedReservation(String name, Hold hold, ReturnKey key, String nodeName, Duration ttl) {
        String namespacedName() {
            return GodelReservation.namespacedName(key.namespace(), name);
        }

        /** Whether the Reservation is the planned one, or larger: a user may have edited it already. */
        boolean isSatisfiedBy(GodelReservation reservation) {
            return name.equals(reservation.name())
                    && nodeName.equals(reservation.nodeName())
                    && key.key().equals(reservation.key())
                    && hold.size().fitsIn(reservation.size())
                    && Set.copyOf(reservation.hostPorts()).containsAll(hold.ports());
        }
    }

    DeletedPod(Pod pod) {
        this.pod = pod;
    }

    Pod pod() {
        return pod;
    }

    void setPod(Pod updated) {
        pod = updated;
    }

    GodelReservationLifecycle.State state() {
        return lifecycle.state();
    }

    /** Returns the state after the event. */
    GodelReservationLifecycle.State apply(GodelReservationLifecycle.Event event) {
        return lifecycle.apply(event);
    }

    Optional<PlannedReservation> planned() {
        return planned;
    }

    void setPlanned(Optional<PlannedReservation> value) {
        planned = value;
    }

    static GodelWrite.CreateReservation createWrite(Pod pod, PlannedReservation plannedReservation) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(GodelAnnotations.INDEX, plannedReservation.key().key());
        annotations.put(GodelAnnotations.PLACEHOLDER_UID, pod.uid().value());
        annotations.put(GodelAnnotations.ORIGINAL_POD, pod.name());
        annotations.put(
                GodelAnnotations.NODE_UID, plannedReservation.hold().node().value());
        Optional<Draw> draw = plannedReservation.hold().draw();
        draw.ifPresent(drawn ->
                annotations.put(GodelAnnotations.DRAWS_ON, drawn.source().value()));
        Successors.findRecordedHold(pod)
                .ifPresent(claimed -> annotations.put(
                        GodelAnnotations.CLAIMED_HOLD, claimed.holdId().value()));
        pod.controller().ifPresent(owner -> {
            annotations.put(GodelAnnotations.OWNER_TYPE, owner.kind());
            annotations.put(GodelAnnotations.OWNER, owner.name());
            if (StatefulSetOwners.isStatefulSet(owner) && !owner.uid().isEmpty()) {
                annotations.put(GodelAnnotations.OWNER_UID, owner.uid());
            }
        });
        GodelWrite.CreateReservation.ReservedPodTemplate template =
                new GodelWrite.CreateReservation.ReservedPodTemplate(
                        pod.schedulerName(),
                        pod.priority(),
                        pod.spec().requests(),
                        pod.spec().hostPorts());
        return new GodelWrite.CreateReservation(
                pod.namespace(),
                plannedReservation.name(),
                annotations,
                plannedReservation.nodeName(),
                plannedReservation.ttl(),
                template,
                draw);
    }
}
