package dev.berth.core.placement.shape;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The {@link HoldRanking}s of the classes that came last. Each is about what pods of one class get by the same rules. */
public final class HoldRankings {
    private static final int MOST = 64;

    private final NodeTable table;
    private final PodClasses classes;
    private final long weight;
    private final Map<Key, HoldRanking> rankings = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, HoldRanking> eldest) {
            if (size() <= MOST) {
                return false;
            }
            classes.unpin(eldest.getKey().pods);
            return true;
        }
    };

    private record Key(PodClasses.Key pods, Set<OwnerRule> rules, boolean required) {}

    /**
     * The hold that a pod fills best on a node.
     *
     * @param filling how well, in hundredths
     */
    public record Offer(HoldId hold, Resources outstanding, long filling) {}

    /** The best node by a hold. */
    public record Choice(int slot, long total, Offer offer) {}

    /** Where the pod's holds are and what they are to it. */
    public interface Holds {
        /** The slots of the nodes where it may have holds. */
        int[] slots();

        /** The hold that it fills best on the node of the slot, the first of equals; empty when none there is of use. */
        Optional<Offer> best(int slot);
    }

    /** @param weight how much it counts how well a pod fills a hold */
    public HoldRankings(NodeTable table, PodClasses classes, long weight) {
        this.table = table;
        this.classes = classes;
        this.weight = weight;
    }

    /**
     * The nodes where the pod has holds, looked at again as far as they changed. Valid as long as the ledger stays as it is.
     *
     * @param rules by which the pod is admitted to its holds
     * @param required whether holds count that keep nothing of what the pod asks for
     * @param timeIsUp asked after each node; after a yes, the next call goes on where this one stopped
     * @return empty when time was up before all nodes were looked at
     */
    public Optional<HoldRanking> rank(
            Pod pod, Collection<OwnerRule> rules, boolean required, Holds holds, BooleanSupplier timeIsUp) {
        Key key = new Key(classes.keyOf(pod), Set.copyOf(rules), required);
        HoldRanking ranking = rankings.get(key);
        if (ranking == null) {
            classes.pin(key.pods);
            ranking = new HoldRanking(table, classes.terms(key.pods), weight);
            rankings.put(key, ranking);
        }
        return ranking.repair(holds, timeIsUp) ? Optional.of(ranking) : Optional.empty();
    }
}
