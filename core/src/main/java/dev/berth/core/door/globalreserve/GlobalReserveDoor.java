package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.PodListener;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Holds places for groups of pods that other schedulers will bind. {@link ReserveRequests} decides on a group as a whole.
 * The places are held at once, and promised when the group's StoredHold object is stored. {@link ReservedGroupController}
 * ends a place when its pod is bound to any node by any scheduler, when the pod or the node is deleted, at the deadline, or
 * when the scheduler unreserves it. The resources stay held until the StoredHold no longer contains the place: the next
 * process that reads the object would hold them again.
 */
public final class GlobalReserveDoor implements Door, PodListener<DoorHandle> {
    public static final String API_VERSION = "berth.dev/v1alpha1";
    public static final String KIND = "StoredHold";

    private final ReservedGroupController groups;
    private final ReserveRequests requests;

    public GlobalReserveDoor(GlobalReserveSettings settings) {
        this(settings, message -> {});
    }

    /** @param log gets a line for each place that expired unused: the caller has its response already */
    public GlobalReserveDoor(GlobalReserveSettings settings, Consumer<String> log) {
        this.groups = new ReservedGroupController(log);
        this.requests = new ReserveRequests(settings, groups);
    }

    @Override
    public Origin.DoorId id() {
        return Origin.DoorId.GLOBALRESERVE;
    }

    /** Decides on a group. Call this only after all objects are listed. */
    public void reserve(ReserveRequest request, DoorHandle handle, ReserveCallback reserveCallback) {
        requests.decide(request, handle, reserveCallback).ifPresent(group -> groups.add(group, handle));
    }

    /**
     * Releases what the requesting scheduler has reserved for the pods, on any node. Reservations of other schedulers
     * stay. The response names those pods, but not those schedulers: their names would only help a caller with a false
     * name.
     */
    public ReserveResponse unreserve(ReserveRequest request, DoorHandle handle) {
        return requests.unreserve(request, handle);
    }

    @Override
    public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
        if (fact instanceof StoredHoldFact.Upserted upserted) {
            upserted.spec()
                    .findProblem(handle.now())
                    .map(problem -> new StoredHoldFact.Malformed(upserted.name(), upserted.uid(), problem))
                    .ifPresentOrElse(
                            malformed -> groups.onMalformed(malformed, handle),
                            () -> groups.onUpsert(upserted, handle));
        } else if (fact instanceof StoredHoldFact.Malformed malformed) {
            groups.onMalformed(malformed, handle);
        } else if (fact instanceof StoredHoldFact.Deleted deleted) {
            groups.onDelete(deleted.uid(), handle);
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    @Override
    public boolean ignoresPlainPods() {
        return !groups.index().hasAny();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        if (groups.index().hasAny(pod.uid())) {
            ReservedPlaceEnds.endReason(pod).ifPresent(why -> groups.placeEnds().endPlacesOf(pod.uid(), why, handle));
        }
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        if (groups.index().hasAny(pod.uid())) {
            groups.placeEnds().endPlacesOf(pod.uid(), "was deleted", handle);
        }
    }

    @Override
    public void onHoldEnded(Hold hold, EndReason why, DoorHandle handle) {
        groups.placeEnds().onHoldEnded(hold, why, handle);
    }

    @Override
    public Optional<EventTarget> findEventTarget(HoldId hold) {
        return groups.findEventTarget(hold);
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, DoorHandle handle) {
        groups.onWriteResult((StoredHoldWrite) write, writeResult, handle);
    }

    @Override
    public void reconcile(DoorHandle handle) {
        requests.failOverdue(handle);
        boolean holdsInSync = groups.syncPendingHolds(handle);
        requests.decidePostponed(handle);
        groups.reconcile(holdsInSync, handle);
    }

    @Override
    public int retryingWrites() {
        return groups.retryingWrites();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Instants.earliest(groups.nextWake(), requests.nextWake());
    }
}
