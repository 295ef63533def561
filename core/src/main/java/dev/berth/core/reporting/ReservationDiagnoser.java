package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.NodeResourcesFit;
import dev.berth.core.placement.filter.NodeResourcesFit.Shortage;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares an unschedulable pod that has a reservation affinity with the Reservations whose owners match it. */
final class ReservationDiagnoser {
    /** The limit of compared Reservations: each costs as much as filtering a node. */
    private static final int MAX_COMPARED = 200;

    private final Ledger ledger;
    private final Placer placer;

    ReservationDiagnoser(Ledger ledger, Placer placer) {
        this.ledger = ledger;
        this.placer = placer;
    }

    ReservationDiagnosis diagnose(Pod pod) {
        Set<Hold> holds = new LinkedHashSet<>(namedHolds(pod));
        holds.addAll(ledger.holdsMatchingOwner(pod, MAX_COMPARED + 1));
        ReservationDiagnosis diagnosis = new ReservationDiagnosis(holds.size() <= MAX_COMPARED);
        holds.stream().limit(MAX_COMPARED).forEach(hold -> compare(pod, hold, diagnosis));
        pod.spec()
                .reservations()
                .affinity()
                .flatMap(ReservationAffinity::name)
                .filter(name -> !diagnosis.isNameMatched())
                .ifPresent(name -> diagnosis.setNamedUnavailable(whyUnavailable(name, pod, holds)));
        return diagnosis;
    }

    /** They must be compared, even if more holds match than are compared. */
    private List<Hold> namedHolds(Pod pod) {
        Optional<String> name = pod.spec().reservations().affinity().flatMap(ReservationAffinity::name);
        return name.map(ledger::nodesWithReservation).orElse(List.of()).stream()
                .flatMap(node -> ledger.node(node).stream())
                .flatMap(node -> node.holds().stream())
                .flatMap(id -> ledger.hold(id).stream())
                .filter(hold -> hold.reservation().map(ReservationInfo::name).equals(name))
                .filter(hold -> hold.ownerRule().hasOwnerMatching(pod))
                .toList();
    }

    /** Why the pod cannot use the Reservation that it names. Koordinator's words count, and do not name it. */
    private String whyUnavailable(String name, Pod pod, Set<Hold> matchingOwner) {
        if (matchingOwner.stream().anyMatch(hold -> isNamed(pod, hold))) {
            return "Reservation %s, which the pod names, accepts no further pod".formatted(name);
        }
        return ledger.nodesWithReservation(name).isEmpty()
                ? "Reservation %s, which the pod names, does not exist, has no node or accepts no further pod"
                        .formatted(name)
                : "Reservation %s, which the pod names, is not for this pod: none of its owners matches"
                        .formatted(name);
    }

    private static boolean isNamed(Pod pod, Hold hold) {
        return hold.reservation()
                .filter(info -> pod.spec().reservations().isNamed(info.name()))
                .isPresent();
    }

    /** Only Reservations count that could have room for a pod: not those that ended, or that a pod used up. */
    private void compare(Pod pod, Hold hold, ReservationDiagnosis diagnosis) {
        Optional<HoldState> state = ledger.holdState(hold.id()).filter(HoldState::claimable);
        Optional<NodeState> node = state.flatMap(HoldState::nodeName).flatMap(ledger::node);
        if (state.isEmpty() || node.isEmpty() || hold.isClosed()) {
            return;
        }
        hold.reservation().ifPresent(info -> {
            diagnosis.addCompared(hold.id());
            if (isSelected(pod, hold, info, node.get(), diagnosis)) {
                compareCapacity(pod, state.get(), node.get(), diagnosis);
            }
        });
    }

    private static boolean isSelected(
            Pod pod, Hold hold, ReservationInfo info, NodeState node, ReservationDiagnosis diagnosis) {
        ReservationConstraints constraints = pod.spec().reservations();
        if (constraints.isByName()) {
            if (!constraints.isNamed(info.name())) {
                diagnosis.addNameUnmatched();
                return false;
            }
            diagnosis.addNameMatched();
        }
        Optional<Taint> taint = hold.ownerRule().findUntoleratedTaint(pod);
        if (hold.ownerRule().repelsAsUnschedulable(pod)) {
            diagnosis.addUnschedulable();
        } else if (taint.isPresent()) {
            diagnosis.addUntolerated(
                    "{%s: %s}".formatted(taint.get().key(), taint.get().value()));
        } else if (!info.isSelectedBy(constraints.affinity(), node.node().labels())) {
            diagnosis.addAffinityUnmatched();
        } else if (!constraints.hasExactSize(pod.spec().requests(), hold.size())) {
            diagnosis.addNotExact();
        } else {
            return true;
        }
        return false;
    }

    private void compareCapacity(Pod pod, HoldState state, NodeState node, ReservationDiagnosis diagnosis) {
        List<Veto> vetoes = placer.vetoes(pod, node, state.hold());
        if (!vetoes.stream().allMatch(veto -> UnschedulableMessages.isAboutAmounts(veto.code()))) {
            vetoes.forEach(veto -> diagnosis.addNodeReason(veto.message()));
            return;
        }
        Resources needed = PodSlot.addTo(pod.spec().requests());
        List<Shortage> inReservation =
                NodeResourcesFit.findShortages(needed.inDimensionsOf(restricted(state)), state.remaining());
        boolean byName = pod.spec().reservations().isByName();
        inReservation.forEach(shortage -> diagnosis.addReservationReason(reason(shortage, state, byName)));
        for (Shortage shortage :
                NodeResourcesFit.findShortages(needed, node.free().plus(state.remaining()))) {
            diagnosis.addShortageOf(shortage.resource().value(), node.node().name());
            if (inReservation.isEmpty()) {
                diagnosis.addNodeReason("Insufficient %s by node".formatted(shortage.resource()));
            }
        }
    }

    /** The resources that the Reservation restricts, with any amount. */
    private static Resources restricted(HoldState state) {
        Resources found = Resources.NONE;
        if (state.hold().policy() instanceof AllocatePolicy.Restricted restricted) {
            for (ResourceName name : restricted.resources()) {
                found = state.hold().size().has(name) ? found.with(name, 0) : found;
            }
        }
        return found;
    }

    /** As in Koordinator, cpu is in milli-units. */
    private static String reason(Shortage shortage, HoldState state, boolean detailed) {
        ResourceName name = shortage.resource();
        String reason = name.equals(ResourceName.PODS) ? "Too many pods" : "Insufficient " + name;
        if (!detailed) {
            return reason;
        }
        long capacity = Resources.subtract(
                state.hold().size().get(name), state.hold().innerReserved().get(name));
        return "%s, requested: %d, used: %d, capacity: %d"
                .formatted(reason, shortage.needed(), state.allocated().get(name), capacity);
    }
}
