package dev.berth.core.placement;

import dev.berth.core.placement.filter.Keeper;
import dev.berth.core.placement.filter.KeeperNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts the vetoes of many nodes together: how many said the same, and which came nearest. */
final class Reasons {
    static final Comparator<Reason> BY_WORDS = Comparator.comparing(
                    (Reason reason) -> reason.nearest().words())
            .thenComparing(reason -> reason.nearest().code());

    /** What vetoes of one reason have in common. */
    record Kind(Veto.Code code, Optional<ResourceName> resource, String about) {
        static Kind of(Veto veto) {
            return new Kind(veto.code(), veto.resource(), veto.about());
        }
    }

    private static final class Sum {
        private final List<Keeper> keepers = new ArrayList<>();
        private int nodes;
        private String nearestNode;
        private Veto nearest;

        Sum(String node, Veto veto) {
            this.nearestNode = node;
            this.nearest = veto;
        }

        void add(String node, Veto veto) {
            nodes++;
            if (isNearer(node, veto)) {
                nearest = veto;
                nearestNode = node;
            }
            keepers.addAll(veto.keepers());
        }

        /** A node that may come to take the pod is nearer than any that cannot. */
        private boolean isNearer(String node, Veto veto) {
            if (veto.curable() != nearest.curable()) {
                return veto.curable();
            }
            int byShortage = Long.compare(veto.missing(), nearest.missing());
            return byShortage < 0 || (byShortage == 0 && node.compareTo(nearestNode) < 0);
        }

        Reason reason() {
            return new Reason(nodes, nearestNode, nearest, KeeperNames.of(keepers));
        }
    }

    private final Map<Kind, Sum> sums = new HashMap<>();
    private int curableNodes;

    void add(String node, List<Veto> vetoes) {
        curableNodes += vetoes.stream().allMatch(Veto::curable) ? 1 : 0;
        for (Veto veto : vetoes) {
            sums.computeIfAbsent(Kind.of(veto), kind -> new Sum(node, veto)).add(node, veto);
        }
    }

    /** The nodes of which everything that they said may pass by others' leaving. */
    int curableNodes() {
        return curableNodes;
    }

    /** In the order of their words. */
    List<Reason> list() {
        return sums.values().stream().map(Sum::reason).sorted(BY_WORDS).toList();
    }
}
