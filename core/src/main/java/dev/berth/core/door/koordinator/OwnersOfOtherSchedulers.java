package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.text.NameList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reports owners that another scheduler bound. They do not use the reservation, usually because their scheduler name is
 * missing. Each pod is reported once, when it is bound. Pods that were bound before this process started are not
 * reported.
 */
final class OwnersOfOtherSchedulers {
    private static final RecordEvent.EventTemplate NOT_USED =
            RecordEvent.EventTemplate.warning("OwnerSchedulerNotServed", "Reserving");
    private static final int MAX_NAMED = 3;
    /** The limit for one reservation: a Deployment with thousands of pods must not flood the API server with events. */
    private static final int MAX_EVENTS = 5;

    private final KoordinatorSettings settings;
    /** The pods that no event has named yet, by the UID of their reservation. */
    private final Map<String, List<Pod>> unreportedPods = new LinkedHashMap<>();

    private final Map<String, Integer> eventCounts = new HashMap<>();
    private boolean listed;

    OwnersOfOtherSchedulers(KoordinatorSettings settings) {
        this.settings = settings;
    }

    void onPodUpsert(Optional<Pod> before, Pod pod, LedgerView ledger) {
        boolean newlyBound = listed
                && pod.nodeName().isPresent()
                && !pod.phase().isTerminal()
                && before.flatMap(Pod::nodeName).isEmpty();
        if (newlyBound
                && !settings.serves(pod.schedulerName())
                && !pod.spec().reservations().ignored()
                && ledger.claimBy(pod.uid()).isEmpty()) {
            findUnusedReservation(pod, ledger)
                    .ifPresent(uid -> unreportedPods
                            .computeIfAbsent(uid, none -> new ArrayList<>())
                            .add(pod));
        }
    }

    /** The reservation that the pod could have used: first on its own node, then on other nodes. */
    private static Optional<String> findUnusedReservation(Pod pod, LedgerView ledger) {
        Collection<OwnerRule> rules = ledger.rulesWithClaimableHolds(pod);
        return rules.isEmpty()
                ? Optional.empty()
                : Stream.concat(pod.nodeName().stream(), ledger.firstNodesWithClaimableHolds(rules, MAX_NAMED).stream())
                        .flatMap(name -> ledger.node(name).stream())
                        .flatMap(node -> ledger.claimableHolds(node, rules).stream())
                        .filter(Hold::isReservation)
                        .map(Hold::id)
                        .map(Reservation::reservationUid)
                        .findFirst();
    }

    void remove(String uid) {
        unreportedPods.remove(uid);
        eventCounts.remove(uid);
    }

    /** The events that are due. Call this only after all objects are listed. */
    List<Effect> drainEvents(Function<String, Optional<Reservation>> reservations) {
        listed = true;
        List<Effect> events = new ArrayList<>();
        unreportedPods.forEach((uid, pods) -> reservations.apply(uid).ifPresent(it -> {
            int count = eventCounts.merge(uid, 1, Integer::sum);
            if (count <= MAX_EVENTS) {
                events.add(ReservationEvents.event(
                        it, NOT_USED, message(pods, it.schedulerName()) + (count < MAX_EVENTS ? "" : lastEventNote())));
            }
        }));
        unreportedPods.clear();
        return events;
    }

    private static String message(List<Pod> pods, String schedulerName) {
        String names =
                NameList.first(MAX_NAMED, pods.stream().map(Pod::toString).toList());
        List<String> schedulers =
                pods.stream().map(Pod::schedulerName).distinct().sorted().toList();
        String binders =
                (schedulers.size() == 1 ? "scheduler " : "schedulers ") + NameList.first(MAX_NAMED, schedulers);
        String template = pods.size() == 1
                ? "Pod %s matches spec.owners, but %s bound it, so it does not use this Reservation. Set its"
                : "Pods %s match spec.owners, but %s bound them, so they do not use this Reservation. Set their";
        return (template + " spec.schedulerName to %s.").formatted(names, binders, schedulerName);
    }

    private static String lastEventNote() {
        return " Berth reports no more such pods of this Reservation until it restarts.";
    }
}
