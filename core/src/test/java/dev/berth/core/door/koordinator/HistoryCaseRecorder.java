package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.NodeState;
import java.util.List;
import java.util.Optional;

/** Notes which of the {@link HistoryCase} a step has reached. */
final class HistoryCaseRecorder {
    private final RandomHistory history;
    private final KoordinatorScene scene;
    private final ShownUse use;
    private int eventsSeen;

    HistoryCaseRecorder(RandomHistory history) {
        this.history = history;
        this.scene = history.scene;
        this.use = new ShownUse(scene);
    }

    void record() {
        for (Reservation reservation : scene.reservations()) {
            reservation.spec().ifPresent(spec -> record(reservation, spec));
        }
        for (String node : scene.nodeNames()) {
            NodeState state = scene.ledger().node(node).orElseThrow();
            if (!state.overcommitments().isEmpty()) {
                recordOvercommitment(node, state);
            }
        }
        recordEvents();
    }

    private void count(HistoryCase reached) {
        history.cases.count(reached);
    }

    private void count(HistoryCase reached, boolean isReached) {
        if (isReached) {
            count(reached);
        }
    }

    private void record(Reservation reservation, ReservationSpec spec) {
        for (Pod pod : use.users(reservation)) {
            if (history.ambiguous.contains(reservation.name())) {
                continue;
            }
            List<Owner> owners =
                    spec.owners().stream().filter(it -> it.matches(pod)).toList();
            owners.forEach(owner -> count(caseOf(owner)));
            ReservationConstraints constraints = pod.spec().reservations();
            Optional<ReservationAffinity> affinity = constraints.affinity();
            count(HistoryCase.CLAIM_BY_NAMED_AFFINITY, constraints.isByName());
            count(
                    HistoryCase.CLAIM_BY_SELECTED_AFFINITY,
                    affinity.filter(it -> it.selector().size() > 0).isPresent());
            count(HistoryCase.CLAIM_OF_TAINTED_RESERVATION, !spec.taints().isEmpty());
            count(HistoryCase.CLAIM_OF_UNSCHEDULABLE_RESERVATION, spec.unschedulable());
            count(HistoryCase.CLAIM_BY_EXACT_MATCH, !constraints.exactMatch().isEmpty());
            count(
                    HistoryCase.CLAIM_WITH_HOST_PORT,
                    !pod.spec().hostPorts().isEmpty()
                            && !spec.template().spec().hostPorts().isEmpty());
            count(HistoryCase.CLAIM_OF_ALLOCATE_ONCE_RESERVATION, spec.allocateOnce());
        }
        count(HistoryCase.SUCCEEDED, reservation.status().phase() == ReservationStatus.ReservationPhase.SUCCEEDED);
        if (!PreAllocatedCondition.podsIn(reservation.status()).isEmpty()) {
            spec.preAllocation()
                    .ifPresent(it -> count(
                            it.mode() == PreAllocation.Mode.DEFAULT
                                    ? HistoryCase.PRE_ALLOCATED_IN_MODE_DEFAULT
                                    : HistoryCase.PRE_ALLOCATED_IN_MODE_CLUSTER));
        }
    }

    private static HistoryCase caseOf(Owner owner) {
        if (owner.controller().isPresent()) {
            return HistoryCase.CLAIM_BY_CONTROLLER;
        }
        return owner.pod()
                .map(it -> it.uid().isPresent() ? HistoryCase.CLAIM_BY_POD_UID : HistoryCase.CLAIM_BY_POD_NAME)
                .orElse(HistoryCase.CLAIM_BY_LABEL);
    }

    private void recordOvercommitment(String node, NodeState state) {
        count(HistoryCase.SHRUNK_NODE_OVERCOMMITTED, history.nodes.cpusOf(node) < HistoryObjects.CPUS_OF_A_NODE);
        count(
                HistoryCase.POD_OVERCOMMITS_BY_IGNORING,
                state.pods().stream().anyMatch(pod -> pod.spec().reservations().ignored()));
        count(
                HistoryCase.OTHER_SCHEDULER_OVERCOMMITS,
                state.pods().stream().anyMatch(pod -> !pod.schedulerName().equals(KoordinatorScene.SCHEDULER)));
    }

    private void recordEvents() {
        for (; eventsSeen < scene.recordedEvents.size(); eventsSeen++) {
            switch (scene.recordedEvents.get(eventsSeen).kind().reason()) {
                case "Moved" -> count(HistoryCase.MOVED);
                case "Expired" -> count(HistoryCase.EXPIRED);
                case "Resized" -> count(HistoryCase.RESIZED);
                case "InsufficientCapacity" -> count(HistoryCase.RESIZE_WAITS_FOR_CAPACITY);
                case "Preempted" ->
                    count(
                            scene.recordedEvents.get(eventsSeen).note().contains("Reservation")
                                    ? HistoryCase.VICTIM_OF_RESERVATION
                                    : HistoryCase.VICTIM_OF_POD);
                default -> {}
            }
        }
    }
}
