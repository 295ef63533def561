package dev.berth.core.placement;

import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.shape.Recent;
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

    /** About how many bytes the pods may retain that each kind of answers is kept for. */
    private static final long MOST_BYTES = 8L << 20;

    /** About as much as a veto retains. */
    private static final int BYTES_OF_VETO = 100;

    /** All that the nodes' answers depend on of a pod: its kin, and the rules that admit it to holds. */
    record Alike(Kin kin, Set<OwnerRule> rules) {
        /** The same without holds. */
        Alike withoutHolds() {
            return new Alike(kin, Set.of());
        }
    }

    private final NodeTable table;
    private final Recent<Alike, Refused> refusals = new Recent<>(MOST, MOST_BYTES);
    private final Recent<Alike, Set<Hint>> hints = new Recent<>(MOST, MOST_BYTES);
    private final Recent<Alike, Boolean> asked = new Recent<>(MOST, MOST_BYTES);
    private final Map<Alike, RefusalTally> tallies = new LinkedHashMap<>(16, 0.75f, true);
    private long version = -1;

    KnownRefusals(NodeTable table) {
        this.table = table;
    }

    /** @param now the ledger's version: what was said of another is forgotten */
    Optional<Refused> find(Alike alike, long now) {
        forgetOlderThan(now);
        return refusals.find(alike);
    }

    void keep(Alike alike, Refused refused) {
        refusals.put(alike, refused, alike.kin.retainedBytes());
    }

    Optional<Set<Hint>> findHints(Alike alike, long now) {
        forgetOlderThan(now);
        return hints.find(alike);
    }

    void keepHints(Alike alike, Set<Hint> found) {
        hints.put(alike, Set.copyOf(found), alike.kin.retainedBytes());
    }

    /**
     * The answers of single nodes to such pods. For pods without holds empty the first time: to keep them costs as much as
     * to ask the nodes, and many pods are the only ones of their kin.
     */
    Optional<RefusalTally> tally(Alike alike) {
        RefusalTally known = tallies.get(alike);
        if (known == null && (!alike.rules.isEmpty() || isAskedAgain(alike))) {
            known = new RefusalTally(table);
            tallies.put(alike, known);
        }
        forgetOldTallies();
        return Optional.ofNullable(known);
    }

    private boolean isAskedAgain(Alike alike) {
        return asked.put(alike, true, alike.kin.retainedBytes()).isPresent();
    }

    /** The tally of such pods that was begun and not finished. */
    Optional<RefusalTally> unfinishedTally(Alike alike) {
        return Optional.ofNullable(tallies.get(alike)).filter(RefusalTally::isUnfinished);
    }

    private void forgetOldTallies() {
        long weight =
                tallies.entrySet().stream().mapToLong(KnownRefusals::weight).sum();
        Iterator<Map.Entry<Alike, RefusalTally>> eldest = tallies.entrySet().iterator();
        while (tallies.size() > MOST || (weight > MOST_VETOES && tallies.size() > 1)) {
            weight -= weight(eldest.next());
            eldest.remove();
        }
    }

    /** In vetoes, and what retains as much. */
    private static long weight(Map.Entry<Alike, RefusalTally> kept) {
        return kept.getValue().weight() + kept.getKey().kin.retainedBytes() / BYTES_OF_VETO;
    }

    private void forgetOlderThan(long now) {
        if (version != now) {
            refusals.clear();
            hints.clear();
            version = now;
        }
    }
}
