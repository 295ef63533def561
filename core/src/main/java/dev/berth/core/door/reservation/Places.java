package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldPolicy;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Records;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a reservation keeps in the ledger. */
final class Places {
    /** The annotation by which Koordinator's users know that a pod uses a reservation. */
    private static final String RECORD = Records.KOORDINATOR;

    private Places() {}

    /**
     * Empty where there is no place, or on no node that is known. Room that the status promises, or that a status under way
     * may promise, is kept until the status says that the reservation is over: the next process that reads the status will
     * keep it. Another scheduler may never write that: its reservations end by their time, too. Berth writes it of those that it
     * served before.
     */
    static Optional<Hold> hold(Entry entry, LedgerView ledger, Instant now) {
        Reservation reservation = entry.seen;
        if (entry.lost || (!entry.served && entry.leftAt().isEmpty() && entry.endedBy(now))) {
            return Optional.empty();
        }
        Optional<Hold> hold = reservation.status().available()
                ? node(reservation, ledger).map(node -> available(entry, node.uid()))
                : reservation
                        .terms()
                        .flatMap(terms -> entry.found
                                .filter(place -> reservation.pending())
                                .map(place -> unpromised(reservation, terms, place.node())));
        return entry.overBy(now).map(why -> hold.map(it -> closed(it, why))).orElse(hold);
    }

    /** The same for no pod more, and without an end of its own. */
    private static Hold closed(Hold hold, String why) {
        return hold.toBuilder()
                .closed(Optional.of(why))
                .deadline(Optional.empty())
                .build();
    }

    /**
     * The node that the status names. Koordinator's status has no field for its UID: a node that was created after the
     * reservation got its place is another one of the same name. Both times have whole seconds; within one second a
     * replaced node cannot be told from a node that was just registered.
     */
    static Optional<Node> node(Reservation reservation, LedgerView ledger) {
        Status status = reservation.status();
        return ledger.node(status.nodeName())
                .map(NodeState::node)
                .filter(node -> status.scheduled()
                        .filter(at ->
                                node.created().truncatedTo(ChronoUnit.SECONDS).isAfter(at))
                        .isEmpty());
    }

    /** The room is kept, but nobody may use it before that is written. */
    private static Hold unpromised(Reservation reservation, Terms terms, NodeUid node) {
        return Hold.builder(reservation.holdId(), node, origin(reservation))
                .size(withSlot(terms.template().shape().requests()))
                .ports(terms.template().shape().hostPorts())
                .owners(terms.owners())
                .closed(Optional.of("its place is not in its status yet"))
                .deadline(terms.end())
                .build();
    }

    /**
     * Where the terms make no sense and this process never read others, what was promised is kept, but its owners are not
     * known. The place of a scheduler that Berth does not serve counts, but only that scheduler gives it to a pod.
     */
    private static Hold available(Entry entry, NodeUid node) {
        Reservation reservation = entry.seen;
        Resources kept = reservation.status().allocatable();
        Set<PodUid> users = reservation.status().users();
        entry.spentBy.forEach(pod -> users.add(pod.uid()));
        Hold.Builder hold = Hold.builder(reservation.holdId(), node, origin(reservation))
                .size(withSlot(kept))
                .listed(users)
                .closed(Optional.of("its specification is invalid"));
        entry.terms().ifPresent(terms -> {
            hold.ports(terms.template().shape().hostPorts())
                    .owners(terms.owners())
                    .closed(closure(entry, terms))
                    .taints(terms.taints())
                    .once(terms.once())
                    .deadline(terms.end())
                    .record(Map.of(RECORD, record(reservation)));
            if (terms.restricted()) {
                hold.policy(new HoldPolicy.Restricted(kept.toMap().keySet()));
            }
        });
        return hold.build();
    }

    /** Why no further owner may use a place that there is. */
    private static Optional<String> closure(Entry entry, Terms terms) {
        if (!entry.served) {
            return Optional.of("Berth does not serve its scheduler (%s)".formatted(entry.seen.schedulerName()));
        }
        if (entry.seen.terminating()) {
            return Optional.of("it is being deleted");
        }
        return terms.unschedulable() ? Optional.of("its spec.unschedulable is true") : Optional.empty();
    }

    /** Its first owner will need a pod slot, which nobody declares. */
    private static Resources withSlot(Resources size) {
        return size.has(ResourceName.PODS) ? size : size.with(ResourceName.PODS, 1);
    }

    private static Origin origin(Reservation reservation) {
        return new Origin(Origin.Door.RESERVATION, reservation.toString());
    }

    /** Neither names nor UIDs have anything that JSON would write otherwise. */
    private static String record(Reservation reservation) {
        return "{\"name\":\"%s\",\"uid\":\"%s\"}".formatted(reservation.name(), reservation.uid());
    }
}
