package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Taint;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Why a reservation must leave its node, and when. A cordon and a deletion take effect at once. A node that is not ready
 * and a taint {@code NoExecute} take effect after the time for which the template tolerates them, as for pods.
 *
 * @param due from when on the reservation moves
 * @param clause what happened to the node, as a clause that ends a sentence
 */
record MoveCause(MoveCauseKind kind, Instant due, String clause) {
    /** Kubernetes adds a toleration of this time to each pod that does not tolerate the two taints. */
    private static final Duration DEFAULT_TOLERATION = Duration.ofMinutes(5);

    private static final Set<String> READINESS_TAINTS = Set.of(Taint.NOT_READY.key(), Taint.UNREACHABLE.key());

    /** What happened to the node. */
    enum MoveCauseKind {
        NODE_DELETED,
        CORDONED,
        NOT_READY,
        TAINTED;

        /** Whether nobody may have intended it. A person or a program decides to delete or to cordon a node. */
        boolean isFailure() {
            return this == NOT_READY || this == TAINTED;
        }
    }

    static MoveCause nodeDeleted(String nodeName) {
        return new MoveCause(MoveCauseKind.NODE_DELETED, Instant.MIN, "node %s was deleted".formatted(nodeName));
    }

    /** The cause that takes effect first; empty if the reservation can stay on the node. */
    static Optional<MoveCause> find(Node node, ReservationSpec.Template template, ReservationMove move, Instant now) {
        return Stream.of(cordoned(node, template), notReady(node, template), tainted(node, template, move, now))
                .flatMap(Optional::stream)
                .min(Comparator.comparing(MoveCause::due));
    }

    /** Whether a reservation that moves to the node would have to leave it, too, now or later. */
    static boolean isFound(Node node, ReservationSpec.Template template) {
        return cordoned(node, template).isPresent()
                || notReady(node, template).isPresent()
                || node.taints().stream()
                        .filter(MoveCause::isEviction)
                        .anyMatch(taint -> template.toleratedTime(taint).isPresent());
    }

    private static boolean isEviction(Taint taint) {
        return taint.effect() == Taint.TaintEffect.NO_EXECUTE && !READINESS_TAINTS.contains(taint.key());
    }

    private static Optional<MoveCause> cordoned(Node node, ReservationSpec.Template template) {
        return node.unschedulable() && !template.spec().tolerates(Taint.UNSCHEDULABLE)
                ? Optional.of(new MoveCause(
                        MoveCauseKind.CORDONED, Instant.MIN, "node %s is cordoned".formatted(node.name())))
                : Optional.empty();
    }

    private static Optional<MoveCause> notReady(Node node, ReservationSpec.Template template) {
        Taint taint = node.taints().contains(Taint.UNREACHABLE) ? Taint.UNREACHABLE : Taint.NOT_READY;
        Optional<Duration> tolerated =
                template.spec().tolerates(taint) ? template.toleratedTime(taint) : Optional.of(DEFAULT_TOLERATION);
        return node.notReadySince()
                .flatMap(since -> tolerated.map(time -> new MoveCause(
                        MoveCauseKind.NOT_READY,
                        since.plus(time),
                        "node %s has not been ready since %s"
                                .formatted(node.name(), since.truncatedTo(ChronoUnit.SECONDS)))));
    }

    /** As in Kubernetes, the time starts when this process first sees the taint: few programs set timeAdded. */
    private static Optional<MoveCause> tainted(
            Node node, ReservationSpec.Template template, ReservationMove move, Instant now) {
        move.retainTaints(node.taints());
        return node.taints().stream()
                .filter(MoveCause::isEviction)
                .flatMap(taint -> template
                        .toleratedTime(taint)
                        .map(time -> new MoveCause(
                                MoveCauseKind.TAINTED,
                                move.taintedSince(taint, now).plus(time),
                                "node %s has the taint %s".formatted(node.name(), taint)))
                        .stream())
                .min(Comparator.comparing(MoveCause::due));
    }
}
