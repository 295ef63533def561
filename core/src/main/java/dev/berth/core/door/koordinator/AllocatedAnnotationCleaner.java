package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Removes the annotation {@code reservation-allocated} from the pods of a reservation that failed or was deleted. An
 * annotation that names another reservation stays. A reservation that is deleted while no Berth runs leaves the
 * annotations on its pods: nothing shows then that they are outdated.
 */
final class AllocatedAnnotationCleaner implements DesiredWrites<PodUid, RemoveAllocatedAnnotation> {
    private final boolean enabled;
    /** The UID of the reservation that ended, by pod. */
    private final Map<PodUid, String> endedByPod = new HashMap<>();

    private final Reconciler<PodUid, RemoveAllocatedAnnotation> reconciler = new Reconciler<>(this);

    AllocatedAnnotationCleaner(boolean enabled) {
        this.enabled = enabled;
    }

    void onEnded(Reservation reservation, Handle handle) {
        if (!enabled) {
            return;
        }
        Set<PodUid> users = new TreeSet<>(reservation.status().currentOwnerUids());
        handle.ledger().holdState(reservation.holdId()).map(HoldState::claims).orElse(List.of()).stream()
                .filter(claim -> claim.confirmed())
                .forEach(claim -> users.add(claim.pod()));
        for (PodUid user : users) {
            endedByPod.put(user, reservation.uid());
            reconciler.markDirty(user);
        }
    }

    boolean isEmpty() {
        return endedByPod.isEmpty();
    }

    void onPodUpsert(Pod pod) {
        if (endedByPod.containsKey(pod.uid())) {
            reconciler.markDirty(pod.uid());
        }
    }

    void onPodDelete(Pod pod) {
        endedByPod.remove(pod.uid());
        reconciler.remove(pod.uid());
    }

    void onWriteResult(RemoveAllocatedAnnotation write, WriteResult writeResult, Handle handle) {
        reconciler.onResult(write.pod().uid(), write, writeResult, handle);
    }

    void reconcile(Handle handle) {
        reconciler.reconcile(handle);
    }

    int retryingWrites() {
        return reconciler.retryingCount();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    /** The UID of the pod is the only precondition of the write. */
    @Override
    public String observedVersion(PodUid pod) {
        return "";
    }

    @Override
    public Optional<RemoveAllocatedAnnotation> desiredWrite(PodUid uid, Handle handle) {
        @Nullable String ended = endedByPod.get(uid);
        if (ended == null) {
            return Optional.empty();
        }
        Optional<Pod> pod = handle.ledger().pod(uid).filter(it -> names(it, ended));
        if (pod.isEmpty()) {
            endedByPod.remove(uid);
        }
        return pod.map(it -> new RemoveAllocatedAnnotation(PodRef.of(it)));
    }

    private static boolean names(Pod pod, String reservation) {
        return ReservationRecord.reservationUidOn(pod).equals(Optional.of(reservation));
    }

    @Override
    public EventTarget eventTarget(RemoveAllocatedAnnotation write) {
        return EventTarget.of(write.pod());
    }

    @Override
    public String denialConsequence(RemoveAllocatedAnnotation write) {
        return "The annotation %s still names a Reservation that ended.".formatted(ReservationRecord.ANNOTATION);
    }
}
