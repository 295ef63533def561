package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.text.NameList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Expired places of unbound pods, until they are reported by events and in the log. If the pod exists, the event is on
 * the pod, which outlives the StoredHold. Otherwise the event is on the StoredHold.
 */
final class ExpiredPlaceEvents {
    private static final RecordEvent.EventTemplate EXPIRED = RecordEvent.EventTemplate.normal("Expired", "Releasing");
    /** A message names at most this many pods. */
    private static final int MAX_PODS_NAMED = 8;

    private final Consumer<String> log;
    private final Map<ExpiredGroup, List<ReservedPlace>> places = new LinkedHashMap<>();

    private record ExpiredGroup(EventTarget target, String scheduler) {
        @Override
        public String toString() {
            return scheduler.isEmpty() ? target.toString() : "%s of scheduler %s".formatted(target, scheduler);
        }
    }

    ExpiredPlaceEvents(Consumer<String> log) {
        this.log = log;
    }

    /** A StoredHold that was never stored promised nothing: its caller receives a response. */
    void add(ReservedGroup group, ReservedPlace place, EventTarget hold) {
        if (group.durable()) {
            places.computeIfAbsent(new ExpiredGroup(hold, group.spec().schedulerName()), same -> new ArrayList<>())
                    .add(place);
        }
    }

    /** Call this only after all objects are listed: a pod that was bound while no Berth ran is unknown before. */
    void recordEvents(DoorHandle handle) {
        places.forEach((expiredGroup, all) -> {
            List<ReservedPlace> unused = all.stream()
                    .filter(place -> pod(place, handle).flatMap(Pod::nodeName).isEmpty())
                    .toList();
            if (!unused.isEmpty()) {
                recordEvents(expiredGroup, unused, handle);
            }
        });
        places.clear();
    }

    private void recordEvents(ExpiredGroup expiredGroup, List<ReservedPlace> unused, DoorHandle handle) {
        List<ReservedPlace> withoutPod = new ArrayList<>();
        for (ReservedPlace place : unused) {
            pod(place, handle)
                    .ifPresentOrElse(
                            pod -> handle.write(
                                    new RecordEvent(EventTarget.ofPod(pod), EXPIRED, message(expiredGroup, place))),
                            () -> withoutPod.add(place));
        }
        if (!withoutPod.isEmpty() && !expiredGroup.target().uid().isEmpty()) {
            handle.write(new RecordEvent(expiredGroup.target(), EXPIRED, message(withoutPod)));
        }
        log.accept("%s expired: %s".formatted(expiredGroup, message(unused)));
    }

    private static Optional<Pod> pod(ReservedPlace place, DoorHandle handle) {
        return handle.ledger().pod(place.pod().uid());
    }

    private static String message(ExpiredGroup expiredGroup, ReservedPlace place) {
        return "No scheduler bound the pod to node %s before its place there expired (%s). Its capacity is free."
                .formatted(place.node().name(), expiredGroup);
    }

    private static String message(List<ReservedPlace> unused) {
        String named = NameList.first(
                MAX_PODS_NAMED,
                unused.stream()
                        .map(place -> "%s on node %s"
                                .formatted(place.pod(), place.node().name())),
                unused.size());
        return unused.size() == 1
                ? "No scheduler bound pod %s before its place expired. Its capacity is free.".formatted(named)
                : "No scheduler bound pods %s before their places expired. Their capacity is free.".formatted(named);
    }
}
