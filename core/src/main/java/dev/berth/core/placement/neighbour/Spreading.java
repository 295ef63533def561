package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.Suitability;

/**
 * A spread constraint of one pod, made ready to count.
 *
 * @param pods where the pods are that are spread together; none where the constraint selects nobody
 * @param self whether the pod is one of them
 */
record Spreading(SpreadConstraint constraint, Column column, SlotCounts pods, boolean self) {
    private boolean counts(int slot, Suitability suitability) {
        SpreadConstraint.Heed heeds = constraint.heeds();
        return (!heeds.affinity() || suitability.allows(slot)) && (!heeds.taints() || suitability.tolerated(slot));
    }

    /** Counts what is on the node in the slot, which has the labels of all constraints, if it is a node that counts. */
    void count(int slot, Suitability suitability, Tally tally) {
        if (counts(slot, suitability)) {
            tally.add(column.domainOf(slot), pods.get(slot));
        }
    }

    /** The pods in each domain, of the domains that have a node that counts. */
    static final class Tally {
        private final int[] pods;
        private final boolean[] there;

        Tally(int domains) {
            this.pods = new int[domains];
            this.there = new boolean[domains];
        }

        private void add(int domain, int count) {
            pods[domain] += count;
            there[domain] = true;
        }

        int in(int domain) {
            return pods[domain];
        }

        /** The fewest in any domain; none where there are fewer domains than asked for. */
        int least(int minDomains) {
            int domains = 0;
            int least = Integer.MAX_VALUE;
            for (int domain = 0; domain < pods.length; domain++) {
                if (there[domain]) {
                    domains++;
                    least = Math.min(least, pods[domain]);
                }
            }
            return domains < minDomains ? 0 : least;
        }
    }
}
