package dev.berth.core.door.comeback;

import dev.berth.core.decision.Desk;
import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.LedgerView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The Reservations for which their node has no room, by UID. They are tried again when something about their node changed;
 * what happens on other nodes costs nothing. So many at once and no more: tenants can have thousands wait for one node, which
 * changes often. Nodes take turns, so that Reservations of other nodes do not wait behind those thousands.
 */
final class WaitingReservations {
    private static final int AT_ONCE = 100;
    private static final Duration BETWEEN = Duration.ofMillis(100);

    private final Map<String, Line> lines = new HashMap<>();
    private final Map<String, String> nodes = new HashMap<>();
    /** The nodes that changed and whose Reservations were not all tried since. */
    private final Set<String> due = new LinkedHashSet<>();

    private final ChangedSlots changes = new ChangedSlots();
    private Instant next = Instant.MIN;

    /** The Reservations that wait for one node. */
    private static final class Line {
        private final ByAge reservations = new ByAge();
        /** How many of them are to be tried since the node changed. */
        private int left;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    void add(Placeholder reservation) {
        remove(reservation.uid());
        nodes.put(reservation.uid(), reservation.node());
        lines.computeIfAbsent(reservation.node(), same -> new Line())
                .reservations
                .add(reservation);
    }

    void remove(String uid) {
        @Nullable String node = nodes.remove(uid);
        if (node != null) {
            lines.computeIfPresent(node, (same, line) -> {
                line.reservations.remove(uid);
                return line.reservations.isEmpty() ? null : line;
            });
            if (!lines.containsKey(node)) {
                // Else the loop would be woken for ever for a node that no Reservation waits for.
                due.remove(node);
            }
        }
    }

    /** The node changed or is gone. A round that is under way goes on where it is, so that the newest are tried, too. */
    void nodeChanged(String node) {
        @Nullable Line line = lines.get(node);
        if (line != null) {
            if (line.left == 0) {
                line.reservations.rewind();
            }
            line.left = line.reservations.size();
            due.add(node);
        }
    }

    /**
     * Has those tried whose node changed, as far as it is time and the turn has time.
     *
     * @param attempt says whether it changed what others wait for
     * @return whether some attempt did
     */
    boolean tryDue(Desk desk, Predicate<String> attempt) {
        noticeChanges(desk.ledger());
        if (due.isEmpty() || desk.now().isBefore(next)) {
            return false;
        }
        boolean changed = false;
        for (int i = 0; i < AT_ONCE && !due.isEmpty(); i++) {
            changed |= poll().filter(attempt).isPresent();
            if (desk.timeIsUp()) {
                break;
            }
        }
        if (!changed) {
            // A hold that was tried and taken out again is in the log, too: it must not begin another round.
            changes.take(desk.ledger());
        }
        if (!due.isEmpty()) {
            next = desk.now().plus(BETWEEN);
        }
        return changed;
    }

    private void noticeChanges(LedgerView ledger) {
        for (int slot : changes.take(ledger)) {
            ledger.nodeAt(slot).ifPresent(state -> nodeChanged(state.node().name()));
        }
    }

    /** One of the node whose turn it is. */
    private Optional<String> poll() {
        String node = due.iterator().next();
        due.remove(node);
        @Nullable Line line = lines.get(node);
        if (line == null) {
            return Optional.empty();
        }
        line.left = Math.min(line.left, line.reservations.size()) - 1;
        if (line.left > 0) {
            due.add(node);
        }
        return line.reservations.next();
    }

    /** When there is something to try although nothing happens. */
    Optional<Instant> nextWake() {
        return due.isEmpty() ? Optional.empty() : Optional.of(next);
    }
}
