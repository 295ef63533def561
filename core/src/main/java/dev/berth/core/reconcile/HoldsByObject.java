package dev.berth.core.reconcile;

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
 * The holds that a door has put for each key.
 *
 * @param <K> identifies the owner of the holds, usually an object or a pod
 */
public final class HoldsByObject<K> {
    private final Map<K, Set<HoldId>> holdsByKey = new HashMap<>();
    private final Map<HoldId, K> keysByHold = new HashMap<>();

    /**
     * The key has these holds from now on. The caller puts them into the ledger each time: the ledger may have ended one by
     * itself, at its deadline or with its node.
     *
     * @return the holds that the key no longer has: the caller releases them
     */
    public List<HoldId> replace(K key, Collection<Hold> desired) {
        Set<HoldId> before = holdsByKey.getOrDefault(key, Set.of());
        if (before.isEmpty() && desired.isEmpty()) {
            return List.of();
        }
        Set<HoldId> after = new LinkedHashSet<>();
        desired.forEach(hold -> after.add(hold.id()));
        List<HoldId> dropped = new ArrayList<>();
        for (HoldId id : before) {
            if (!after.contains(id)) {
                keysByHold.remove(id);
                dropped.add(id);
            }
        }
        if (after.isEmpty()) {
            holdsByKey.remove(key);
        } else {
            holdsByKey.put(key, after);
            after.forEach(id -> keysByHold.put(id, key));
        }
        return dropped;
    }

    /** What the hold belongs to, until {@link #replace} drops it. */
    public Optional<K> findKey(HoldId hold) {
        return Optional.ofNullable(keysByHold.get(hold));
    }
}
