package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.DeletedPod.PlannedReservation;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Creates the planned Reservations. */
final class GodelReservationCreator implements DesiredWrites<PodUid, GodelWrite.CreateReservation> {
    /** Chooses another name for a planned Reservation. */
    interface NameConflictHandler {
        /** Returns the planned Reservation under its new name. */
        PlannedReservation rename(DeletedPod deletedPod, PlannedReservation plannedReservation, DoorHandle handle);
    }

    private final DeletedPodIndex deletedPods;
    private final GodelReservationController reservations;
    private final NameConflictHandler nameConflictHandler;
    private final Reconciler<PodUid, GodelWrite.CreateReservation> reconciler = new Reconciler<>(this);
    /** Pods whose Reservation waits because its name is in use. Few of them wait for long. */
    private final Set<PodUid> awaitingName = new TreeSet<>();

    GodelReservationCreator(
            DeletedPodIndex deletedPods,
            GodelReservationController reservations,
            NameConflictHandler nameConflictHandler) {
        this.deletedPods = deletedPods;
        this.reservations = reservations;
        this.nameConflictHandler = nameConflictHandler;
    }

    void touch(PodUid pod) {
        reconciler.markDirty(pod);
    }

    void remove(PodUid pod) {
        reconciler.remove(pod);
        awaitingName.remove(pod);
    }

    /** Pods that wait for a name come last, so that they do not delay other pods. */
    void reconcile(DoorHandle handle) {
        if (sendDue(handle) && !awaitingName.isEmpty()) {
            awaitingName.forEach(reconciler::markDirty);
            awaitingName.clear();
            sendDue(handle);
        }
    }

    private boolean sendDue(DoorHandle handle) {
        return reconciler.forEachDue(handle, uid -> {
            Optional<DeletedPod> deletedPod = deletedPods.find(uid);
            deletedPod
                    .flatMap(DeletedPod::planned)
                    .ifPresentOrElse(
                            plannedReservation -> send(deletedPod.orElseThrow(), plannedReservation, handle),
                            () -> reconciler.remove(uid));
        });
    }

    /** If the name is in use, waits until it is free, or chooses another name if it will stay in use. */
    private void send(DeletedPod deletedPod, PlannedReservation plannedReservation, DoorHandle handle) {
        Pod pod = deletedPod.pod();
        if (!deletedPod.state().isCreateDesired()) {
            reconciler.reconcile(pod.uid(), handle);
            return;
        }
        Optional<Boolean> nameStaysInUse = reservations.willNameStayInUse(plannedReservation.namespacedName(), handle);
        if (nameStaysInUse.isEmpty()) {
            reconciler
                    .reconcile(pod.uid(), handle)
                    .ifPresent(sent -> deletedPod.apply(GodelReservationLifecycle.Event.CREATE_SENT));
        } else if (nameStaysInUse.get()
                && plannedReservation.name().equals(pod.name())
                && isUnclaimed(plannedReservation, handle)) {
            send(deletedPod, nameConflictHandler.rename(deletedPod, plannedReservation, handle), handle);
        } else {
            reconciler.postpone(pod.uid());
            awaitingName.add(pod.uid());
        }
    }

    /** A bind in flight has recorded the hold under its old name. */
    private static boolean isUnclaimed(PlannedReservation plannedReservation, DoorHandle handle) {
        return handle.ledger()
                .holdState(plannedReservation.hold().id())
                .filter(state -> !state.claims().isEmpty())
                .isEmpty();
    }

    /** An object that does not exist has no version. */
    @Override
    public String observedVersion(PodUid pod) {
        return "";
    }

    @Override
    public Optional<GodelWrite.CreateReservation> desiredWrite(PodUid pod, Handle handle) {
        return deletedPods
                .find(pod)
                .filter(deletedPod -> deletedPod.state().isCreateDesired())
                .flatMap(deletedPod -> deletedPod
                        .planned()
                        .map(plannedReservation -> DeletedPod.createWrite(deletedPod.pod(), plannedReservation)));
    }

    @Override
    public EventTarget eventTarget(GodelWrite.CreateReservation write) {
        return deletedPods
                .find(originalPodOf(write))
                .map(deletedPod -> EventTarget.of(Effect.PodRef.of(deletedPod.pod())))
                .orElseThrow(() -> new IllegalStateException(
                        "pod (%s) has no planned Reservation".formatted(originalPodOf(write))));
    }

    @Override
    public String denialConsequence(GodelWrite.CreateReservation write) {
        return "Until the Reservation is created, Berth holds the pod's capacity on node %s in memory only: until the TTL expires or Berth restarts."
                .formatted(write.nodeName());
    }

    static PodUid originalPodOf(GodelWrite.CreateReservation write) {
        return new PodUid(write.annotations().getOrDefault(GodelAnnotations.PLACEHOLDER_UID, ""));
    }

    /** Returns whether this is the result of the pod's latest create. */
    boolean onWriteResult(GodelWrite.CreateReservation write, WriteResult writeResult, DoorHandle handle) {
        return reconciler.onResult(originalPodOf(write), write, writeResult, handle);
    }

    int retrying() {
        return reconciler.retryingCount();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }
}
