package dev.berth.core.placement;

import dev.berth.core.cache.LruCache;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.table.NodeTable;
import java.util.Optional;
import java.util.Set;

/**
 * What pods were told that no node took: thousands made from one template are refused for what it costs to ask the nodes
 * once. While the ledger stays as it was, the answer itself is given again. When it changed, the nodes that changed are
 * asked again: see {@link IncrementalDiagnosis}.
 */
final class RefusalCache {
    private static final int MAX_ENTRIES = 256;

    /** About how many vetoes of single nodes are kept, and holds that they name. */
    private static final int MAX_VETOES = 200_000;

    /** About how many bytes the pods may retain that each kind of answers is kept for. */
    private static final long MAX_BYTES = 8L << 20;

    /** About as much as a veto retains. */
    private static final int BYTES_PER_VETO = 100;

    /** All that the nodes' answers depend on of a pod: its kin, and the rules that admit it to holds. */
    record RefusalKey(EquivalenceClass equivalenceClass, Set<OwnerRule> rules) {
        /** The same without holds. */
        RefusalKey withoutHolds() {
            return new RefusalKey(equivalenceClass, Set.of());
        }
    }

    private final NodeTable table;
    private final LruCache<RefusalKey, Refused> refusals = new LruCache<>(MAX_ENTRIES, MAX_BYTES);
    private final LruCache<RefusalKey, Set<ClusterEventKind>> resolvingEvents = new LruCache<>(MAX_ENTRIES, MAX_BYTES);
    private final LruCache<RefusalKey, Boolean> askedBefore = new LruCache<>(MAX_ENTRIES, MAX_BYTES);
    private final LruCache<RefusalKey, IncrementalDiagnosis> diagnoses = new LruCache<>(MAX_ENTRIES);
    private long version = -1;

    RefusalCache(NodeTable table) {
        this.table = table;
    }

    /** @param now the ledger's version: what was said of another is forgotten */
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
     * The answers of single nodes to such pods. For pods without holds empty the first time: to keep them costs as much as
     * to ask the nodes, and many pods are the only ones of their kin.
     */
    Optional<IncrementalDiagnosis> findOrStartDiagnosis(RefusalKey refusalKey) {
        IncrementalDiagnosis known = diagnoses.get(refusalKey);
        if (known == null && (!refusalKey.rules.isEmpty() || wasAskedBefore(refusalKey))) {
            known = new IncrementalDiagnosis(table);
            diagnoses.put(refusalKey, known, 0);
        }
        diagnoses.evictBeyond(MAX_VETOES, RefusalCache::weight);
        return Optional.ofNullable(known);
    }

    private boolean wasAskedBefore(RefusalKey refusalKey) {
        return askedBefore
                .put(refusalKey, true, refusalKey.equivalenceClass.retainedBytes())
                .isPresent();
    }

    /** The tally of such pods that was begun and not finished. */
    Optional<IncrementalDiagnosis> findUnfinishedDiagnosis(RefusalKey refusalKey) {
        return diagnoses.find(refusalKey).filter(IncrementalDiagnosis::isUnfinished);
    }

    /** In vetoes, and what retains as much. */
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
