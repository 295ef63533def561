package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.PackedMap;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The holds of one node that count as pods for affinity and spread. A hold counts until a pod is in its place: a pod that
 * claims it, or a backer that is on the node.
 */
final class NeighbourHolds {
    private final TreeMap<HoldId, Hold> holds = new TreeMap<>();
    private @Nullable List<Hold> list = List.of();

    /** The state of the hold may have changed. */
    void update(HoldState state, PackedMap<PodUid, Pod> activePods) {
        Hold hold = state.hold();
        if (hold.neighbour().isPresent() && state.claims().isEmpty() && !hasActiveBacker(hold, activePods)) {
            if (!hold.equals(holds.put(hold.id(), hold))) {
                list = null;
            }
        } else {
            remove(hold.id());
        }
    }

    void remove(HoldId id) {
        if (holds.remove(id) != null) {
            list = null;
        }
    }

    private static boolean hasActiveBacker(Hold hold, PackedMap<PodUid, Pod> activePods) {
        for (PodUid backer : hold.backers()) {
            if (activePods.get(backer).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** In the order of their ids; the same list until one of them changes. */
    List<Hold> asList() {
        if (list == null) {
            list = List.copyOf(holds.values());
        }
        return list;
    }
}
