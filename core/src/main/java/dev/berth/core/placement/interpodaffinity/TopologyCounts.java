package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.placement.topologyspread.SlotCounts;
import dev.berth.core.placement.topologyspread.TopologyDomains;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums over the pods in the topology domains of nodes, for several topology keys. */
final class TopologyCounts {
    private static final class DomainSums {
        final TopologyDomains topologyDomains;
        final long[] byDomain;

        DomainSums(TopologyDomains topologyDomains) {
            this.topologyDomains = topologyDomains;
            this.byDomain = new long[topologyDomains.domainCount()];
        }
    }

    private final List<DomainSums> topologies = new ArrayList<>(2);
    private final Map<TopologyDomains, DomainSums> byDomains = new HashMap<>(2);
    /** How many pods are in a topology domain, once for each topology. */
    private long podsInDomains;

    /** Adds the weight of every pod to all nodes in its topology domain. */
    void add(TopologyDomains topologyDomains, SlotCounts pods, long weight) {
        add(topologyDomains, pods, weight, 1);
    }

    /** Removes pods that were added with this weight. */
    void subtract(TopologyDomains topologyDomains, SlotCounts pods, long weight) {
        add(topologyDomains, pods, weight, -1);
    }

    private void add(TopologyDomains topologyDomains, SlotCounts pods, long weight, int sign) {
        DomainSums sums = sums(topologyDomains);
        pods.forEach((slot, count) -> {
            int domain = topologyDomains.domainOf(slot);
            if (domain != TopologyDomains.NO_DOMAIN) {
                sums.byDomain[domain] += sign * weight * count;
                podsInDomains += (long) sign * count;
            }
        });
    }

    private DomainSums sums(TopologyDomains topologyDomains) {
        DomainSums existing = byDomains.get(topologyDomains);
        if (existing != null) {
            return existing;
        }
        DomainSums sums = new DomainSums(topologyDomains);
        topologies.add(sums);
        byDomains.put(topologyDomains, sums);
        return sums;
    }

    /** Whether no added pod is in a topology domain. */
    boolean isEmpty() {
        return podsInDomains == 0;
    }

    /** Whether some topology domain of the node has a pod. */
    boolean hasPodInAnyTopology(int slot) {
        for (int i = 0; i < topologies.size(); i++) {
            int domain = topologies.get(i).topologyDomains.domainOf(slot);
            if (domain != TopologyDomains.NO_DOMAIN && topologies.get(i).byDomain[domain] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the node has the labels of all topology keys. */
    boolean hasAllTopologyLabels(int slot) {
        for (int i = 0; i < topologies.size(); i++) {
            if (topologies.get(i).topologyDomains.domainOf(slot) == TopologyDomains.NO_DOMAIN) {
                return false;
            }
        }
        return true;
    }

    /** Whether all topology domains of the node have a pod. */
    boolean hasPodInEveryTopology(int slot) {
        for (int i = 0; i < topologies.size(); i++) {
            int domain = topologies.get(i).topologyDomains.domainOf(slot);
            if (domain == TopologyDomains.NO_DOMAIN || topologies.get(i).byDomain[domain] <= 0) {
                return false;
            }
        }
        return true;
    }

    /** The sum over the topology domains of the node. */
    private long sum(int slot) {
        long sum = 0;
        for (int i = 0; i < topologies.size(); i++) {
            int domain = topologies.get(i).topologyDomains.domainOf(slot);
            sum += domain == TopologyDomains.NO_DOMAIN ? 0 : topologies.get(i).byDomain[domain];
        }
        return sum;
    }

    /** A score from 0 to 100 for each of these nodes, normalized from the least sum to the greatest. */
    long[] scores(int[] slots, int count) {
        long[] scores = new long[count];
        if (isEmpty()) {
            return scores;
        }
        for (int i = 0; i < count; i++) {
            scores[i] = sum(slots[i]);
        }
        long least = Arrays.stream(scores).min().orElse(0);
        long range = Arrays.stream(scores).max().orElse(0) - least;
        for (int i = 0; i < count; i++) {
            scores[i] = range == 0 ? 0 : (long) (100 * ((double) (scores[i] - least) / (double) range));
        }
        return scores;
    }
}
