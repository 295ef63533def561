package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells a reservation of owners that another scheduler bound: they do not use the place, mostly because their author forgot
 * the scheduler's name. Each pod is told of once, when it is bound. What was bound before this process came is no news.
 */
final class ForeignOwners {
    private static final Announce.Kind NOT_USED = Announce.Kind.warning("OwnerOfAnotherScheduler", "Reserving");
    private static final int MOST_NAMED = 3;
    /** A Deployment of thousands must not fill the API server with events. */
    private static final int MOST_EVENTS = 5;

    private final ReservationSettings settings;
    /** By the UID of their reservation: those that no event has named yet. */
    private final Map<String, List<Pod>> bound = new LinkedHashMap<>();

    private final Map<String, Integer> told = new HashMap<>();
    private boolean listed;

    ForeignOwners(ReservationSettings settings) {
        this.settings = settings;
    }

    void seen(Optional<Pod> before, Pod pod, LedgerView ledger) {
        boolean news = listed
                && pod.nodeName().isPresent()
                && !pod.phase().terminal()
                && before.flatMap(Pod::nodeName).isEmpty();
        if (news
                && !settings.serves(pod.schedulerName())
                && ledger.claimBy(pod.uid()).isEmpty()) {
            passedBy(pod, ledger)
                    .ifPresent(uid -> bound.computeIfAbsent(uid, none -> new ArrayList<>())
                            .add(pod));
        }
    }

    /** The reservation that the pod could have used, on its own node before others. */
    private static Optional<String> passedBy(Pod pod, LedgerView ledger) {
        Collection<OwnerRule> rules = ledger.rulesFor(pod);
        return rules.isEmpty()
                ? Optional.empty()
                : Stream.concat(pod.nodeName().stream(), ledger.firstOffering(rules, MOST_NAMED).stream())
                        .flatMap(name -> ledger.node(name).stream())
                        .flatMap(node -> ledger.offers(node, rules).stream())
                        .filter(hold -> hold.origin().door() == Origin.Door.RESERVATION)
                        .map(Hold::id)
                        .map(Reservation::uidOf)
                        .findFirst();
    }

    void forget(String uid) {
        bound.remove(uid);
        told.remove(uid);
    }

    /** The events that are due. All that there was at the start is listed by now. */
    List<Effect> settle(Function<String, Optional<Reservation>> reservations) {
        listed = true;
        List<Effect> events = new ArrayList<>();
        bound.forEach((uid, pods) -> reservations.apply(uid).ifPresent(it -> {
            int count = told.merge(uid, 1, Integer::sum);
            if (count <= MOST_EVENTS) {
                events.add(Words.about(
                        it, NOT_USED, message(pods, it.schedulerName()) + (count < MOST_EVENTS ? "" : last())));
            }
        }));
        bound.clear();
        return events;
    }

    private static String message(List<Pod> pods, String schedulerName) {
        String names = named(pods.stream().map(Pod::toString).toList());
        List<String> schedulers =
                pods.stream().map(Pod::schedulerName).distinct().sorted().toList();
        String binders = (schedulers.size() == 1 ? "scheduler " : "schedulers ") + named(schedulers);
        String words = pods.size() == 1
                ? "Pod %s matches spec.owners, but %s bound it, so it does not use this Reservation. Set its"
                : "Pods %s match spec.owners, but %s bound them, so they do not use this Reservation. Set their";
        return (words + " spec.schedulerName to %s.").formatted(names, binders, schedulerName);
    }

    private static String named(List<String> all) {
        String first = all.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return all.size() > MOST_NAMED ? "%s (and %d more)".formatted(first, all.size() - MOST_NAMED) : first;
    }

    private static String last() {
        return " Berth reports no more such pods of this Reservation until it restarts.";
    }
}
