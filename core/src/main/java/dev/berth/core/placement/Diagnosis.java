package dev.berth.core.placement;

import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.BlockingHoldSummary;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Combines the vetoes of many nodes: how many nodes have the same reason, and which node is nearest to feasible. */
final class Diagnosis {
    static final Comparator<RefusalReason> BY_MESSAGE = Comparator.comparing(
                    (RefusalReason reason) -> reason.nearestVeto().message())
            .thenComparing(reason -> reason.nearestVeto().code());

    /** The common part of vetoes with one reason. */
    record ReasonKey(Veto.Code code, Optional<ResourceName> resource, String detail) {
        static ReasonKey of(Veto veto) {
            return new ReasonKey(veto.code(), veto.resource(), veto.detail());
        }
    }

    private static final class ReasonBuilder {
        private final List<BlockingHold> blockingHolds = new ArrayList<>();
        private int nodes;
        private String nearestNode;
        private Veto nearestVeto;

        ReasonBuilder(String node, Veto veto) {
            this.nearestNode = node;
            this.nearestVeto = veto;
        }

        void add(String node, Veto veto) {
            nodes++;
            if (isNearer(node, veto)) {
                nearestVeto = veto;
                nearestNode = node;
            }
            blockingHolds.addAll(veto.blockingHolds());
        }

        /** A node that may become feasible is nearer than a node that cannot. */
        private boolean isNearer(String node, Veto veto) {
            if (veto.isResolvable() != nearestVeto.isResolvable()) {
                return veto.isResolvable();
            }
            int byShortage = Long.compare(veto.shortfall(), nearestVeto.shortfall());
            return byShortage < 0 || (byShortage == 0 && node.compareTo(nearestNode) < 0);
        }

        RefusalReason build() {
            return new RefusalReason(nodes, nearestNode, nearestVeto, BlockingHoldSummary.of(blockingHolds));
        }
    }

    private final Map<ReasonKey, ReasonBuilder> builders = new HashMap<>();
    private int resolvableNodes;

    void add(String node, List<Veto> vetoes) {
        resolvableNodes += vetoes.stream().allMatch(Veto::isResolvable) ? 1 : 0;
        for (Veto veto : vetoes) {
            builders.computeIfAbsent(ReasonKey.of(veto), reasonKey -> new ReasonBuilder(node, veto))
                    .add(node, veto);
        }
    }

    /** The number of nodes that become feasible if only pods or holds are removed. */
    int resolvableNodes() {
        return resolvableNodes;
    }

    /** Sorted by their text. */
    List<RefusalReason> reasons() {
        return builders.values().stream()
                .map(ReasonBuilder::build)
                .sorted(BY_MESSAGE)
                .toList();
    }
}
