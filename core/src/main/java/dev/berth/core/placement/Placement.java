package dev.berth.core.placement;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of placement: a node, or why there is none. */
public sealed interface Placement {
    /** Time was up before the result was known: see {@link Placer#placeWithin}. */
    enum Unfinished implements Placement {
        INSTANCE
    }

    /**
     * The pod is placed.
     *
     * @param hold the hold that it uses there, if any
     * @param score the node's total, at least as high as that of every other node whose hold does not come later in its order
     */
    record Placed(String nodeName, NodeUid nodeUid, Optional<HoldId> hold, long score) implements Placement {}

    /**
     * No node is feasible for the pod.
     *
     * @param nodes the number of nodes
     * @param resolvableNodes the number of nodes that become feasible if only pods or holds are removed
     * @param preFilterMessage why PreFilter refused the pod, if it did
     * @param preFilterEvents the events that can resolve the refusal of PreFilter; an update of the pod always can
     * @param reasons why the nodes are not feasible, in the order of the message
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

        /** No node was filtered. If there are no nodes, there may be no reason. */
        public static Refused byPreFilter(int nodes, Optional<String> why, Set<ClusterEventKind> events) {
            return new Refused(nodes, 0, why, events, List.of());
        }

        /** All nodes were filtered. */
        public static Refused byNodes(int nodes, int resolvable, List<RefusalReason> reasons) {
            return new Refused(nodes, resolvable, Optional.empty(), Set.of(), reasons);
        }

        /** The message of kube-scheduler's FitError, for example {@code 0/3 nodes are available: 3 Insufficient cpu.} */
        public String fitErrorMessage() {
            if (nodes == 0) {
                return "no nodes available to schedule pods";
            }
            return "0/%d nodes are available: %s."
                    .formatted(nodes, preFilterMessage.orElseGet(() -> counts(reasons, List.of())));
        }

        /**
         * The same with some of the reasons replaced.
         *
         * @param kept selects the reasons that are not replaced
         * @param replacements counts with their reasons; if they are empty and no reason is kept, nothing is replaced
         */
        public String fitErrorMessage(Predicate<RefusalReason> kept, List<String> replacements) {
            List<RefusalReason> rest = reasons.stream().filter(kept).toList();
            return nodes == 0 || (rest.isEmpty() && replacements.isEmpty())
                    ? fitErrorMessage()
                    : "0/%d nodes are available: %s.".formatted(nodes, counts(rest, replacements));
        }

        /** One count for each reason, as in kube-scheduler, whether holds or pods use the resource. */
        private static String counts(List<RefusalReason> reasons, List<String> more) {
            Map<String, List<RefusalReason>> byMessage = reasons.stream()
                    .collect(
                            Collectors.groupingBy(reason -> reason.nearestVeto().message()));
            return Stream.concat(byMessage.values().stream().map(RefusalReason::message), more.stream())
                    .sorted()
                    .collect(Collectors.joining(", "));
        }

        /** The events that can make the pod schedulable; no other event can. */
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
