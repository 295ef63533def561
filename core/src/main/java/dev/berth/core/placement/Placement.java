package dev.berth.core.placement;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Where a pod goes, or why it goes nowhere. */
public sealed interface Placement {
    /** Time was up before the answer was known: see {@link Placer#placeWithin}. */
    enum Unfinished implements Placement {
        INSTANCE
    }

    /**
     * The pod has a place.
     *
     * @param hold the hold it uses there, if any
     * @param score the node's total, greater than or equal to every other's
     */
    record Placed(String nodeName, NodeUid nodeUid, Optional<HoldId> hold, long score) implements Placement {}

    /**
     * No node takes the pod.
     *
     * @param nodes how many nodes there are
     * @param resolvableNodes how many of them may come to take the pod by nothing but others' leaving
     * @param preFilterMessage why it was refused before any node was looked at, if so
     * @param preFilterEvents the events that can lift what stands against it beforehand; its own change always can
     * @param reasons why the nodes refused it, in the order in which people read them
     */
    record Refused(
            int nodes,
            int resolvableNodes,
            Optional<String> preFilterMessage,
            Set<ClusterEventKind> preFilterEvents,
            List<RefusalReason> reasons)
            implements Placement {
        public Refused {
            preFilterEvents = Set.copyOf(preFilterEvents);
            reasons = List.copyOf(reasons);
        }

        /** No node was looked at; where there is none, nothing need stand against the pod. */
        public static Refused byPreFilter(int nodes, Optional<String> why, Set<ClusterEventKind> remedies) {
            return new Refused(nodes, 0, why, remedies, List.of());
        }

        /** Every node was asked. */
        public static Refused byNodes(int nodes, int curableNodes, List<RefusalReason> reasons) {
            return new Refused(nodes, curableNodes, Optional.empty(), Set.of(), reasons);
        }

        /** The message of kube-scheduler's FitError, for example {@code 0/3 nodes are available: 3 Insufficient cpu.} */
        public String fitErrorMessage() {
            if (nodes == 0) {
                return "no nodes available to schedule pods";
            }
            return "0/%d nodes are available: %s.".formatted(nodes, preFilterMessage.orElseGet(this::reasonCounts));
        }

        /** One count for each reason, as kube-scheduler has it, whether holds or pods stand in the way. */
        private String reasonCounts() {
            Map<String, List<RefusalReason>> byWords = reasons.stream()
                    .collect(
                            Collectors.groupingBy(reason -> reason.nearestVeto().message()));
            return byWords.values().stream()
                    .map(RefusalReason::message)
                    .sorted()
                    .collect(Collectors.joining(", "));
        }

        /** The events that can help; what another event changed cannot have made a place for this pod. */
        public Set<ClusterEventKind> resolvingEvents() {
            EnumSet<ClusterEventKind> clusterEventKinds = EnumSet.of(ClusterEventKind.POD_UPDATED);
            clusterEventKinds.addAll(preFilterEvents);
            if (preFilterMessage.isEmpty()) {
                clusterEventKinds.add(ClusterEventKind.NODE_ADDED);
                reasons.forEach(
                        reason -> clusterEventKinds.addAll(reason.nearestVeto().resolvingEvents()));
            }
            return clusterEventKinds;
        }
    }
}
