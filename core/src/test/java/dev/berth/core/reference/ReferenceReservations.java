package dev.berth.core.reference;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.resource.ResourceName;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which Reservations a pod selects, and in which order, by the rules of Koordinator as they are written down. */
final class ReferenceReservations {
    static final Comparator<Hold> BY_PREFERENCE = Comparator.comparing((Hold hold) ->
                    hold.reservation().map(ReservationInfo::order).orElse(Long.MAX_VALUE))
            .thenComparing(
                    hold -> hold.reservation().map(ReservationInfo::created).orElse(Instant.EPOCH))
            .thenComparing(hold -> hold.id().value());

    private final LedgerView ledger;

    ReferenceReservations(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** A pod with a reservation affinity must use a hold, unless it ignores Reservations. */
    static HoldUse useOf(Pod pod, HoldUse given) {
        boolean required = pod.spec().reservations().affinity().isPresent()
                && !pod.spec().reservations().ignored();
        return given == HoldUse.PREFERRED && required ? HoldUse.REQUIRED : given;
    }

    /** The smallest order of the hold and of the holds that it draws on, one after the other. */
    long orderOf(Hold hold) {
        long own = hold.reservation().map(ReservationInfo::order).orElse(Long.MAX_VALUE);
        return drawnOn(hold).map(source -> Math.min(own, orderOf(source))).orElse(own);
    }

    private Optional<Hold> drawnOn(Hold hold) {
        return ledger.holdState(hold.id())
                .flatMap(state -> state.draws().source())
                .flatMap(ledger::holdState)
                .map(HoldState::hold);
    }

    boolean isSelected(Hold hold, Pod pod) {
        ReservationConstraints constraints = pod.spec().reservations();
        if (constraints.ignored()) {
            return !isOfReservation(hold)
                    && drawnOn(hold).map(source -> isSelected(source, pod)).orElse(true);
        }
        if (hold.reservation().isEmpty() && constraints.affinity().isPresent()) {
            return drawnOn(hold).map(source -> isSelected(source, pod)).orElse(false);
        }
        return hold.reservation().isEmpty()
                || (constraints
                                .affinity()
                                .map(affinity -> matches(affinity, hold))
                                .orElse(true)
                        && isExactMatch(constraints, hold, pod));
    }

    static boolean isOfReservation(Hold hold) {
        return hold.origin().component().equals(Origin.DoorId.KOORDINATOR);
    }

    private boolean matches(ReservationAffinity affinity, Hold hold) {
        ReservationInfo info = hold.reservation().orElseThrow();
        if (affinity.name().isPresent()) {
            return affinity.name().get().equals(info.name());
        }
        Map<String, String> merged = new HashMap<>(nodeLabels(hold));
        merged.putAll(info.labels().toMap());
        Labels labels = Labels.of(merged);
        return merged.entrySet().containsAll(affinity.selector().toMap().entrySet())
                && affinity.terms()
                        .map(terms -> terms.stream().anyMatch(term -> matches(term, labels, info.name())))
                        .orElse(true);
    }

    private Map<String, String> nodeLabels(Hold hold) {
        for (int slot = 0; slot < ledger.slotBound(); slot++) {
            Optional<NodeState> state = ledger.nodeAt(slot);
            if (state.isPresent() && state.get().node().uid().equals(hold.node())) {
                return state.get().node().labels().toMap();
            }
        }
        return Map.of();
    }

    private static boolean matches(NodeSelectorTerm term, Labels labels, String name) {
        Labels fields = Labels.of("metadata.name", name);
        return term.labels().size() + term.fields().size() > 0
                && term.labels().stream().allMatch(requirement -> requirement.matches(labels))
                && term.fields().stream().allMatch((Requirement requirement) -> requirement.matches(fields));
    }

    private static boolean isExactMatch(ReservationConstraints constraints, Hold hold, Pod pod) {
        Map<ResourceName, Long> requests = new HashMap<>(pod.spec().requests().toMap());
        requests.put(ResourceName.PODS, 1L);
        return constraints.exactMatch().stream()
                .allMatch(name -> requests.getOrDefault(name, 0L)
                        .equals(hold.size().toMap().getOrDefault(name, 0L)));
    }
}
