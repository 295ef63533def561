package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.SpreadScore;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.Suitability;
import java.util.List;
import java.util.Optional;

/** The required spread constraints of one pod, or the others of it, with the pods counted. */
final class Spreadings {
    static final Spreadings NONE = new Spreadings(List.of());

    private final List<Spreading> all;
    private final Spreading.Tally[] tallies;
    private final int[] least;

    private Spreadings(List<Spreading> all) {
        this.all = List.copyOf(all);
        this.tallies = new Spreading.Tally[all.size()];
        this.least = new int[all.size()];
    }

    Spreadings(List<Spreading> all, NodeTable table, Suitability suitability) {
        this(all);
        for (int i = 0; i < tallies.length; i++) {
            tallies[i] = new Spreading.Tally(all.get(i).column().size());
        }
        suitability.repair();
        for (int slot = 0; slot < table.bound(); slot++) {
            if (hasAllLabels(slot)) {
                for (int i = 0; i < tallies.length; i++) {
                    all.get(i).count(slot, suitability, tallies[i]);
                }
            }
        }
        for (int i = 0; i < tallies.length; i++) {
            least[i] = tallies[i].least(all.get(i).constraint().minDomains());
        }
    }

    /** Of constraints one of which is over a label that no node carries: all nodes lack it, whatever the others say. */
    static Spreadings nowhere(SpreadConstraint constraint, Column column) {
        Spreadings spreadings = new Spreadings(List.of(new Spreading(constraint, column, new SlotCounts(), false)));
        spreadings.tallies[0] = new Spreading.Tally(0);
        return spreadings;
    }

    private boolean hasAllLabels(int slot) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).column().domainOf(slot) == Column.NONE) {
                return false;
            }
        }
        return true;
    }

    /** What the constraints, as demands, have against the node. */
    Optional<Veto.Code> veto(int slot) {
        for (int i = 0; i < tallies.length; i++) {
            Spreading spreading = all.get(i);
            int domain = spreading.column().domainOf(slot);
            if (domain == Column.NONE) {
                return Optional.of(Veto.Code.SPREAD_LABEL);
            }
            int skew = tallies[i].in(domain) + (spreading.self() ? 1 : 0) - least[i];
            if (skew > spreading.constraint().maxSkew()) {
                return Optional.of(Veto.Code.SPREAD);
            }
        }
        return Optional.empty();
    }

    /** What the constraints, as wishes, make of these nodes: a score from 0 to 100 for each. */
    long[] scores(int[] slots, int count) {
        long[] scores = new long[count];
        if (all.isEmpty()) {
            return scores;
        }
        double[] weights = weights(slots, count);
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < count; i++) {
            scores[i] = hasAllLabels(slots[i]) ? raw(slots[i], weights) : -1;
            if (scores[i] >= 0) {
                least = Math.min(least, scores[i]);
                most = Math.max(most, scores[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            scores[i] = scores[i] < 0 ? 0 : SpreadScore.of(scores[i], least, most);
        }
        return scores;
    }

    private long raw(int slot, double[] weights) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            Spreading spreading = all.get(i);
            int pods = isByHost(spreading)
                    ? spreading.pods().get(slot)
                    : tallies[i].in(spreading.column().domainOf(slot));
            sum += pods * weights[i] + (spreading.constraint().maxSkew() - 1);
        }
        return Math.round(sum);
    }

    /** What one pod counts in each constraint: the more domains the nodes are in, the more. */
    private double[] weights(int[] slots, int count) {
        double[] weights = new double[all.size()];
        for (int i = 0; i < weights.length; i++) {
            Column column = all.get(i).column();
            boolean byHost = isByHost(all.get(i));
            boolean[] known = new boolean[column.size()];
            int domains = 0;
            for (int at = 0; at < count; at++) {
                if (hasAllLabels(slots[at]) && (byHost || !known[column.domainOf(slots[at])])) {
                    known[column.domainOf(slots[at])] = true;
                    domains++;
                }
            }
            weights[i] = SpreadScore.weight(domains);
        }
        return weights;
    }

    /** Kubernetes counts on each node by itself where pods are spread over hosts, whatever the label says. */
    private static boolean isByHost(Spreading spreading) {
        return spreading.column().key().equals(Node.HOSTNAME_LABEL);
    }
}
