package dev.berth.core.placement;

import dev.berth.core.cache.LruCache;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.interpodaffinity.HiddenHolds;
import dev.berth.core.placement.table.NodeTable;
import java.util.Optional;
import java.util.Set;

/**
 * The results for refused pods. Thousands of pods of one template are refused at the cost of filtering all nodes once.
 * If the ledger did not change, the result itself is returned again. Otherwise only the changed nodes are filtered
 * again: see {@link IncrementalDiagnosis}.
 */
final class RefusalCache {
    private static final int MAX_ENTRIES = 256;

    /** The limit of cached vetoes of single nodes, and of holds that they name. */
    private static final int MAX_VETOES = 200_000;

    /** The limit of bytes that the keys of each cache may retain. */
    private static final long MAX_BYTES = 8L << 20;

    /** About the bytes that one veto retains. */
    private static final int BYTES_PER_VETO = 100;

    /**
     * Everything about a pod that the vetoes depend on: its class, the owner rules that admit it, and the holds that it
     * does not see as neighbours.
     */
    record RefusalKey(EquivalenceClass equivalenceClass, Set<OwnerRule> rules, HiddenHolds hidden) {
        /** The same without holds, for pods without inter-pod constraints. */
        RefusalKey withoutHolds() {
            return new RefusalKey(equivalenceClass, Set.of(), HiddenHolds.NONE);
        }

        /** A diagnosis is shared by pods without inter-pod constraints: hidden holds do not matter to them. */
        private RefusalKey forDiagnosis() {
            return new RefusalKey(equivalenceClass, rules, HiddenHolds.NONE);
        }
    }

    private final NodeTable table;
    private final LruCache<RefusalKey, Refused> refusals = new LruCache<>(MAX_ENTRIES, MAX_BYTES);
    private final LruCache<RefusalKey, Set<ClusterEventKind>> resolvingEvents = new LruCache<>(MAX_ENTRIES, MAX_BYTES);
    private final LruCache<RefusalKey, Boolean> seenKeys = new LruCache<>(MAX_ENTRIES, MAX_BYTES);
    private final LruCache<RefusalKey, IncrementalDiagnosis> diagnoses = new LruCache<>(MAX_ENTRIES);
    private long version = -1;

    RefusalCache(NodeTable table) {
        this.table = table;
    }

    /** @param now the version of the ledger: results for other versions are dropped */
    Optional<Refused> find(RefusalKey refusalKey, long now) {
        clearUnlessVersion(now);
        return refusals.find(refusalKey);
    }

    void put(RefusalKey refusalKey, Refused refused) {
        refusals.put(refusalKey, refused, refusalKey.equivalenceClass.retainedBytes());
    }

    Optional<Set<ClusterEventKind>> findResolvingEvents(RefusalKey refusalKey, long now) {
        clearUnlessVersion(now);
        return resolvingEvents.find(refusalKey);
    }

    void putResolvingEvents(RefusalKey refusalKey, Set<ClusterEventKind> found) {
        resolvingEvents.put(refusalKey, Set.copyOf(found), refusalKey.equivalenceClass.retainedBytes());
    }

    /**
     * The cached vetoes of single nodes for such pods. For pods without holds empty at the first refusal: caching costs
     * as much as filtering, and many pods are the only ones of their class.
     */
    Optional<IncrementalDiagnosis> findOrStartDiagnosis(RefusalKey key) {
        RefusalKey refusalKey = key.forDiagnosis();
        IncrementalDiagnosis existing = diagnoses.get(refusalKey);
        if (existing == null && (!refusalKey.rules.isEmpty() || wasAskedBefore(refusalKey))) {
            existing = new IncrementalDiagnosis(table);
            diagnoses.put(refusalKey, existing, 0);
        }
        diagnoses.evictBeyond(MAX_VETOES, RefusalCache::weight);
        return Optional.ofNullable(existing);
    }

    private boolean wasAskedBefore(RefusalKey refusalKey) {
        return seenKeys.put(refusalKey, true, refusalKey.equivalenceClass.retainedBytes())
                .isPresent();
    }

    /** The unfinished diagnosis for such pods. */
    Optional<IncrementalDiagnosis> findUnfinishedDiagnosis(RefusalKey refusalKey) {
        return diagnoses.find(refusalKey.forDiagnosis()).filter(IncrementalDiagnosis::isUnfinished);
    }

    /** In units of one veto. */
    private static long weight(RefusalKey key, IncrementalDiagnosis diagnosis) {
        return diagnosis.weight() + key.equivalenceClass.retainedBytes() / BYTES_PER_VETO;
    }

    private void clearUnlessVersion(long now) {
        if (version != now) {
            refusals.clear();
            resolvingEvents.clear();
            version = now;
        }
    }
}
