package dev.berth.core.door.reserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Places whose time was over before a scheduler bound their pods, until events and the log have said so. A pod that exists
 * gets the event itself, as it outlives the Hold; for the others the Hold gets one.
 */
final class ExpiredPlaces {
    private static final Announce.Kind TIME_OUT = Announce.Kind.normal("TimeOut", "Releasing");
    /** So many pods a message names. */
    private static final int PODS_NAMED = 8;

    private final Consumer<String> log;
    private final Map<Expired, List<Place>> places = new LinkedHashMap<>();

    private record Expired(Subject hold, String scheduler) {
        @Override
        public String toString() {
            return scheduler.isEmpty() ? hold.toString() : "%s of scheduler %s".formatted(hold, scheduler);
        }
    }

    ExpiredPlaces(Consumer<String> log) {
        this.log = log;
    }

    /** A Hold that was never written kept nothing that anybody was promised: its caller is answered. */
    void add(Group group, Place place, Subject hold) {
        if (group.durable()) {
            places.computeIfAbsent(new Expired(hold, group.spec().scheduler()), same -> new ArrayList<>())
                    .add(place);
        }
    }

    /** To be called when everything was listed: a pod that was bound while no Berth ran shows only then. */
    void announce(Desk desk) {
        places.forEach((expired, all) -> {
            List<Place> unused = all.stream()
                    .filter(place -> pod(place, desk).flatMap(Pod::nodeName).isEmpty())
                    .toList();
            if (!unused.isEmpty()) {
                announce(expired, unused, desk);
            }
        });
        places.clear();
    }

    private void announce(Expired expired, List<Place> unused, Desk desk) {
        List<Place> ofNoPod = new ArrayList<>();
        for (Place place : unused) {
            pod(place, desk)
                    .ifPresentOrElse(
                            pod -> desk.write(new Announce(subject(pod), TIME_OUT, note(expired, place))),
                            () -> ofNoPod.add(place));
        }
        if (!ofNoPod.isEmpty() && !expired.hold().uid().isEmpty()) {
            desk.write(new Announce(expired.hold(), TIME_OUT, note(ofNoPod)));
        }
        log.accept("%s expired: %s".formatted(expired, note(unused)));
    }

    private static Optional<Pod> pod(Place place, Desk desk) {
        return desk.ledger().pod(place.pod().uid());
    }

    private static Subject subject(Pod pod) {
        return new Subject("v1", "Pod", pod.namespace(), pod.name(), pod.uid().value(), Subject.BERTH);
    }

    private static String note(Expired expired, Place place) {
        return "No scheduler bound the pod to node %s before its place there expired (%s). Its room is free."
                .formatted(place.node().name(), expired);
    }

    private static String note(List<Place> unused) {
        String named = unused.stream()
                .limit(PODS_NAMED)
                .map(place ->
                        "%s on node %s".formatted(place.pod(), place.node().name()))
                .collect(Collectors.joining(", "));
        return unused.size() == 1
                ? "No scheduler bound pod %s before its place expired. Its room is free.".formatted(named)
                : "No scheduler bound pods %s%s before their places expired. Their room is free."
                        .formatted(
                                named,
                                unused.size() > PODS_NAMED ? " and %d more".formatted(unused.size() - PODS_NAMED) : "");
    }
}
