package dev.berth.core.placement;

import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.table.NodeTable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What pods were told that no node took: thousands made from one template are refused for what it costs to ask the nodes
 * once. While the ledger stays as it was, the answer itself is given again. When it changed, the nodes that changed are
 * asked again: see {@link RefusalTally}.
 */
final class KnownRefusals {
    private static final int MOST = 256;

    /** About how many vetoes of single nodes are kept, and holds that they name. */
    private static final int MOST_VETOES = 200_000;

    /** All that the nodes' answers depend on of a pod: its kin, and the rules that admit it to holds. */
    record Alike(Kin kin, Set<OwnerRule> rules) {
        /** The same without holds. */
        Alike withoutHolds() {
            return new Alike(kin, Set.of());
        }
    }

    private final NodeTable table;
    private final Map<Alike, Refused> refusals = new Latest<>();
    private final Map<Alike, Set<Hint>> hints = new Latest<>();
    private final Map<Alike, Boolean> asked = new Latest<>();
    private final Map<Alike, RefusalTally> tallies = new LinkedHashMap<>(16, 0.75f, true);
    private long version = -1;

    /** Forgets what was not used for the longest time. */
    private static final class Latest<V> extends LinkedHashMap<Alike, V> {
        private static final long serialVersionUID = 1;

        private Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Alike, V> eldest) {
            return size() > MOST;
        }
    }

    KnownRefusals(NodeTable table) {
        this.table = table;
    }

    /** @param now the ledger's version: what was said of another is forgotten */
    Optional<Refused> find(Alike alike, long now) {
        forgetOlderThan(now);
        return Optional.ofNullable(refusals.get(alike));
    }

    void keep(Alike alike, Refused refused) {
        refusals.put(alike, refused);
    }

    Optional<Set<Hint>> findHints(Alike alike, long now) {
        forgetOlderThan(now);
        return Optional.ofNullable(hints.get(alike));
    }

    void keepHints(Alike alike, Set<Hint> found) {
        hints.put(alike, Set.copyOf(found));
    }

    /**
     * The answers of single nodes to such pods. For pods without holds empty the first time: to keep them costs as much as
     * to ask the nodes, and many pods are the only ones of their kin.
     */
    Optional<RefusalTally> tally(Alike alike) {
        RefusalTally known = tallies.get(alike);
        if (known == null && (!alike.rules.isEmpty() || asked.put(alike, true) != null)) {
            known = new RefusalTally(table);
            tallies.put(alike, known);
        }
        forgetOldTallies();
        return Optional.ofNullable(known);
    }

    private void forgetOldTallies() {
        int weight = tallies.values().stream().mapToInt(RefusalTally::weight).sum();
        Iterator<RefusalTally> eldest = tallies.values().iterator();
        while (tallies.size() > MOST || (weight > MOST_VETOES && tallies.size() > 1)) {
            weight -= eldest.next().weight();
            eldest.remove();
        }
    }

    private void forgetOlderThan(long now) {
        if (version != now) {
            refusals.clear();
            hints.clear();
            version = now;
        }
    }
}
