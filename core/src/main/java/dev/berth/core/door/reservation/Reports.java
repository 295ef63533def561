package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.Taint;
import dev.berth.core.decision.OvercommitmentMessage;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What keeps a place from being what it says: said in conditions as long as it is so, and taken back when it is over.
 * Everything follows from the present facts alone, so that a restart says the same. Only the process that read it
 * before knows what a place whose specification is malformed goes on by, and what {@link UnmovedPlace} compares with.
 *
 * <p>Where a node is over-committed, each reservation on it that still keeps some of the scarce resource is told what is
 * missing there, at most what it keeps itself: none of them can be used in full, and none comes before the others.
 */
final class Reports {
    static final String OVERCOMMITTED = OvercommitmentMessage.REASON;
    private static final long SMALLEST_USEFUL_BYTES = 1024;
    static final String INVALID = "InvalidReservation";
    static final String DELETING = "Deleting";

    /**
     * Kubernetes sets them on a node that is cordoned or not ready, and removes them a moment after that is over. They say
     * nothing that the node does not say itself.
     */
    private static final Set<String> DERIVED_TAINTS = Set.of(
            "node.kubernetes.io/unschedulable", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private final OvercommitmentMessage overcommitment;

    /** @param served the schedulers that Berth serves: pods of other schedulers are named first */
    Reports(Set<String> served) {
        this.overcommitment = new OvercommitmentMessage(served);
    }

    /** The same status with what is to be reported now, and without what is over. */
    Status on(Status status, Entry entry, HoldState hold, LedgerView ledger, Instant now) {
        Optional<NodeState> node = ledger.node(status.nodeName());
        Optional<Report> trouble = both(node.flatMap(state -> overcommitted(hold, state, ledger)), invalid(entry));
        Status told = status.ready(deleting(entry).or(() -> trouble), now);
        told = told.report(Condition.Type.NODE_USABLE, node.flatMap(state -> unusable(state.node(), entry)), now);
        told = told.report(Condition.Type.KEEPS_RESOURCES, keepsNothing(status), now);
        told = onSpecification(told, entry, now);
        told = told.report(Condition.Type.RESIZED, notResized(status, entry), now);
        return told.report(Condition.Type.MOVED, node.flatMap(state -> UnmovedPlace.problem(entry, state.node())), now);
    }

    /** The same for what is to be reported of the specification alone, with a place or without. */
    Status onSpecification(Status status, Entry entry, Instant now) {
        return status.phase().terminal()
                ? status
                : status.report(Condition.Type.OWNERS_USABLE, OwnerKinds.problem(entry.terms()), now)
                        .report(Condition.Type.FIELDS_KNOWN, unknownFields(entry), now);
    }

    private static Optional<Report> unknownFields(Entry entry) {
        UnknownFields unknown = entry.seen.unknownFields();
        return unknown.isEmpty() ? Optional.empty() : Optional.of(new Report("UnknownFields", unknown.message()));
    }

    /** It is over as soon as its finalizers are done: what else may be wrong with it matters no more. */
    private static Optional<Report> deleting(Entry entry) {
        return entry.seen.terminating()
                ? Optional.of(new Report(
                        DELETING,
                        "the Reservation is being deleted: its room is kept, and no further pod can use it, until"
                                + " metadata.finalizers is empty"))
                : Optional.empty();
    }

    /** One condition for two reports: the first one's reason, and both messages. */
    private static Optional<Report> both(Optional<Report> first, Optional<Report> second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.or(() -> second);
        }
        String messages = first.get().message() + "; " + second.get().message();
        return Optional.of(new Report(first.get().reason(), messages));
    }

    /** An edit made the specification senseless. What the place goes on by is known only if this process read it before. */
    private static Optional<Report> invalid(Entry entry) {
        String problem = entry.seen.problem();
        if (problem.isEmpty()) {
            return Optional.empty();
        }
        String consequence = entry.terms()
                .map(terms -> "the place is kept for its owners%s as before the edit. Correct the Reservation"
                        .formatted(terms.end()
                                .map(end -> " until " + end.truncatedTo(ChronoUnit.SECONDS))
                                .orElse("")))
                .orElse(
                        "the place is kept without a deadline, and no owner can use the place until the specification is"
                                + " corrected");
        return Optional.of(new Report(INVALID, problem + "; " + consequence));
    }

    /** A reason of one word, and the message. */
    record Report(String reason, String message) {}

    private Optional<Report> overcommitted(HoldState hold, NodeState node, LedgerView ledger) {
        return overcommitment.about(hold, node, ledger).map(message -> new Report(OVERCOMMITTED, message));
    }

    private static Optional<Report> unusable(Node node, Entry entry) {
        if (node.unschedulable()) {
            return Optional.of(new Report(
                    "NodeUnschedulable",
                    "node %s is cordoned: only owners that tolerate this can use the place. Maybe run \"kubectl uncordon %1$s\""
                            .formatted(node.name())));
        }
        return node.notReadySince()
                .map(since -> new Report("NodeNotReady", "node %s is not ready".formatted(node.name())))
                .or(() -> tainted(node, entry));
    }

    /** By the tolerations of the template, as when the place was found. */
    private static Optional<Report> tainted(Node node, Entry entry) {
        Optional<PodShape> template = entry.seen.template().map(Terms.Template::shape);
        return node.taints().stream()
                .filter(taint -> taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE)
                .filter(taint -> !DERIVED_TAINTS.contains(taint.key()))
                .filter(taint ->
                        template.filter(shape -> !shape.tolerates(taint)).isPresent())
                .findFirst()
                .map(taint -> new Report(
                        "NodeTainted",
                        ("node %s has the taint %s, which spec.template does not tolerate: only owners that tolerate it can use"
                                        + " the place. Remove the taint, or add a toleration to the owners")
                                .formatted(node.name(), taint)));
    }

    private static Optional<Report> keepsNothing(Status status) {
        Resources kept = status.allocatable();
        for (int i = 0; i < kept.size(); i++) {
            if (kept.amountAt(i) > 0) {
                return tooSmall(kept);
            }
        }
        return Optional.of(new Report(
                "NoRequests",
                "the Reservation keeps no resources: spec.template requests none. Maybe set"
                        + " spec.template.spec.containers[].resources.requests"));
    }

    /** {@code 512m} of memory is a fraction of a byte, and rounds up to one. Its author meant {@code 512Mi}. */
    private static Optional<Report> tooSmall(Resources kept) {
        return Stream.of(ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE)
                .filter(name -> kept.get(name) > 0 && kept.get(name) < SMALLEST_USEFUL_BYTES)
                .findFirst()
                .map(name -> new Report(
                        "RequestTooSmall",
                        ("the Reservation keeps only %d B of %s: spec.template requests no more. The suffix m means"
                                        + " thousandths. Maybe write Mi")
                                .formatted(kept.get(name), name)));
    }

    private static Optional<Report> notResized(Status status, Entry entry) {
        return entry.seen
                .template()
                .map(template -> template.shape().requests())
                .filter(wanted -> !same(wanted, status.allocatable()))
                .map(wanted -> new Report(
                        "ResizeNotSupported",
                        "the Reservation keeps %s as when it was placed, but spec.template now requests %s. Delete it and create it again to"
                                        .formatted(words(status.allocatable()), words(wanted))
                                + " change its size"));
    }

    /** What is not said is zero. */
    private static boolean same(Resources wanted, Resources kept) {
        return wanted.toMap().keySet().stream().allMatch(name -> wanted.get(name) == kept.get(name))
                && kept.toMap().keySet().stream().allMatch(name -> wanted.get(name) == kept.get(name));
    }

    private static String words(Resources amounts) {
        return amounts.size() == 0 ? "nothing" : amounts.toString();
    }
}
