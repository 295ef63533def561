package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import dev.berth.core.persistent.TrieMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holds a pod may use without walking all of them. Each owner rule is filed under the one of its keys that
 * has the fewest holds so far, so that a label which everybody carries does not make every hold a candidate.
 * Immutable.
 */
public final class OwnerIndex {
    public static final OwnerIndex EMPTY = new OwnerIndex(TrieMap.empty(), TrieMap.empty());

    private final TrieMap<OwnerKey, TrieMap<HoldId, Hold>> holdsByKey;
    private final TrieMap<HoldId, Set<OwnerKey>> keysByHold;

    private OwnerIndex(TrieMap<OwnerKey, TrieMap<HoldId, Hold>> holdsByKey, TrieMap<HoldId, Set<OwnerKey>> keysByHold) {
        this.holdsByKey = holdsByKey;
        this.keysByHold = keysByHold;
    }

    /** The index with this hold, in place of an older one of the same id. */
    public OwnerIndex with(Hold hold) {
        OwnerIndex rest = without(hold.id());
        Set<OwnerKey> keys = new LinkedHashSet<>();
        for (Owner owner : hold.owners()) {
            keys.addAll(rest.leastUsed(OwnerKey.waysToFile(owner)));
        }
        TrieMap<OwnerKey, TrieMap<HoldId, Hold>> filed = rest.holdsByKey;
        for (OwnerKey key : keys) {
            filed = filed.with(key, rest.bucket(key).with(hold.id(), hold));
        }
        return new OwnerIndex(filed, rest.keysByHold.with(hold.id(), keys));
    }

    public OwnerIndex without(HoldId id) {
        Set<OwnerKey> keys = keysByHold.get(id);
        if (keys == null) {
            return this;
        }
        TrieMap<OwnerKey, TrieMap<HoldId, Hold>> filed = holdsByKey;
        for (OwnerKey key : keys) {
            TrieMap<HoldId, Hold> bucket = bucket(key).without(id);
            filed = bucket.isEmpty() ? filed.without(key) : filed.with(key, bucket);
        }
        return new OwnerIndex(filed, keysByHold.without(id));
    }

    /** The holds that admit the pod, in the order of their ids. */
    public Collection<Hold> holdsFor(Pod pod) {
        if (holdsByKey.isEmpty()) {
            return List.of();
        }
        TreeMap<HoldId, Hold> found = new TreeMap<>();
        for (OwnerKey key : OwnerKey.of(pod)) {
            bucket(key).forEach((id, hold) -> {
                if (hold.admits(pod)) {
                    found.put(id, hold);
                }
            });
        }
        return new ArrayList<>(found.values());
    }

    /** How many holds a search for the pod would look at. */
    int candidates(Pod pod) {
        return OwnerKey.of(pod).stream().mapToInt(key -> bucket(key).size()).sum();
    }

    private List<OwnerKey> leastUsed(List<List<OwnerKey>> ways) {
        List<OwnerKey> best = ways.get(0);
        int fewest = Integer.MAX_VALUE;
        for (List<OwnerKey> way : ways) {
            int used = 0;
            for (OwnerKey key : way) {
                used += bucket(key).size();
            }
            if (used < fewest) {
                best = way;
                fewest = used;
            }
        }
        return best;
    }

    private TrieMap<HoldId, Hold> bucket(OwnerKey key) {
        @Nullable TrieMap<HoldId, Hold> bucket = holdsByKey.get(key);
        return bucket == null ? TrieMap.empty() : bucket;
    }
}
