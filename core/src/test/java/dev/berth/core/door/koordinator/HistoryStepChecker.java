package dev.berth.core.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.reference.LedgerComparison;
import dev.berth.core.reference.ReferenceLedger;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What is true after every step of {@link RandomHistory}, by the ledger and by what the API server shows. */
final class HistoryStepChecker {
    private final RandomHistory history;
    private final KoordinatorScene scene;
    private final ShownUse use;
    private final HistoryCaseRecorder recorder;
    /** The first node of each pod. */
    private final Map<PodUid, String> places = new HashMap<>();

    HistoryStepChecker(RandomHistory history) {
        this.history = history;
        this.scene = history.scene;
        this.use = new ShownUse(scene);
        this.recorder = new HistoryCaseRecorder(history);
    }

    void check(String where) {
        for (String node : scene.nodeNames()) {
            checkShownPromises("%s, node %s".formatted(where, node), node);
        }
        assertThat(Invariants.checkPromises(scene.ledger().snapshot(), this::excused))
                .as(where)
                .isEmpty();
        assertThat(LedgerComparison.differences(
                        scene.ledger(), ReferenceLedger.of(scene.ledger().facts())))
                .as("%s: differences from the slow ledger", where)
                .isEmpty();
        assertThat(scene.bindsToOtherPlaces())
                .as("%s: binds to other places", where)
                .isEmpty();
        for (Reservation reservation : scene.reservations()) {
            checkPromiseIsHeld("%s, %s".formatted(where, reservation), reservation);
            checkAllocateOnce("%s, %s".formatted(where, reservation), reservation);
        }
        scene.pods().forEach(pod -> checkPlace("%s, pod %s".formatted(where, pod.name()), pod));
        assertThat(scene.deletedVictims()).as("%s: deletions of victims", where).doesNotHaveDuplicates();
        recorder.record();
    }

    /** What may be missing on the node, because nothing asked Berth whether it is free. */
    private Resources excused(NodeState state) {
        return excused(state.node().name(), state.pods());
    }

    private Resources excused(String node, List<Pod> there) {
        List<Pod> unasked =
                there.stream().filter(pod -> !asksForFreeCapacity(pod)).toList();
        long shrunk = (HistoryObjects.CPUS_OF_A_NODE - history.nodes.cpusOf(node)) * 1_000L;
        Resources excused = ShownUse.requests(unasked).plus(Resources.of(ResourceName.CPU, shrunk));
        for (Pod nominated : podsNominatedTo(node)) {
            // It may take what Reservations hold. So its nomination holds this once more until the pod is bound.
            excused = excused.plus(ShownUse.requests(List.of(nominated)));
        }
        for (Reservation reservation : scene.reservations()) {
            if (node.equals(history.movedByStatus.get(reservation.name()))) {
                excused = excused.plus(reservation.status().allocatable()).plus(Resources.of(ResourceName.PODS, 1));
            }
        }
        return excused;
    }

    private List<Pod> podsNominatedTo(String node) {
        return scene.pods().stream()
                .filter(pod ->
                        pod.nodeName().isEmpty() && pod.spec().reservations().ignored())
                .filter(pod -> scene.ledger()
                        .holdState(new HoldId("preemption/" + pod.uid()))
                        .flatMap(HoldState::nodeName)
                        .equals(Optional.of(node)))
                .toList();
    }

    private static boolean asksForFreeCapacity(Pod pod) {
        return pod.schedulerName().equals(KoordinatorScene.SCHEDULER)
                && !pod.spec().reservations().ignored();
    }

    private Stream<Pod> podsOn(String node) {
        return scene.pods().stream()
                .filter(pod ->
                        pod.nodeName().equals(Optional.of(node)) && !pod.phase().isTerminal());
    }

    /** The pods on the node and what the statuses promise there are within the node, but for what is excused. */
    private void checkShownPromises(String where, String node) {
        Resources promised = ShownUse.requests(podsOn(node).toList());
        List<HostPort> ports = new ArrayList<>();
        podsOn(node)
                .filter(HistoryStepChecker::asksForFreeCapacity)
                .forEach(pod -> ports.addAll(pod.spec().hostPorts()));
        for (Reservation reservation : scene.reservations()) {
            if (isPlacedOn(reservation, node)) {
                List<Pod> users = use.presentUsers(reservation);
                promised = promised.plus(use.left(reservation, users));
                if (!history.movedByStatus.containsKey(reservation.name())
                        && users.stream()
                                .noneMatch(pod -> !pod.spec().hostPorts().isEmpty())) {
                    ports.addAll(
                            reservation.spec().orElseThrow().template().spec().hostPorts());
                }
            }
        }
        Resources most =
                scene.node(node).allocatable().plus(excused(node, podsOn(node).toList()));
        assertThat(promised.get(ResourceName.CPU)).as("%s: cpu", where).isLessThanOrEqualTo(most.get(ResourceName.CPU));
        assertThat(promised.get(ResourceName.PODS))
                .as("%s: pods", where)
                .isLessThanOrEqualTo(most.get(ResourceName.PODS));
        boolean ignored = podsOn(node).anyMatch(pod -> pod.spec().reservations().ignored());
        if (!ignored) {
            assertThat(ports).as("%s: host ports", where).doesNotHaveDuplicates();
        }
    }

    /** On this node, and not on a deleted one that had the same name. */
    private boolean isPlacedOn(Reservation reservation, String node) {
        ReservationStatus status = reservation.status();
        return status.isAvailable()
                && status.nodeName().equals(node)
                && scene.node(node)
                        .created()
                        .isBefore(status.scheduledAt().orElseThrow().plusMillis(1));
    }

    /** Where the status names a node that exists, the ledger holds what the status promises. */
    private void checkPromiseIsHeld(String where, Reservation reservation) {
        String node = reservation.status().nodeName();
        if (scene.nodeNames().contains(node) && isPlacedOn(reservation, node) && !scene.isWatchStalled()) {
            assertThat(Stream.of(reservation.holdId(), Reservation.moveHoldId(reservation.uid()))
                            .flatMap(id -> scene.ledger().holdState(id).stream())
                            .filter(hold -> hold.nodeName().equals(Optional.of(node)))
                            .map(hold -> hold.hold().size().get(ResourceName.CPU)))
                    .as(where)
                    .singleElement()
                    // While a resize is written, the larger one of both sizes is held.
                    .satisfies(cpu -> assertThat(cpu)
                            .isGreaterThanOrEqualTo(
                                    reservation.status().allocatable().get(ResourceName.CPU)));
        }
    }

    private void checkAllocateOnce(String where, Reservation reservation) {
        boolean once = reservation.spec().filter(ReservationSpec::allocateOnce).isPresent();
        if (once && !history.ambiguous.contains(reservation.name())) {
            assertThat(use.users(reservation)).as(where).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** A pod keeps its node, and a pod that must use a Reservation was bound with one. */
    private void checkPlace(String where, Pod pod) {
        pod.nodeName().ifPresent(node -> {
            assertThat(places.computeIfAbsent(pod.uid(), uid -> node)).as(where).isEqualTo(node);
            ReservationConstraints constraints = pod.spec().reservations();
            if (constraints.areRequired() && pod.schedulerName().equals(KoordinatorScene.SCHEDULER)) {
                assertThat(scene.recordOf(pod)).as(where).startsWith("koordinator/");
            }
            if (constraints.ignored()) {
                assertThat(scene.recordOf(pod)).as(where).doesNotStartWith("koordinator/");
            }
        });
    }
}
