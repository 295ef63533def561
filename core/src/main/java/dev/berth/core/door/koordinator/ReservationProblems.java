package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Taint;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.reporting.OvercommitmentMessage;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The problems of a reservation, reported as conditions while they last. Everything follows from the present objects,
 * so a restarted Berth reports the same. There are two exceptions that only the process knows that read the earlier
 * version: the last valid spec of a reservation that became malformed, and what {@link PlacementDrift} compares.
 *
 * <p>If a node is over-committed, each reservation on it that holds some of the scarce resource reports the shortage,
 * at most its own amount. None of them can be used in full, and none has precedence.
 */
final class ReservationProblems {
    static final String OVERCOMMITTED = OvercommitmentMessage.REASON;
    private static final long SMALLEST_USEFUL_BYTES = 1024;
    static final String INVALID = "InvalidReservation";
    static final String DELETING = "Terminating";
    static final String NODE_DELETED = "NodeDeleted";

    /**
     * Kubernetes sets these taints on a node that is cordoned or not ready, and removes them shortly afterwards. They
     * add nothing to the node's own state.
     */
    private static final Set<String> DERIVED_TAINTS =
            Set.of(Taint.UNSCHEDULABLE.key(), Taint.NOT_READY.key(), Taint.UNREACHABLE.key());

    private final OvercommitmentMessage overcommitment;

    /** @param served the schedulers that Berth serves: pods of other schedulers are named first */
    ReservationProblems(Set<String> served) {
        this.overcommitment = new OvercommitmentMessage(served);
    }

    /** The status with the present problems, and without past ones. */
    ReservationStatus applyAll(
            ReservationStatus status,
            ReservationState reservationState,
            HoldState hold,
            LedgerView ledger,
            Instant now) {
        Optional<NodeState> node = ledger.node(status.nodeName());
        Optional<ReservationProblem> readinessProblem =
                merge(node.flatMap(state -> overcommitted(hold, state, ledger)), invalidSpec(reservationState));
        ReservationStatus updated =
                status.withReadiness(deleting(reservationState).or(() -> readinessProblem), now);
        updated = updated.withProblem(
                ReservationCondition.Type.NODE_USABLE,
                node.flatMap(state -> nodeUnusable(state.node(), reservationState))
                        .map(problem -> withOutlook(
                                problem, status, ReservationCondition.Type.NODE_USABLE, reservationState, now)),
                now);
        updated = updated.withProblem(ReservationCondition.Type.KEEPS_RESOURCES, noRequests(status), now);
        updated = applySpecProblems(updated, reservationState, now);
        updated = reservationState.resize.applyProblem(updated, reservationState.observed.status(), now);
        return updated.withProblem(
                ReservationCondition.Type.PLACEMENT_CURRENT,
                node.flatMap(state -> PlacementDrift.findProblem(reservationState, state.node())),
                now);
    }

    /**
     * The status of a reservation that waits for another place because its node was deleted. The pods that used it there
     * are gone with the node.
     */
    ReservationStatus applyNodeDeleted(
            ReservationStatus status, ReservationState reservationState, String message, Instant now) {
        ReservationProblem problem = withOutlook(
                new ReservationProblem(NODE_DELETED, message + ", so no pod can use the Reservation"),
                status,
                ReservationCondition.Type.READY,
                reservationState,
                now);
        ReservationStatus updated = status.withCurrentOwners(List.of(), Resources.NONE)
                .withReadiness(Optional.of(problem), now)
                .withoutCondition(ReservationCondition.Type.NODE_USABLE)
                .withoutCondition(ReservationCondition.Type.PLACEMENT_CURRENT)
                .withoutCondition(ReservationCondition.Type.PRE_ALLOCATED);
        updated = reservationState.resize.applyProblem(updated, reservationState.observed.status(), now);
        return applySpecProblems(updated, reservationState, now);
    }

    /**
     * The problem, and whether the reservation moves because of it. Before the first attempt the message of the present
     * condition stays, so that a restart writes nothing.
     */
    private static ReservationProblem withOutlook(
            ReservationProblem problem,
            ReservationStatus status,
            ReservationCondition.Type type,
            ReservationState reservationState,
            Instant now) {
        String outlook = reservationState.move.outlook(now);
        Optional<String> present = status.findCondition(type)
                .filter(condition -> condition.reason().equals(problem.reason()))
                .map(ReservationCondition::message)
                .filter(message -> reservationState.move.isUndetermined(now));
        return present.map(message -> new ReservationProblem(problem.reason(), message))
                .orElseGet(() -> outlook.isEmpty()
                        ? problem
                        : new ReservationProblem(problem.reason(), problem.message() + ". " + outlook));
    }

    /** The status with the problems of the spec alone, whether the reservation is placed or not. */
    ReservationStatus applySpecProblems(ReservationStatus status, ReservationState reservationState, Instant now) {
        return status.phase().terminal()
                ? status
                : status.withProblem(
                                ReservationCondition.Type.OWNERS_USABLE,
                                OwnerKindValidation.findProblem(reservationState.effectiveSpec()),
                                now)
                        .withProblem(ReservationCondition.Type.SCHEDULABLE, unschedulable(reservationState), now)
                        .withProblem(
                                ReservationCondition.Type.FIELDS_KNOWN,
                                reservationState.observed.fieldWarnings().problem(),
                                now);
    }

    /** As with a cordoned node, it is intended, and easily forgotten. */
    private static Optional<ReservationProblem> unschedulable(ReservationState reservationState) {
        return reservationState
                .effectiveSpec()
                .filter(ReservationSpec::unschedulable)
                .map(
                        spec -> new ReservationProblem(
                                "ReservationUnschedulable",
                                "spec.unschedulable is true: the capacity stays reserved, and no further pod can use it, unless its reservation-affinity allows that"));
    }

    /** The reservation ends as soon as its finalizers are done, so its other problems are not reported. */
    private static Optional<ReservationProblem> deleting(ReservationState reservationState) {
        return reservationState.observed.terminating()
                ? Optional.of(
                        new ReservationProblem(
                                DELETING,
                                "the Reservation is being deleted: its capacity stays reserved, and no further pod can use it, until metadata.finalizers is empty"))
                : Optional.empty();
    }

    /** One condition for two problems: the reason of the first one, and both messages. */
    private static Optional<ReservationProblem> merge(
            Optional<ReservationProblem> first, Optional<ReservationProblem> second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.or(() -> second);
        }
        String messages = first.get().message() + "; " + second.get().message();
        return Optional.of(new ReservationProblem(first.get().reason(), messages));
    }

    /** An edit made the spec malformed. The last valid spec is known only if this process read it before. */
    private static Optional<ReservationProblem> invalidSpec(ReservationState reservationState) {
        String problem = reservationState.observed.problem();
        if (problem.isEmpty()) {
            return Optional.empty();
        }
        String consequence = reservationState
                .effectiveSpec()
                .map(reservationSpec ->
                        "the capacity stays reserved for its owners%s as before the edit. Correct the Reservation"
                                .formatted(reservationSpec
                                        .deadline()
                                        .map(end -> " until " + end.truncatedTo(ChronoUnit.SECONDS))
                                        .orElse("")))
                .orElse(
                        "the capacity stays reserved without a deadline, and no owner can use it until the specification is corrected");
        return Optional.of(new ReservationProblem(INVALID, problem + "; " + consequence));
    }

    /** @param reason one word in CamelCase, as in a condition */
    record ReservationProblem(String reason, String message) {}

    private Optional<ReservationProblem> overcommitted(HoldState hold, NodeState node, LedgerView ledger) {
        return overcommitment.about(hold, node, ledger).map(message -> new ReservationProblem(OVERCOMMITTED, message));
    }

    private static Optional<ReservationProblem> nodeUnusable(Node node, ReservationState reservationState) {
        if (node.unschedulable()) {
            return Optional.of(new ReservationProblem(
                    "NodeUnschedulable",
                    "node %s is cordoned: only owners that tolerate this can use the place. Maybe run \"kubectl uncordon %1$s\""
                            .formatted(node.name())));
        }
        return node.notReadySince()
                .map(since -> new ReservationProblem("NodeNotReady", "node %s is not ready".formatted(node.name())))
                .or(() -> nodeTainted(node, reservationState));
    }

    /** By the tolerations of the template, as when the reservation was placed. */
    private static Optional<ReservationProblem> nodeTainted(Node node, ReservationState reservationState) {
        Optional<ReservationSpec.Template> template = reservationState.observed.template();
        return node.taints().stream()
                .filter(taint -> taint.effect() != Taint.TaintEffect.PREFER_NO_SCHEDULE)
                .filter(taint -> !DERIVED_TAINTS.contains(taint.key()))
                .flatMap(taint -> template.flatMap(it -> untolerated(node, taint, it)).stream())
                .findFirst();
    }

    private static Optional<ReservationProblem> untolerated(Node node, Taint taint, ReservationSpec.Template template) {
        if (!template.spec().tolerates(taint)) {
            return Optional.of(new ReservationProblem(
                    "NodeTainted",
                    ("node %s has the taint %s, which spec.template does not tolerate: only owners that tolerate it can use"
                                    + " the place. Remove the taint, or add a toleration to the owners")
                            .formatted(node.name(), taint)));
        }
        return template.toleratedTime(taint)
                .map(time -> new ReservationProblem(
                        "NodeTainted",
                        "node %s has the taint %s, which spec.template tolerates for %d s"
                                .formatted(node.name(), taint, time.toSeconds())));
    }

    private static Optional<ReservationProblem> noRequests(ReservationStatus status) {
        Resources held = status.allocatable();
        for (int i = 0; i < held.size(); i++) {
            if (held.amountAt(i) > 0) {
                return requestTooSmall(held);
            }
        }
        return Optional.of(new ReservationProblem(
                "NoRequests",
                "the Reservation reserves no resources: spec.template requests none. Maybe set"
                        + " spec.template.spec.containers[].resources.requests"));
    }

    /**
     * {@code 512m} of memory is a fraction of a byte, and rounds up to one byte. The user probably meant {@code 512Mi}.
     */
    private static Optional<ReservationProblem> requestTooSmall(Resources held) {
        return Stream.of(ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE)
                .filter(name -> held.get(name) > 0 && held.get(name) < SMALLEST_USEFUL_BYTES)
                .findFirst()
                .map(name -> new ReservationProblem(
                        "RequestTooSmall",
                        ("the Reservation reserves only %d B of %s: spec.template requests no more. The suffix m means"
                                        + " thousandths. Maybe write Mi")
                                .formatted(held.get(name), name)));
    }
}
