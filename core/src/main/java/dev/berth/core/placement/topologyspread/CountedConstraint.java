package dev.berth.core.placement.topologyspread;

import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.table.StaticNodeFilters;

/**
 * A spread constraint of one pod, with the counts of the selected pods.
 *
 * @param pods the selected pods; none if the constraint has no selector
 * @param matchesItself whether the selector matches the pod itself
 */
public record CountedConstraint(
        TopologySpreadConstraint constraint, TopologyDomains domains, SlotCounts pods, boolean matchesItself) {
    private boolean isCounted(int slot, StaticNodeFilters staticFilters) {
        TopologySpreadConstraint.NodeInclusionPolicy nodeInclusionPolicies = constraint.nodeInclusionPolicy();
        return (!nodeInclusionPolicies.honorAffinity() || staticFilters.matchesNodeAffinity(slot))
                && (!nodeInclusionPolicies.honorTaints() || staticFilters.toleratesTaints(slot));
    }

    /** Counts the pods on the node in the slot, which has the labels of all constraints, if the node is included. */
    void count(int slot, StaticNodeFilters staticFilters, DomainCounts domainCounts) {
        if (isCounted(slot, staticFilters)) {
            domainCounts.add(domains.domainOf(slot), pods.get(slot));
        }
    }

    /** The number of pods in each domain with an included node. */
    static final class DomainCounts {
        private final int[] pods;
        private final boolean[] hasNodes;

        DomainCounts(int domains) {
            this.pods = new int[domains];
            this.hasNodes = new boolean[domains];
        }

        private void add(int domain, int count) {
            pods[domain] += count;
            hasNodes[domain] = true;
        }

        int podsIn(int domain) {
            return pods[domain];
        }

        /** The minimum over all domains; zero if there are fewer domains than required. */
        int minPods(int minDomains) {
            int domains = 0;
            int least = Integer.MAX_VALUE;
            for (int domain = 0; domain < pods.length; domain++) {
                if (hasNodes[domain]) {
                    domains++;
                    least = Math.min(least, pods[domain]);
                }
            }
            return domains < minDomains ? 0 : least;
        }
    }
}
