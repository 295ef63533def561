package dev.berth.core.door.koordinator.preallocation;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The reasons why a reservation takes over no pod, in Koordinator's words, and what to do. */
final class Messages {
    static final String NO_FITTING_POD = "node(s) no pod(s) to meet the pre-allocation requirements";
    private static final String NO_CANDIDATE = "node(s) no pod match reservation with pre allocation required";
    private static final String UNSUPPORTED =
            "%d node(s) reservation pre allocation is unsupported with current attributes. spec.preAllocation requires"
                    + " spec.allocatePolicy Restricted";
    static final String CLUSTER_MODE_DISABLED =
            "reservation requires cluster mode pre-allocation which is disabled. Set"
                    + " koordinator.preAllocationConfig.enableClusterMode in Berth's configuration, or"
                    + " spec.preAllocationPolicy.mode to Default";

    private Messages() {}

    static String unsupported(int nodes) {
        return UNSUPPORTED.formatted(nodes);
    }

    /** @param reasons the reasons of the nodes with candidates */
    static String required(int nodes, int nodesWithCandidates, Map<String, Integer> reasons) {
        if (nodesWithCandidates == 0) {
            return NO_CANDIDATE;
        }
        Map<String, Integer> all = new TreeMap<>(reasons);
        if (nodes > nodesWithCandidates) {
            all.put(NO_CANDIDATE, nodes - nodesWithCandidates);
        }
        return all.entrySet().stream()
                .map(reason -> "%d %s".formatted(reason.getValue(), reason.getKey()))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
