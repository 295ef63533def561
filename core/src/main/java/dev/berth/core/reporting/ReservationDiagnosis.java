package dev.berth.core.reporting;

import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Why a pod that must use a Reservation can use none of those that are for it, in Koordinator's words: how many
 * Reservations have each reason.
 */
final class ReservationDiagnosis {
    private static final String NAME_MATCHED = "Reservation(s) exactly matches the requested reservation name";
    private static final String NAME_UNMATCHED = "Reservation(s) didn't match the requested reservation name";
    private static final String AFFINITY_UNMATCHED = "Reservation(s) didn't match affinity rules";
    private static final String UNSCHEDULABLE = "Reservation(s) is unschedulable";
    private static final String NOT_EXACT = "Reservation(s) is not exact matched";

    private final boolean complete;
    private final List<HoldId> compared = new ArrayList<>();
    private final Map<String, Integer> selection = new TreeMap<>();
    private final Map<String, Integer> taints = new TreeMap<>();
    private final Map<String, Integer> reservationReasons = new TreeMap<>();
    private final Map<String, Integer> nodeReasons = new TreeMap<>();
    private final Map<String, Set<String>> nodesByShortage = new TreeMap<>();
    /** Why the Reservation that the pod names is not among the compared ones; empty if it is, or if the pod names none. */
    private String namedUnavailable = "";

    /** @param complete whether all Reservations for the pod are compared; there may be too many */
    ReservationDiagnosis(boolean complete) {
        this.complete = complete;
    }

    void addCompared(HoldId reservation) {
        compared.add(reservation);
    }

    void addNameMatched() {
        add(selection, NAME_MATCHED);
    }

    boolean isNameMatched() {
        return selection.containsKey(NAME_MATCHED);
    }

    void setNamedUnavailable(String why) {
        namedUnavailable = why;
    }

    void addNameUnmatched() {
        add(selection, NAME_UNMATCHED);
    }

    void addAffinityUnmatched() {
        add(selection, AFFINITY_UNMATCHED);
    }

    void addUnschedulable() {
        add(selection, UNSCHEDULABLE);
    }

    void addNotExact() {
        add(selection, NOT_EXACT);
    }

    /** @param taint as {@code {key: value}} */
    void addUntolerated(String taint) {
        add(taints, "Reservation(s) had untolerated taint " + taint);
    }

    /** The Reservation itself has too little left. */
    void addReservationReason(String reason) {
        add(reservationReasons, "Reservation(s) " + reason);
    }

    /** The Reservation and the free capacity of its node have too little together. */
    void addShortageOf(String resource, String node) {
        nodesByShortage
                .computeIfAbsent("Insufficient %s by node".formatted(resource), any -> new HashSet<>())
                .add(node);
    }

    /** The Reservation could be used, but its node is not feasible. */
    void addNodeReason(String reason) {
        add(nodeReasons, reason);
    }

    private static void add(Map<String, Integer> counts, String reason) {
        counts.merge(reason, 1, Integer::sum);
    }

    /** The Reservations that the messages are about. */
    List<HoldId> compared() {
        return List.copyOf(compared);
    }

    boolean isComplete() {
        return complete;
    }

    /** The parts of the fit error about amounts. Shortages by node count nodes, the others count Reservations. */
    List<String> fitReasons() {
        List<String> reasons = counted(reservationReasons);
        nodesByShortage.forEach((reason, nodes) -> reasons.add("%d %s".formatted(nodes.size(), reason)));
        return reasons;
    }

    /** The message of PostFilter. */
    String summary() {
        List<String> lines = nameLines();
        lines.addAll(selectionLines());
        nodeReasons.forEach(
                (reason, count) -> lines.add("%d Reservation(s) for node reason that %s".formatted(count, reason)));
        lines.add("%d Reservation(s) matched owner total%s".formatted(compared.size(), complete ? "" : " so far"));
        return String.join(", ", lines) + "." + namedSentence();
    }

    private String namedSentence() {
        return namedUnavailable.isEmpty() ? "" : " " + namedUnavailable + ".";
    }

    /** The note of the event about Reservations: reasons of nodes come last. */
    String eventNote() {
        List<String> details = nameLines();
        details.addAll(counted(reservationReasons));
        details.addAll(selectionLines());
        details.addAll(counted(nodeReasons));
        String reasons = details.isEmpty() ? "no Reservation is for this pod" : String.join(", ", details);
        return "0/%d reservations are available: %s.%s".formatted(compared.size(), reasons, namedSentence());
    }

    private List<String> nameLines() {
        List<String> lines = new ArrayList<>();
        addCount(lines, NAME_MATCHED);
        addCount(lines, NAME_UNMATCHED);
        return lines;
    }

    private List<String> selectionLines() {
        List<String> lines = new ArrayList<>();
        addCount(lines, AFFINITY_UNMATCHED);
        addCount(lines, UNSCHEDULABLE);
        addCount(lines, NOT_EXACT);
        lines.addAll(counted(taints));
        return lines;
    }

    private void addCount(List<String> lines, String reason) {
        if (selection.containsKey(reason)) {
            lines.add("%d %s".formatted(selection.get(reason), reason));
        }
    }

    private static List<String> counted(Map<String, Integer> counts) {
        List<String> lines = new ArrayList<>();
        counts.forEach((reason, count) -> lines.add("%d %s".formatted(count, reason)));
        return lines;
    }
}
