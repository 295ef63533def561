package dev.berth.core.reconcile;

import dev.berth.core.door.DoorContext;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the ledger's holds of each key equal to the desired ones. The ledger may end a hold by itself, at its deadline
 * or with its node: the next {@link #sync} puts the hold again if it is still desired.
 *
 * @param <K> identifies the owner of the holds, usually an object or a pod
 */
public final class HoldSync<K> {
    private final Map<K, Set<HoldId>> holdsByKey = new HashMap<>();
    private final Map<HoldId, K> keysByHold = new HashMap<>();

    /**
     * Releases the holds that are no longer desired, then puts the desired ones. A hold that is already in the ledger
     * costs a comparison: see {@link DoorContext#putHold}.
     *
     * @return the holds that were released
     */
    public List<HoldId> sync(K key, Collection<Hold> desired, DoorContext doorContext) {
        Set<HoldId> before = holdsByKey.getOrDefault(key, Set.of());
        if (before.isEmpty() && desired.isEmpty()) {
            return List.of();
        }
        Set<HoldId> after = new LinkedHashSet<>();
        desired.forEach(hold -> after.add(hold.id()));
        List<HoldId> released = new ArrayList<>();
        for (HoldId id : before) {
            if (!after.contains(id)) {
                keysByHold.remove(id);
                doorContext.releaseHold(id);
                released.add(id);
            }
        }
        if (after.isEmpty()) {
            holdsByKey.remove(key);
        } else {
            holdsByKey.put(key, after);
        }
        for (Hold hold : desired) {
            keysByHold.put(hold.id(), key);
            doorContext.putHold(hold);
        }
        return released;
    }

    /** The owner of the hold, from its first {@link #sync} until it is released. */
    public Optional<K> findKey(HoldId hold) {
        return Optional.ofNullable(keysByHold.get(hold));
    }
}
