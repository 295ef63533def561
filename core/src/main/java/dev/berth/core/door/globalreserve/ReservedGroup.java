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

/** One StoredHold object, from the request until all its places are released. */
final class ReservedGroup {
    /** Sorts groups by age, the latest last. */
    static final Comparator<ReservedGroup> BY_AGE = Comparator.<ReservedGroup, Instant>comparing(
                    group -> group.spec.requestedAt())
            .thenComparing(group -> group.name);

    private final String name;
    /** The pods whose places have ended. */
    private final Set<PodUid> endedPods = new HashSet<>();
    /**
     * The pods among them whose places the object no longer contains. A stale version of the object may still contain
     * them.
     */
    private final Set<PodUid> releasedPods = new HashSet<>();
    /** The active places, by pod, in the order of the spec. They are looked up for each pod of the group. */
    private final Map<PodUid, ReservedPlace> activePlaces = new LinkedHashMap<>();
    /** The ended places that the object, or a write of it in flight, may still contain. */
    private final Map<PodUid, ReservedPlace> pendingReleases = new LinkedHashMap<>();

    private StoredHoldSpec spec;
    private boolean nodesUnchecked = true;
    private String uid = "";
    private boolean durable;
    private boolean deleted;
    /** A user edited the object, and it is malformed now. */
    private boolean malformed;

    private Optional<PendingResponse> pendingResponse;

    /** The caller waits for the response. */
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

    /** Whether the object is stored, so that its places are promised. */
    boolean durable() {
        return durable;
    }

    /** The watch shows the object. Places that ended stay ended, even if the object does not show that yet. */
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
            // A stale version of the object, or a create that was in flight for long: deleting the object once more
            // does no harm.
            deleted = false;
        }
    }

    /** The watch shows the object, and it is malformed. The promised places stay, and the object is written back. */
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
     * The held place of the pod: an active one, or an ended one that the object may still contain. A restarted Berth
     * reads that object, so the place must not be released before.
     */
    Optional<ReservedPlace> findHeldPlace(PodUid pod) {
        return findActivePlace(pod).or(() -> Optional.ofNullable(pendingReleases.get(pod)));
    }

    /** Whether it has an ended place that the object may still contain. */
    boolean hasPendingReleases() {
        return !pendingReleases.isEmpty();
    }

    /** The places whose nodes were not checked since the watch showed the group. Each is returned once. */
    List<ReservedPlace> takePlacesWithUncheckedNodes() {
        if (!nodesUnchecked) {
            return List.of();
        }
        nodesUnchecked = false;
        return activePlaces();
    }

    /** No pod may start to use the place from now on. It stays held until the object no longer contains it. */
    void endPlace(PodUid pod) {
        ReservedPlace place = activePlaces.remove(pod);
        if (place != null) {
            endedPods.add(pod);
            pendingReleases.put(pod, place);
        }
    }

    /** The place ends even if the object contains it: its deadline has passed, or its node was deleted. */
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

    /** Sends the response. Returns false only if the caller no longer waits for its first response. */
    boolean respond(ReserveResponse response) {
        Optional<PendingResponse> waiting = pendingResponse;
        pendingResponse = Optional.empty();
        return waiting.isEmpty() || waiting.get().reserveCallback().onResponse(response);
    }

    List<String> podNames() {
        return spec.places().stream().map(place -> place.pod().name()).toList();
    }

    /** The write that the object needs. */
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

    /** The object was deleted, and its places end. */
    void markDeleted() {
        deleted = true;
        List.copyOf(pendingReleases.keySet()).forEach(this::releasePlace);
    }

    boolean isDeleted() {
        return deleted;
    }
}
