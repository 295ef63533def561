package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.koordinator.ReservationState.FoundPlace;
import dev.berth.core.door.koordinator.settings.MoveSettings;
import dev.berth.core.hold.HoldId;
import dev.berth.core.reconcile.ObjectController;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves unused reservations away from nodes that are cordoned, deleted or not ready. The new place is held before the
 * old one is given up: see {@link ReservationMove}. A move is decided only in {@link #reconcile}, which runs after all
 * objects are listed.
 */
final class MoveController {
    /** How many reservations hold two places at once, at most. */
    private static final int MAX_CONCURRENT = 100;

    private static final String TOO_MANY_AT_ONCE =
            "Berth moves the Reservation later: it looks for the new places of %d Reservations at once"
                    .formatted(MAX_CONCURRENT);

    private final MoveSettings settings;
    private final ObjectController<String, ReservationState, ReservationWrite> reservations;
    private final ZoneHealth zones = new ZoneHealth();
    /** The reservations that the limit per minute postpones. */
    private final MoveQueue limited;
    /** The UIDs of the reservations that count for {@link #MAX_CONCURRENT}. */
    private final Set<String> concurrent = new HashSet<>();
    /** By the name of the node: the UIDs of the reservations that avoid it. */
    private final SetMultimap<String, String> avoiding = SetMultimap.sorted();
    /** The reservations that stay for a pod that is not bound yet. */
    private final KeptReservations kept = new KeptReservations();
    /** The UIDs of the reservations that wait for one of them to end, in order. */
    private final Set<String> waiting = new LinkedHashSet<>();

    MoveController(MoveSettings settings, ObjectController<String, ReservationState, ReservationWrite> reservations) {
        this.settings = settings;
        this.reservations = reservations;
        this.limited = new MoveQueue(settings, reservations::markDirty);
    }

    void onNodeChange(Node node) {
        zones.onUpsert(node);
        avoiding.get(node.name()).forEach(reservations::markDirty);
    }

    void onNodeDelete(Node node) {
        zones.onDelete(node.name());
    }

    /** Whether the reservation waits for another place if its node is deleted. */
    boolean outlivesItsNode(ReservationState state) {
        return settings.enabled() && MoveRules.outlivesItsNode(state);
    }

    /** Starts, continues or cancels the move, as the present objects require. */
    void reconcile(ReservationState state, DoorHandle handle) {
        ReservationMove move = state.move;
        if (!settings.enabled() || move.isCommitting()) {
            return;
        }
        move.decide(MoveRules.decide(state, handle.ledger(), handle.now()));
        if (!mayMove(state, handle)) {
            cancel(state, handle);
            kept.update(state, MoveRules.isKeptByDraw(state, handle.ledger()));
            if (concurrent.size() < MAX_CONCURRENT && waiting.remove(state.uid())) {
                wakeWaiting();
            }
            return;
        }
        kept.remove(state);
        dropUsableNodes(state, handle);
        move.request(MoveRules.request(state, state.observed.spec().orElseThrow(), handle.ledger()));
        if (move.target()
                .filter(place -> ReservationHoldFactory.isPresent(place, handle.ledger()))
                .isEmpty()) {
            move.loseTarget();
            move.request().ifPresent(handle::requestPlacement);
        }
    }

    /** The reservations that may leave the node because it changed. */
    Set<HoldId> keptOn(String nodeName) {
        return kept.on(nodeName);
    }

    private void dropUsableNodes(ReservationState state, DoorHandle handle) {
        for (String name : List.copyOf(state.move.avoidedNodes())) {
            if (!mustAvoid(state, name, handle)) {
                state.move.avoidedNodes().remove(name);
                avoiding.remove(name, state.uid());
            }
        }
    }

    private static boolean mustAvoid(ReservationState state, String nodeName, DoorHandle handle) {
        return handle.ledger()
                .node(nodeName)
                .filter(node -> state.requestedTemplate()
                        .filter(template -> MoveCause.isFound(node.node(), template))
                        .isPresent())
                .isPresent();
    }

    /** A move that cannot be written is of no use: while the API server denies the status, none is started. */
    private boolean mayMove(ReservationState state, DoorHandle handle) {
        // A postponement that is over must not hide when a later move is due.
        state.move.endPostponement();
        if (!state.move.decision().isDue(handle.now())
                || reservations.denial(state.uid()).isPresent()) {
            limited.remove(state.uid());
            return false;
        }
        return state.move.isStarted() || start(state, handle);
    }

    private boolean start(ReservationState state, DoorHandle handle) {
        if (concurrent.size() >= MAX_CONCURRENT) {
            waiting.add(state.uid());
            state.move.postpone(Optional.empty(), TOO_MANY_AT_ONCE);
            return false;
        }
        Optional<ZoneHealth.MoveRate> rate = state.move
                .decision()
                .cause()
                .filter(cause -> cause.kind().isFailure())
                .flatMap(cause -> state.findNode(handle.ledger()))
                .map(zones::rateFor);
        if (rate.isPresent()) {
            MoveQueue.Turn turn = limited.acquire(state.uid(), rate.get(), handle.now());
            if (!turn.allowed()) {
                state.move.postpone(turn.retryAt(), postponedMessage(rate.get()));
                return false;
            }
        }
        // Its node may have been cordoned since: then it waits for nothing.
        limited.remove(state.uid());
        concurrent.add(state.uid());
        waiting.remove(state.uid());
        state.move.start();
        return true;
    }

    /** Without a time: the message stays the same until the reservation moves. */
    private String postponedMessage(ZoneHealth.MoveRate rate) {
        return switch (rate) {
            case NORMAL ->
                "Berth moves the Reservation later: at most %d Reservations leave such nodes in a minute (moving.maxPerMinute)"
                        .formatted(settings.maxPerMinute());
            case REDUCED ->
                "Berth moves the Reservation later: only a tenth of moving.maxPerMinute (%d) Reservations leave such nodes in a minute, because most nodes of its zone are not ready"
                        .formatted(settings.maxPerMinute());
            case STOPPED ->
                "Berth does not move the Reservation yet: most nodes of its zone, or all zones, are not ready";
        };
    }

    private void cancel(ReservationState state, DoorHandle handle) {
        if (state.move.isStarted()) {
            handle.cancelPlacement(Reservation.reservePodUid(state.uid()));
            remove(state);
            state.move.reset();
        }
    }

    /** The reservation does not move any more, or it was deleted. */
    void remove(ReservationState state) {
        kept.remove(state);
        state.move.avoidedNodes().forEach(node -> avoiding.remove(node, state.uid()));
        releaseSlot(state.uid());
    }

    private void releaseSlot(String uid) {
        limited.remove(uid);
        waiting.remove(uid);
        concurrent.remove(uid);
        wakeWaiting();
    }

    /** They stay in the list until they start to move or do not have to any more. */
    private void wakeWaiting() {
        waiting.stream().limit(Math.max(0, MAX_CONCURRENT - concurrent.size())).forEach(reservations::markDirty);
    }

    /** A pod may have been assumed in the old place since the request. */
    void onPlaced(ReservationState state, FoundPlace place, DoorHandle handle) {
        state.move.decide(MoveRules.decide(state, handle.ledger(), handle.now()));
        if (!state.move.isStarted() || !state.move.decision().isDue(handle.now())) {
            cancel(state, handle);
            reservations.markDirty(state.uid());
            return;
        }
        if (mustAvoid(state, place.nodeName(), handle)) {
            state.move.avoidedNodes().add(place.nodeName());
            avoiding.add(place.nodeName(), state.uid());
            reservations.markDirty(state.uid());
            return;
        }
        if (concurrent.size() >= MAX_CONCURRENT && !concurrent.contains(state.uid())) {
            cancel(state, handle);
            waiting.add(state.uid());
            return;
        }
        concurrent.add(state.uid());
        state.move.find(place);
        reservations.upsert(state.uid(), state, handle);
    }

    /** The request stays in the queue. It holds nothing, so another reservation can start to move. */
    void onUnschedulable(ReservationState state, String message) {
        state.move.refuse(message);
        releaseSlot(state.uid());
        reservations.markDirty(state.uid());
    }

    /** The new node was deleted. A move whose status may be written ends when a newer version is observed. */
    void onMoveHoldEnded(ReservationState state) {
        if (!state.move.isCommitting()) {
            state.move.loseTarget();
        }
        reservations.markDirty(state.uid());
    }

    /** The write was sent. If it names the new node, it may take effect from now on. */
    void onSent(ReservationState state, ReservationWrite sent) {
        if (state.move.target().isPresent()
                && sent instanceof ReservationWrite.UpdateStatus write
                && !write.status().hasSamePlaceAs(state.observed.status())) {
            state.move.commit(write);
        }
    }

    /** The API server did not carry out the write. */
    void onDenied(ReservationState state, ReservationWrite write, DoorHandle handle) {
        if (state.move.isDeniedWith(write)) {
            cancel(state, handle);
        }
    }

    /** Called with the new version before the state has it. Returns whether it shows that the reservation moved. */
    boolean onObserved(ReservationState state, Reservation next, DoorHandle handle) {
        Optional<FoundPlace> place = state.move.target();
        if (!state.move.isShownBy(next) || place.isEmpty()) {
            return false;
        }
        state.setPlacedTemplate();
        state.spentBy = List.of();
        state.nodeLost = !ReservationHoldFactory.isPresent(place.get(), handle.ledger());
        remove(state);
        state.move.complete(state.observed.status().nodeName(), place.get().nodeName());
        return true;
    }
}
