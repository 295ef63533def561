package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Node;
import dev.berth.core.decision.OvercommitmentMessage;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What keeps a place from being what it says: said in conditions as long as it is so, and taken back when it is over.
 * Everything follows from the present facts alone, so that a restart says the same.
 *
 * <p>Where a node is over-committed, each reservation on it that still keeps some of the scarce resource is told what is
 * missing there, at most what it keeps itself: none of them can be used in full, and none comes before the others.
 */
final class Reports {
    static final String OVERCOMMITTED = OvercommitmentMessage.REASON;

    private final OvercommitmentMessage overcommitment;

    /** @param served whether Berth serves the scheduler of this name: other schedulers' pods are suspected first */
    Reports(Predicate<String> served) {
        this.overcommitment = new OvercommitmentMessage(served);
    }

    /** The same status with what is to be reported now, and without what is over. */
    Status on(Status status, Reservation reservation, HoldState hold, LedgerView ledger, Instant now) {
        Optional<NodeState> node = ledger.node(status.nodeName());
        Status told = status.ready(node.flatMap(state -> overcommitted(hold, state, ledger)), now);
        told = told.report(Condition.Type.NODE_USABLE, node.flatMap(state -> unusable(state.node())), now);
        told = told.report(Condition.Type.KEEPS_RESOURCES, keepsNothing(status), now);
        return told.report(Condition.Type.RESIZED, notResized(status, reservation), now);
    }

    /** A reason of one word, and the message. */
    record Report(String reason, String message) {}

    private Optional<Report> overcommitted(HoldState hold, NodeState node, LedgerView ledger) {
        return overcommitment.about(hold, node, ledger).map(message -> new Report(OVERCOMMITTED, message));
    }

    private static Optional<Report> unusable(Node node) {
        if (node.unschedulable()) {
            return Optional.of(new Report(
                    "NodeUnschedulable",
                    "node %s is cordoned: only owners that tolerate this can use the place. Maybe run \"kubectl uncordon %1$s\""
                            .formatted(node.name())));
        }
        return node.notReadySince()
                .map(since -> new Report("NodeNotReady", "node %s is not ready".formatted(node.name())));
    }

    private static Optional<Report> keepsNothing(Status status) {
        Resources kept = status.allocatable();
        for (int i = 0; i < kept.size(); i++) {
            if (kept.amountAt(i) > 0) {
                return Optional.empty();
            }
        }
        return Optional.of(new Report(
                "NoRequests",
                "the Reservation keeps no resources: spec.template requests none. Maybe set"
                        + " spec.template.spec.containers[].resources.requests"));
    }

    private static Optional<Report> notResized(Status status, Reservation reservation) {
        return reservation
                .terms()
                .map(terms -> terms.template().shape().requests())
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
