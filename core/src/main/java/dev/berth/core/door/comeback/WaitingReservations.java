package dev.berth.core.door.comeback;

import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.LedgerView;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The Reservations for which their node has no room, by UID. They are tried again when something about their node changed;
 * what happens on other nodes costs nothing.
 */
final class WaitingReservations {
    private final Map<String, Set<String>> byNode = new HashMap<>();
    private final Map<String, String> nodes = new HashMap<>();
    private final ChangedSlots changes = new ChangedSlots();

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    void add(String uid, String node) {
        remove(uid);
        nodes.put(uid, node);
        byNode.computeIfAbsent(node, same -> new TreeSet<>()).add(uid);
    }

    void remove(String uid) {
        @Nullable String node = nodes.remove(uid);
        if (node != null) {
            byNode.computeIfPresent(node, (same, uids) -> {
                uids.remove(uid);
                return uids.isEmpty() ? null : uids;
            });
        }
    }

    Set<String> on(String node) {
        return Set.copyOf(byNode.getOrDefault(node, Set.of()));
    }

    /** Those whose node changed since this was last asked. */
    Set<String> due(LedgerView ledger) {
        Set<String> due = new TreeSet<>();
        for (int slot : changes.take(ledger)) {
            ledger.nodeAt(slot).ifPresent(state -> due.addAll(on(state.node().name())));
        }
        return due;
    }
}
