package dev.berth.core.door.koordinator;

import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.HoldId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reservations that should leave their node and stay because a hold draws on them, such as that of a nominated pod. Nothing
 * notifies the door when this hold ends. So they are checked again when their node changes.
 */
final class KeptReservations {
    private final SetMultimap<String, HoldId> byNode = SetMultimap.sorted();
    private final Map<HoldId, String> nodes = new HashMap<>();

    void update(ReservationState state, boolean isKept) {
        remove(state);
        if (isKept) {
            String node = state.observed.status().nodeName();
            nodes.put(state.observed.holdId(), node);
            byNode.add(node, state.observed.holdId());
        }
    }

    void remove(ReservationState state) {
        @Nullable String node = nodes.remove(state.observed.holdId());
        if (node != null) {
            byNode.remove(node, state.observed.holdId());
        }
    }

    Set<HoldId> on(String nodeName) {
        return byNode.get(nodeName);
    }
}
