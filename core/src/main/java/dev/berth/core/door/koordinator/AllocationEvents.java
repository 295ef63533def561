package dev.berth.core.door.koordinator;

import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.text.NameList;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The events about pods that started or stopped to use a reservation. All changes of one status are one event of each kind,
 * and the number of events is limited: a shared reservation may have thousands of users, and their events would displace
 * all other events.
 */
final class AllocationEvents {
    static final int MAX_EVENTS = 20;
    static final Duration WINDOW = Duration.ofMinutes(10);

    private static final int MAX_NAMED = 3;
    private static final int MAX_REMEMBERED = 100;
    private static final RecordEvent.EventTemplate ALLOCATED =
            RecordEvent.EventTemplate.normal("Allocated", "Reserving");
    private static final RecordEvent.EventTemplate RELEASED = RecordEvent.EventTemplate.normal("Released", "Reserving");

    /** The UIDs of pods that were released. Their next event has another message: an equal one would not be written. */
    private final Set<String> released = new LinkedHashSet<>();

    private final List<RecordEvent> pending = new ArrayList<>();
    private Instant windowEnd = Instant.MIN;
    private int countInWindow;

    /** The watch shows another version of the reservation. */
    void onUpdate(Reservation before, Reservation after, Instant now) {
        List<CurrentOwner> past = before.status().currentOwners();
        List<CurrentOwner> present = after.status().currentOwners();
        if (!past.equals(present)) {
            Map<Boolean, List<CurrentOwner>> added = without(past, present).stream()
                    .collect(Collectors.partitioningBy(owner -> released.remove(owner.uid())));
            List<CurrentOwner> removed = without(present, past);
            add(
                    after,
                    ALLOCATED,
                    "uses the Reservation",
                    "use the Reservation",
                    added.getOrDefault(false, List.of()),
                    now);
            add(
                    after,
                    ALLOCATED,
                    "uses the Reservation again",
                    "use the Reservation again",
                    added.getOrDefault(true, List.of()),
                    now);
            add(after, RELEASED, "no longer uses the Reservation", "no longer use the Reservation", removed, now);
            remember(removed);
        }
    }

    private void remember(List<CurrentOwner> removed) {
        removed.forEach(owner -> released.add(owner.uid()));
        Iterator<String> oldest = released.iterator();
        while (released.size() > MAX_REMEMBERED) {
            oldest.next();
            oldest.remove();
        }
    }

    List<RecordEvent> drain() {
        List<RecordEvent> events = List.copyOf(pending);
        pending.clear();
        return events;
    }

    private void add(
            Reservation reservation,
            RecordEvent.EventTemplate kind,
            String one,
            String several,
            List<CurrentOwner> pods,
            Instant now) {
        if (pods.isEmpty()) {
            return;
        }
        if (!now.isBefore(windowEnd)) {
            windowEnd = now.plus(WINDOW);
            countInWindow = 0;
        }
        countInWindow++;
        if (countInWindow > MAX_EVENTS) {
            return;
        }
        List<String> names = pods.stream()
                .map(pod -> "%s/%s".formatted(pod.namespace(), pod.name()))
                .toList();
        String message = "%s %s %s"
                .formatted(
                        names.size() == 1 ? "Pod" : "Pods",
                        NameList.first(MAX_NAMED, names),
                        names.size() == 1 ? one : several);
        String limit = countInWindow == MAX_EVENTS
                ? ". Further changes have no event before %s".formatted(windowEnd.truncatedTo(ChronoUnit.SECONDS))
                : "";
        pending.add(ReservationEvents.event(reservation, kind, message + limit));
    }

    /** The second list without the users of the first. */
    private static List<CurrentOwner> without(List<CurrentOwner> removed, List<CurrentOwner> all) {
        Set<String> uids = new HashSet<>();
        removed.forEach(owner -> uids.add(owner.uid()));
        return all.stream().filter(owner -> !uids.contains(owner.uid())).toList();
    }
}
