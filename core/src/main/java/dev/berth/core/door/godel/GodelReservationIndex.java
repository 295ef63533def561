package dev.berth.core.door.godel;

import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.hold.HoldId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The Reservations that the API server shows, by everything that they are looked up by. */
final class GodelReservationIndex {
    private final Function<String, Optional<GodelReservationState>> byUid;
    private final Map<String, GodelReservationState> byName = new HashMap<>();
    private final Map<HoldId, GodelReservationState> byHold = new HashMap<>();
    private final Map<PodKey, GodelReservationState> byOriginalPod = new HashMap<>();
    /** By predecessor, the Reservations of pods that had claimed its hold. */
    private final SetMultimap<PodKey, String> byPredecessor = SetMultimap.sorted();
    /** By the StatefulSet of the original pod. */
    private final SetMultimap<String, String> byStatefulSet = SetMultimap.sorted();
    /** By node name, the Reservations whose node does not exist. */
    private final SetMultimap<String, String> awaitingNode = SetMultimap.sorted();

    GodelReservationIndex(Function<String, Optional<GodelReservationState>> byUid) {
        this.byUid = byUid;
    }

    Optional<GodelReservationState> findByUid(String uid) {
        return byUid.apply(uid);
    }

    GodelReservationState get(String uid) {
        return findByUid(uid)
                .orElseThrow(() -> new IllegalStateException("reservation (%s) is not known".formatted(uid)));
    }

    Optional<GodelReservationState> findByHold(HoldId hold) {
        return Optional.ofNullable(byHold.get(hold));
    }

    Optional<GodelReservationState> findByName(String fullName) {
        return Optional.ofNullable(byName.get(fullName));
    }

    Optional<GodelReservationState> findByOriginalPod(PodKey podKey) {
        return Optional.ofNullable(byOriginalPod.get(podKey));
    }

    /** The UIDs of the Reservations whose original pods had claimed the hold of this pod. */
    Set<String> findUidsByPredecessor(PodKey podKey) {
        return byPredecessor.get(podKey);
    }

    boolean hasStatefulSets() {
        return !byStatefulSet.isEmpty();
    }

    List<GodelReservationState> findByStatefulSet(String namespace, String name) {
        return findAll(byStatefulSet.get(GodelReservation.namespacedName(namespace, name)));
    }

    List<GodelReservationState> findAwaitingNode(String node) {
        return findAll(awaitingNode.get(node));
    }

    private List<GodelReservationState> findAll(Set<String> uids) {
        return uids.stream().flatMap(uid -> findByUid(uid).stream()).toList();
    }

    /** Replaces the Reservation of the state. */
    void put(GodelReservationState state, GodelReservation reservation) {
        remove(state);
        state.reservation = reservation;
        byName.put(reservation.namespacedName(), state);
        // A pod may have claimed the hold while Berth did not accept the original pod.
        byHold.put(reservation.standaloneHoldId(), state);
        byHold.put(reservation.holdId(), state);
        reservation.originalPodKey().ifPresent(pod -> byOriginalPod.put(pod, state));
        if (!reservation.statefulSetName().isEmpty()) {
            byStatefulSet.add(statefulSetKey(reservation), reservation.uid());
        }
        reservation.predecessorKey().ifPresent(pod -> byPredecessor.add(pod, reservation.uid()));
    }

    void remove(GodelReservationState state) {
        GodelReservation reservation = state.reservation;
        byName.remove(reservation.namespacedName(), state);
        byHold.remove(reservation.standaloneHoldId(), state);
        byHold.remove(reservation.holdId(), state);
        reservation.originalPodKey().ifPresent(pod -> byOriginalPod.remove(pod, state));
        stopAwaitingNode(state);
        reservation.predecessorKey().ifPresent(pod -> byPredecessor.remove(pod, reservation.uid()));
        byStatefulSet.remove(statefulSetKey(reservation), reservation.uid());
    }

    /** The node of the Reservation does not exist. */
    void awaitNode(GodelReservationState state) {
        awaitingNode.add(state.reservation.nodeName(), state.reservation.uid());
    }

    void stopAwaitingNode(GodelReservationState state) {
        awaitingNode.remove(state.reservation.nodeName(), state.reservation.uid());
    }

    private static String statefulSetKey(GodelReservation reservation) {
        return GodelReservation.namespacedName(reservation.namespace(), reservation.statefulSetName());
    }
}
