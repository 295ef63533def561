package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.comeback.Departure.Place;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods on their way out, and those whose places are to be written, by UID, by hold and by name. */
final class DepartureIndex {
    private final Map<PodUid, Departure> departures = new LinkedHashMap<>();
    /** Of those whose places are to be written. */
    private final Map<HoldId, PodUid> byHold = new HashMap<>();
    /** The reservations to be, by their names. */
    private final Map<String, PodUid> byName = new HashMap<>();

    boolean isEmpty() {
        return departures.isEmpty();
    }

    boolean has(PodUid pod) {
        return departures.containsKey(pod);
    }

    boolean has(HoldId place) {
        return byHold.containsKey(place);
    }

    Optional<Departure> find(PodUid pod) {
        return Optional.ofNullable(departures.get(pod));
    }

    Optional<Departure> find(HoldId place) {
        return Optional.ofNullable(byHold.get(place)).flatMap(this::find);
    }

    /** Whether the reservation of another pod is to have this name. */
    boolean isPromised(String fullName, PodUid pod) {
        return !pod.equals(byName.getOrDefault(fullName, pod));
    }

    Collection<Departure> all() {
        return List.copyOf(departures.values());
    }

    /** Those whose places are to be written. */
    List<Departure> unwritten() {
        List<Departure> unwritten = new ArrayList<>(byHold.size());
        byHold.values().forEach(pod -> find(pod).ifPresent(unwritten::add));
        return unwritten;
    }

    void put(Departure departure) {
        departures.put(departure.pod().uid(), departure);
    }

    /** The place is to be written. */
    void put(Departure departure, Place place) {
        put(departure);
        byHold.put(place.hold().id(), departure.pod().uid());
        byName.put(place.fullName(), departure.pod().uid());
    }

    void remove(PodUid pod) {
        departures.remove(pod);
    }

    /** The pod and its place. */
    void remove(Departure departure) {
        PodUid uid = departure.pod().uid();
        departures.remove(uid);
        departure.place().ifPresent(place -> {
            byHold.remove(place.hold().id());
            byName.remove(place.fullName(), uid);
        });
    }
}
