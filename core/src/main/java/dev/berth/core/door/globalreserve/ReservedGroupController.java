package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.reconcile.ObjectHandler;
import dev.berth.core.reconcile.ReportedMessages;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The groups from their request until their StoredHold objects are deleted. The {@link ObjectController} writes the
 * objects. The holds are kept by pod, not by object: see {@link ReservedPlaceHolds}.
 */
final class ReservedGroupController implements ObjectHandler<String, ReservedGroup, StoredHoldWrite> {
    private static final RecordEvent.EventTemplate MALFORMED =
            RecordEvent.EventTemplate.warning("InvalidStoredHold", "Reading");

    /** By name: a group has its name before the API server gives its object a UID. */
    private final ObjectController<String, ReservedGroup, StoredHoldWrite> groups = new ObjectController<>(this);

    private final ReservedGroupIndex index = new ReservedGroupIndex(groups::find);
    private final ReservedPlaceHolds placeHolds = new ReservedPlaceHolds(index);
    private final ReservedPlaceEnds placeEnds;
    /** By UID: an object that was malformed from the start has no group. */
    private final ReportedMessages<String> reported = new ReportedMessages<>();

    private Instant latestRequestedAt = Instant.MIN;

    /** @param log gets a line for each place that expired unused */
    ReservedGroupController(Consumer<String> log) {
        this.placeEnds = new ReservedPlaceEnds(groups, index, placeHolds, log);
    }

    ReservedGroupIndex index() {
        return index;
    }

    ReservedPlaceEnds placeEnds() {
        return placeEnds;
    }

    PendingReleases pendingReleases() {
        return placeHolds.pendingReleases();
    }

    /** Whether the API server denied the latest write of the group's object. */
    boolean isDenied(String name) {
        return groups.isDenied(name);
    }

    /** Later than the times of all known objects, by any clock: of two objects for one pod the later one is used. */
    Instant nextRequestedAt(Instant now) {
        Instant next = latestRequestedAt.equals(Instant.MIN) ? now : latestRequestedAt.plusMillis(1);
        latestRequestedAt = now.isAfter(next) ? now : next;
        return latestRequestedAt;
    }

    /** Holds the places of a new group and creates its object. */
    void add(ReservedGroup group, DoorHandle handle) {
        groups.upsert(group.name(), group, handle);
        index.add(group);
        placeHolds.syncAll(group, handle);
    }

    void onUpsert(StoredHoldFact.Upserted object, DoorHandle handle) {
        reported.remove(object.uid());
        latestRequestedAt = latestRequestedAt.isAfter(object.spec().requestedAt())
                ? latestRequestedAt
                : object.spec().requestedAt();
        Optional<ReservedGroup> existing = groups.find(object.name());
        ReservedGroup group = existing.orElseGet(() -> ReservedGroup.observed(object.name(), object.spec()));
        StoredHoldSpec before = group.spec();
        index.update(group, object);
        groups.upsert(group.name(), group, handle);
        onDurable(group, handle);
        if (existing.isPresent() && before.equals(object.spec())) {
            placeHolds.syncLater(group);
        } else {
            // A pod of both specs is synced once.
            Set<PodUid> pods = new LinkedHashSet<>();
            before.places().forEach(place -> pods.add(place.pod().uid()));
            object.spec().places().forEach(place -> pods.add(place.pod().uid()));
            pods.forEach(pod -> placeHolds.sync(pod, handle));
        }
    }

    /**
     * A StoredHold is Berth's own record of its promises, so an edit does not remove a promise. This process cannot
     * hold what it never read.
     */
    void onMalformed(StoredHoldFact.Malformed object, DoorHandle handle) {
        Optional<ReservedGroup> existing = groups.find(object.name());
        Optional<ReservedGroup> promised = existing.filter(group ->
                group.durable() && (group.uid().isEmpty() || group.uid().equals(object.uid())));
        promised.ifPresentOrElse(
                group -> {
                    index.markMalformed(group, object.uid());
                    groups.markDirty(group.name());
                },
                () -> existing.ifPresent(group -> onDelete(group, handle)));
        String message = promised.isPresent()
                ? "Berth restores the spec as it was before the edit: " + object.problem()
                : "Berth reserves nothing for this object: " + object.problem();
        if (reported.replace(object.uid(), MALFORMED.reason(), message)) {
            handle.write(new RecordEvent(ReservedGroup.eventTarget(object.name(), object.uid()), MALFORMED, message));
        }
    }

    void onDelete(String uid, DoorHandle handle) {
        reported.remove(uid);
        index.findByUid(uid).ifPresent(group -> onDelete(group, handle));
    }

    /** The object was deleted, by a user or by Berth: no place of the group is left. */
    private void onDelete(ReservedGroup group, DoorHandle handle) {
        group.spec().places().forEach(place -> group.releasePlace(place.pod().uid()));
        placeHolds.syncAll(group, handle);
        group.respond(
                ReserveResponse.rejected(group.podNames(), "A user deleted StoredHold " + group.name(), List.of()));
        remove(group, handle);
    }

    private void remove(ReservedGroup group, DoorHandle handle) {
        index.remove(group);
        groups.remove(group.name(), handle);
    }

    Optional<EventTarget> findEventTarget(HoldId hold) {
        return placeHolds.findPod(hold).map(index::findHolding).orElse(List.of()).stream()
                .filter(group -> group.durable() && !group.uid().isEmpty())
                .filter(group -> group.spec().places().stream()
                        .anyMatch(place -> ReservedPlaceHolds.holdId(
                                        place, group.spec().schedulerName())
                                .equals(hold)))
                .findFirst()
                .map(ReservedGroup::eventTarget);
    }

    void onWriteResult(StoredHoldWrite write, WriteResult writeResult, DoorHandle handle) {
        groups.find(write.name()).ifPresent(group -> {
            if (write instanceof StoredHoldWrite.Create create) {
                onCreateResult(group, create, writeResult, handle);
                return;
            }
            groups.onWriteResult(write, writeResult, handle);
            boolean isMissing = writeResult.kind() == WriteResult.ResultKind.NOT_FOUND;
            boolean isDone = isMissing || writeResult.kind() == WriteResult.ResultKind.WRITTEN;
            if (isDone && write instanceof StoredHoldWrite.Delete) {
                onObjectDeleted(group);
            } else if (isMissing) {
                onDelete(group, handle);
            }
        });
    }

    private void onCreateResult(
            ReservedGroup group, StoredHoldWrite.Create write, WriteResult writeResult, DoorHandle handle) {
        switch (writeResult.kind()) {
            case WRITTEN -> {
                groups.onWriteResult(write, writeResult, handle);
                group.markDurable();
                onDurable(group, handle);
                groups.markDirty(group.name());
                placeHolds.syncLater(group);
            }
            // Names are unique, so the existing object is this one: a response was lost, and the watch will show the
            // object.
            case CONFLICT -> groups.onWriteResult(write, writeResult, handle);
            // The caller gets a rejection and may retry: nothing is left to write.
            case NOT_FOUND, DENIED -> {
                groups.clearWrite(group.name());
                placeEnds.fail(
                        group,
                        "The API server rejected the reservation: %s. Check that the CRDs and roles of 'berth install' are applied"
                                .formatted(writeResult.message()),
                        handle);
                // An earlier attempt whose response was lost may have created the object: if the watch shows it, it is
                // deleted.
                onObjectDeleted(group);
            }
        }
    }

    /**
     * The object is stored. A place has ended already if the same scheduler has a newer place for the pod, or if the pod was
     * bound, finished or deleted. If the caller no longer waits, the group is released, and older promises stay.
     */
    private void onDurable(ReservedGroup group, DoorHandle handle) {
        if (!group.respond(ReserveResponse.SUCCESS)) {
            group.endAllPlaces();
        }
        for (ReservedPlace place : group.activePlaces()) {
            PodUid pod = place.pod().uid();
            handle.ledger().pod(pod).flatMap(ReservedPlaceEnds::endReason).ifPresent(why -> group.endPlace(pod));
            List<ReservedGroup> promised = index.findActive(pod, group.spec().schedulerName()).stream()
                    .filter(ReservedGroup::durable)
                    .toList();
            for (ReservedGroup older : promised.subList(0, Math.max(0, promised.size() - 1))) {
                older.endPlace(pod);
                groups.markDirty(older.name());
            }
        }
    }

    /** The API server no longer has the object. Its resources are released as far as turns have time. */
    private void onObjectDeleted(ReservedGroup group) {
        index.markDeleted(group);
        placeHolds.syncLater(group);
    }

    /** Syncs the holds that {@link ReservedPlaceHolds#syncLater} left; returns whether the turn had time for all of them. */
    boolean syncPendingHolds(DoorHandle handle) {
        return placeHolds.syncPending(handle);
    }

    /** @param holdsInSync whether the ledger has all holds as the groups say */
    void reconcile(boolean holdsInSync, DoorHandle handle) {
        boolean isDone = holdsInSync && groups.reconcile(handle);
        placeEnds.recordEvents(handle);
        if (isDone) {
            index.drainExpired(handle.now()).forEach(group -> remove(group, handle));
        }
    }

    int retryingWrites() {
        return groups.retryingWrites();
    }

    Optional<Instant> nextWake() {
        return groups.nextWake();
    }

    @Override
    public String keyOf(StoredHoldWrite write) {
        return write.name();
    }

    @Override
    public EventTarget eventTarget(ReservedGroup group) {
        return group.eventTarget();
    }

    /** Everything is listed: a node that is not in the ledger does not exist. */
    @Override
    public void beforeWrite(ReservedGroup group, DoorHandle handle) {
        for (ReservedPlace place : group.takePlacesWithUncheckedNodes()) {
            PodUid pod = place.pod().uid();
            boolean nodeGone = handle.ledger()
                    .holdState(ReservedPlaceHolds.holdId(place, group.spec().schedulerName()))
                    .flatMap(HoldState::nodeName)
                    .isEmpty();
            if (nodeGone) {
                placeEnds.endPlaceOnLostNode(group, pod, handle);
                placeHolds.sync(pod, handle);
            }
        }
    }

    /** These writes have the object's UID as a precondition, not its version. */
    @Override
    public Optional<StoredHoldWrite> desiredWrite(ReservedGroup group, Handle handle) {
        return group.desiredWrite();
    }

    @Override
    public String denialConsequence(ReservedGroup group, StoredHoldWrite write) {
        return group.hasPendingReleases()
                ? "The resources of ended places stay held, and no pod can use them, until the write succeeds or until %s."
                        .formatted(group.spec().deadline().truncatedTo(ChronoUnit.SECONDS))
                : "The resources of ended places are free already.";
    }
}
