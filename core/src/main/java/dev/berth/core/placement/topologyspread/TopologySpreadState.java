package dev.berth.core.placement.topologyspread;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.SpreadScore;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.StaticNodeFilters;
import java.util.List;
import java.util.Optional;

/** The required or the preferred spread constraints of one pod, with the counts of pods. */
public final class TopologySpreadState {
    public static final TopologySpreadState NONE = new TopologySpreadState(List.of());

    private final List<CountedConstraint> constraints;
    private final CountedConstraint.DomainCounts[] domainCounts;
    private final int[] minPods;

    private TopologySpreadState(List<CountedConstraint> all) {
        this.constraints = List.copyOf(all);
        this.domainCounts = new CountedConstraint.DomainCounts[all.size()];
        this.minPods = new int[all.size()];
    }

    public TopologySpreadState(List<CountedConstraint> all, NodeTable table, StaticNodeFilters staticFilters) {
        this(all);
        for (int i = 0; i < domainCounts.length; i++) {
            domainCounts[i] =
                    new CountedConstraint.DomainCounts(all.get(i).domains().domainCount());
        }
        staticFilters.refresh();
        for (int slot = 0; slot < table.slotBound(); slot++) {
            if (hasAllLabels(slot)) {
                for (int i = 0; i < domainCounts.length; i++) {
                    all.get(i).count(slot, staticFilters, domainCounts[i]);
                }
            }
        }
        for (int i = 0; i < domainCounts.length; i++) {
            minPods[i] = domainCounts[i].minPods(all.get(i).constraint().minDomains());
        }
    }

    /**
     * For constraints with a topology key that no node has: every node lacks the label, so the other constraints are
     * irrelevant.
     */
    public static TopologySpreadState missingLabel(
            TopologySpreadConstraint constraint, TopologyDomains topologyDomains) {
        TopologySpreadState topologySpreadState = new TopologySpreadState(
                List.of(new CountedConstraint(constraint, topologyDomains, new SlotCounts(), false)));
        topologySpreadState.domainCounts[0] = new CountedConstraint.DomainCounts(0);
        return topologySpreadState;
    }

    private boolean hasAllLabels(int slot) {
        for (int i = 0; i < constraints.size(); i++) {
            if (constraints.get(i).domains().domainOf(slot) == TopologyDomains.NO_DOMAIN) {
                return false;
            }
        }
        return true;
    }

    /** The veto of required constraints against the node. */
    public Optional<Veto.Code> veto(int slot) {
        for (int i = 0; i < domainCounts.length; i++) {
            CountedConstraint countedConstraint = constraints.get(i);
            int domain = countedConstraint.domains().domainOf(slot);
            if (domain == TopologyDomains.NO_DOMAIN) {
                return Optional.of(Veto.Code.TOPOLOGY_LABEL_MISSING);
            }
            int skew = domainCounts[i].podsIn(domain) + (countedConstraint.matchesItself() ? 1 : 0) - minPods[i];
            if (skew > countedConstraint.constraint().maxSkew()) {
                return Optional.of(Veto.Code.TOPOLOGY_SPREAD);
            }
        }
        return Optional.empty();
    }

    /** The scores of preferred constraints for these nodes, from 0 to 100. */
    public long[] scores(int[] slots, int count) {
        long[] scores = new long[count];
        if (constraints.isEmpty()) {
            return scores;
        }
        double[] weights = weights(slots, count);
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < count; i++) {
            scores[i] = hasAllLabels(slots[i]) ? rawScore(slots[i], weights) : -1;
            if (scores[i] >= 0) {
                least = Math.min(least, scores[i]);
                most = Math.max(most, scores[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            scores[i] = scores[i] < 0 ? 0 : SpreadScore.normalize(scores[i], least, most);
        }
        return scores;
    }

    private long rawScore(int slot, double[] weights) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            CountedConstraint countedConstraint = constraints.get(i);
            int pods = isHostname(countedConstraint)
                    ? countedConstraint.pods().get(slot)
                    : domainCounts[i].podsIn(countedConstraint.domains().domainOf(slot));
            sum += pods * weights[i] + (countedConstraint.constraint().maxSkew() - 1);
        }
        return Math.round(sum);
    }

    /** The weight of one pod in each constraint: it grows with the number of domains. */
    private double[] weights(int[] slots, int count) {
        double[] weights = new double[constraints.size()];
        for (int i = 0; i < weights.length; i++) {
            TopologyDomains topologyDomains = constraints.get(i).domains();
            boolean byHost = isHostname(constraints.get(i));
            boolean[] known = new boolean[topologyDomains.domainCount()];
            int domains = 0;
            for (int at = 0; at < count; at++) {
                if (hasAllLabels(slots[at]) && (byHost || !known[topologyDomains.domainOf(slots[at])])) {
                    known[topologyDomains.domainOf(slots[at])] = true;
                    domains++;
                }
            }
            weights[i] = SpreadScore.topologyWeight(domains);
        }
        return weights;
    }

    /** For spreading over hosts, Kubernetes counts on each node by itself and ignores the label's value. */
    private static boolean isHostname(CountedConstraint countedConstraint) {
        return countedConstraint.domains().key().equals(Node.HOSTNAME_LABEL);
    }
}
