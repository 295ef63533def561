package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The running pods that the statuses of reservations list as taken over. Each of them gets the annotation by which
 * Koordinator's users see its reservation. The status is written first. So no pod ever has the annotation of a reservation
 * that did not get its place, and a restarted Berth writes the annotations that are missing.
 */
public final class PreAllocatedPods implements DesiredWrites<PodUid, AnnotatePod> {
    private final Map<String, TakenOver> byReservation = new HashMap<>();
    private final SetMultimap<PodUid, String> reservationsByPod = SetMultimap.sorted();
    private final Reconciler<PodUid, AnnotatePod> reconciler = new Reconciler<>(this);

    /**
     * The pods of one reservation.
     *
     * @param annotation the value of the annotation; empty if Berth does not write it
     */
    public record TakenOver(Set<PodUid> pods, Optional<String> annotation, EventTarget target) {
        public TakenOver {
            pods = Set.copyOf(pods);
        }
    }

    /** Replaces the pods of the reservation. */
    public void put(String reservationUid, TakenOver takenOver) {
        if (takenOver.equals(byReservation.get(reservationUid))) {
            return;
        }
        remove(reservationUid);
        if (!takenOver.pods().isEmpty()) {
            byReservation.put(reservationUid, takenOver);
            takenOver.pods().forEach(pod -> {
                reservationsByPod.add(pod, reservationUid);
                reconciler.markDirty(pod);
            });
        }
    }

    public void remove(String reservationUid) {
        @Nullable TakenOver before = byReservation.remove(reservationUid);
        if (before != null) {
            for (PodUid pod : before.pods()) {
                reservationsByPod.remove(pod, reservationUid);
                if (!reservationsByPod.containsKey(pod)) {
                    reconciler.remove(pod);
                }
            }
        }
    }

    /** The pod changed or was deleted. Returns the reservations that take it over. */
    public Set<String> onPodChanged(Pod pod) {
        if (!reservationsByPod.containsKey(pod.uid())) {
            return Set.of();
        }
        reconciler.markDirty(pod.uid());
        return reservationsByPod.get(pod.uid());
    }

    public void onWriteResult(AnnotatePod write, WriteResult result, Handle handle) {
        if (reservationsByPod.containsKey(write.pod().uid())) {
            reconciler.onResult(write.pod().uid(), write, result, handle);
        }
    }

    /** Sends the annotations that are missing. */
    public void reconcile(Handle handle) {
        reconciler.reconcile(handle);
    }

    public int retryingWrites() {
        return reconciler.retryingCount();
    }

    public Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    @Override
    public String observedVersion(PodUid pod) {
        return "";
    }

    @Override
    public Optional<AnnotatePod> desiredWrite(PodUid uid, Handle handle) {
        Optional<String> value = takenOver(uid).flatMap(TakenOver::annotation);
        return value.flatMap(desired -> handle.ledger()
                .pod(uid)
                .filter(Pod::isBoundAndActive)
                .filter(pod -> !pod.annotations().has(RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED, desired))
                .map(pod -> new AnnotatePod(PodRef.of(pod), desired)));
    }

    private Optional<TakenOver> takenOver(PodUid pod) {
        return reservationsByPod.get(pod).stream()
                .findFirst()
                .flatMap(reservation -> Optional.ofNullable(byReservation.get(reservation)));
    }

    @Override
    public EventTarget eventTarget(AnnotatePod write) {
        return takenOver(write.pod().uid()).map(TakenOver::target).orElseGet(() -> EventTarget.of(write.pod()));
    }

    @Override
    public String denialConsequence(AnnotatePod write) {
        return "The Reservation takes over pod %s, but the pod lacks the annotation %s."
                .formatted(write.pod(), RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED);
    }
}
