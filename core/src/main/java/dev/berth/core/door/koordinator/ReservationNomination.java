package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.text.NameList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The node that preemption nominates for a reservation without a place. The status records the node. */
final class ReservationNomination {
    /** Which pods of lower priority a reservation may preempt. */
    static final Predicate<Pod> PREEMPTIBLE = ReservationNomination::isPreemptible;

    private static final String DISABLE_PREEMPTIBLE_LABEL = "scheduling.koordinator.sh/disable-preemptible";

    /** The priority of system-cluster-critical. A reservation without a priority has an even higher one. */
    private static final int SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

    private static final int MAX_NAMED = 5;

    /** The node that the status should name, empty for none; absent if the status may stay as it is. */
    private Optional<String> desired = Optional.empty();

    private String message = "";

    /** Whether reservations may preempt the changed pod, and could not preempt it before. */
    static boolean becamePreemptible(Optional<Pod> before, Pod pod) {
        return before.filter(it -> !isPreemptible(it)).isPresent() && isPreemptible(pod);
    }

    private static boolean isPreemptible(Pod pod) {
        return pod.priority() < SYSTEM_CRITICAL_PRIORITY && !pod.labels().has(DISABLE_PREEMPTIBLE_LABEL, "true");
    }

    /** @param node empty for none */
    void set(String node, List<Pod> victims) {
        desired = Optional.of(node);
        message = node.isEmpty() || victims.isEmpty()
                ? ""
                : " preemption: Berth evicts pods on node %s for this Reservation: %s."
                        .formatted(
                                node,
                                NameList.first(
                                        MAX_NAMED,
                                        victims.stream().map(Pod::toString).toList()));
    }

    /** The status may stay as it is. */
    void cancel() {
        desired = Optional.empty();
        message = "";
    }

    /** The node that the status should name; empty for none. */
    String desiredNode(ReservationStatus observed) {
        return desired.orElseGet(observed::nominatedNode);
    }

    /**
     * The node that the status names for sure.
     *
     * @param unconfirmed the status in flight
     */
    Optional<String> confirmedNode(ReservationStatus observed, Optional<ReservationStatus> unconfirmed) {
        String node = observed.nominatedNode();
        boolean changes = !desiredNode(observed).equals(node)
                || unconfirmed
                        .filter(status -> !status.nominatedNode().equals(node))
                        .isPresent();
        return node.isEmpty() || changes ? Optional.empty() : Optional.of(node);
    }

    /** Which pods are evicted, if any are; begins with a blank. */
    String message(String postFilterMessage) {
        return message.isEmpty() ? postFilterMessage : message;
    }
}
