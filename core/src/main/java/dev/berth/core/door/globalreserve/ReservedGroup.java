package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.EventTarget;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One StoredHold object, from the question for it until nothing is left of it. */
final class ReservedGroup {
    /** The later comes last. */
    static final Comparator<ReservedGroup> BY_AGE = Comparator.<ReservedGroup, Instant>comparing(
                    group -> group.spec.requestedAt())
            .thenComparing(group -> group.name);

    private final String name;
    /** The pods whose places have ended. */
    private final Set<PodUid> endedPods = new HashSet<>();
    /** Those of them whose places the object does not promise any more; old news may still say so. */
    private final Set<PodUid> releasedPods = new HashSet<>();
    /** The places that have not ended, by pod, in the order of the specification: asked for each pod of the group. */
    private final Map<PodUid, ReservedPlace> activePlaces = new LinkedHashMap<>();
    /** The places that have ended, and that the object, or a write of it that is under way, may still promise. */
    private final Map<PodUid, ReservedPlace> pendingReleases = new LinkedHashMap<>();

    private StoredHoldSpec spec;
    private boolean nodesUnchecked = true;
    private String uid = "";
    private boolean durable;
    private boolean deleted;
    /** Somebody edited the object into something that cannot be read. */
    private boolean malformed;

    private Optional<PendingResponse> pendingResponse;

    /** Somebody waits for the answer. */
    private record PendingResponse(Instant respondBy, ReserveCallback reserveCallback) {}

    private ReservedGroup(String name, StoredHoldSpec spec, Optional<PendingResponse> pendingResponse) {
        this.name = name;
        this.spec = spec;
        this.pendingResponse = pendingResponse;
        classifyPlaces();
    }

    private void classifyPlaces() {
        activePlaces.clear();
        pendingReleases.clear();
        for (ReservedPlace place : spec.places()) {
            PodUid pod = place.pod().uid();
            if (!endedPods.contains(pod)) {
                activePlaces.put(pod, place);
            } else if (!releasedPods.contains(pod)) {
                pendingReleases.put(pod, place);
            }
        }
    }

    static ReservedGroup requested(
            String name, StoredHoldSpec spec, Instant respondBy, ReserveCallback reserveCallback) {
        return new ReservedGroup(name, spec, Optional.of(new PendingResponse(respondBy, reserveCallback)));
    }

    static ReservedGroup observed(String name, StoredHoldSpec spec) {
        return new ReservedGroup(name, spec, Optional.empty());
    }

    String name() {
        return name;
    }

    String uid() {
        return uid;
    }

    EventTarget eventTarget() {
        return eventTarget(name, uid);
    }

    static EventTarget eventTarget(String name, String uid) {
        return new EventTarget(GlobalReserveDoor.API_VERSION, GlobalReserveDoor.KIND, "", name, uid, EventTarget.BERTH);
    }

    StoredHoldSpec spec() {
        return spec;
    }

    /** Whether it is written, so that its places are promised. */
    boolean durable() {
        return durable;
    }

    /** The API server shows it. What had ended before stays so, be it that the object does not say it yet. */
    void update(String itsUid, StoredHoldSpec itsSpec) {
        uid = itsUid;
        spec = itsSpec;
        Set<PodUid> before = Set.copyOf(pendingReleases.keySet());
        classifyPlaces();
        before.stream().filter(pod -> !pendingReleases.containsKey(pod)).forEach(releasedPods::add);
        nodesUnchecked = true;
        durable = true;
        malformed = false;
        if (deleted) {
            // Old news, or a creation that was on its way for long: deleting once more does no harm.
            deleted = false;
        }
    }

    /** The API server shows it, and it cannot be read: what was promised stays, and is written back. */
    void markMalformed(String itsUid) {
        uid = itsUid;
        malformed = true;
    }

    void markDurable() {
        durable = true;
    }

    /** Whether the scheduler of this name reserved it. */
    boolean isReservedBy(String scheduler) {
        return spec.schedulerName().equals(scheduler);
    }

    List<ReservedPlace> activePlaces() {
        return List.copyOf(activePlaces.values());
    }

    Optional<ReservedPlace> findActivePlace(PodUid pod) {
        return Optional.ofNullable(activePlaces.get(pod));
    }

    /**
     * The place that is kept for the pod: one that has not ended, or one that the object may still promise. A process that
     * starts reads that promise, so the room must not be given away before.
     */
    Optional<ReservedPlace> findHeldPlace(PodUid pod) {
        return findActivePlace(pod).or(() -> Optional.ofNullable(pendingReleases.get(pod)));
    }

    /** Whether it has a place that ended and that the object may still promise. */
    boolean hasPendingReleases() {
        return !pendingReleases.isEmpty();
    }

    /** The places whose nodes were not looked for since the group showed; each is returned once. */
    List<ReservedPlace> takePlacesWithUncheckedNodes() {
        if (!nodesUnchecked) {
            return List.of();
        }
        nodesUnchecked = false;
        return activePlaces();
    }

    /** No pod begins to use the place from now on. Its room is kept until the object does not promise it any more. */
    void endPlace(PodUid pod) {
        ReservedPlace place = activePlaces.remove(pod);
        if (place != null) {
            endedPods.add(pod);
            pendingReleases.put(pod, place);
        }
    }

    /** The place is over whatever the object says: its deadline has passed, or its node is gone. */
    void releasePlace(PodUid pod) {
        endPlace(pod);
        if (pendingReleases.remove(pod) != null) {
            releasedPods.add(pod);
        }
    }

    void endAllPlaces() {
        activePlaces().forEach(place -> endPlace(place.pod().uid()));
    }

    boolean isAwaitingResponse() {
        return pendingResponse.isPresent();
    }

    Optional<Instant> respondBy() {
        return pendingResponse.map(PendingResponse::respondBy);
    }

    /** Says whether all is well: nobody waits for a second answer, but who asked may have left before the first. */
    boolean respond(ReserveResponse response) {
        Optional<PendingResponse> waiting = pendingResponse;
        pendingResponse = Optional.empty();
        return waiting.isEmpty() || waiting.get().reserveCallback().onResponse(response);
    }

    List<String> podNames() {
        return spec.places().stream().map(place -> place.pod().name()).toList();
    }

    /** What brings the object to what is true. */
    Optional<StoredHoldWrite> desiredWrite() {
        if (activePlaces.isEmpty()) {
            return deleted ? Optional.empty() : Optional.of(new StoredHoldWrite.Delete(name, uid));
        }
        if (!durable) {
            return Optional.of(new StoredHoldWrite.Create(name, spec));
        }
        boolean isUpToDate = activePlaces.size() == spec.places().size() && !malformed;
        return isUpToDate || uid.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredHoldWrite.Update(name, uid, spec.withPlaces(activePlaces())));
    }

    /** The object is gone, and with it what it promised. */
    void markDeleted() {
        deleted = true;
        List.copyOf(pendingReleases.keySet()).forEach(this::releasePlace);
    }

    boolean isDeleted() {
        return deleted;
    }
}
