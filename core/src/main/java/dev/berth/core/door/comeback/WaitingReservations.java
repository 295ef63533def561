package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
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
    /** The ledger as of which all of them were tried. */
    private long version;

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

    /** Those whose node changed since {@link #tried}. */
    Set<String> due(LedgerView ledger) {
        Set<String> changed = new TreeSet<>();
        boolean isComplete = ledger.changesSince(version, new LedgerView.Changes() {
            @Override
            public void nodeChanged(int slot) {
                ledger.nodeAt(slot).ifPresent(state -> changed.add(state.node().name()));
            }

            @Override
            public void podArrived(int slot, Pod pod) {}

            @Override
            public void podLeft(int slot, Pod pod) {
                nodeChanged(slot);
            }

            @Override
            public void workloadsChanged(String namespace) {}

            @Override
            public void namespacesChanged() {}
        });
        Set<String> due = new TreeSet<>();
        (isComplete ? changed : byNode.keySet()).forEach(node -> due.addAll(on(node)));
        return due;
    }

    /** All of them were tried as things are. */
    void tried(LedgerView ledger) {
        version = ledger.version();
    }
}
