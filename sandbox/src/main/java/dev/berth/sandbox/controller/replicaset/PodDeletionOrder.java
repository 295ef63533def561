package dev.berth.sandbox.controller.replicaset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The order in which a ReplicaSet deletes pods when it scales down. Unassigned before assigned, pending before
 * running, not ready before ready, low deletion cost first ({@code controller.kubernetes.io/pod-deletion-cost}), doubled
 * up before spread out, ready for a shorter time first, more restarts first, newer before older.
 */
final class PodDeletionOrder {
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

    private final Instant now;
    private final Map<String, Integer> podsOnNode = new HashMap<>();

    /**
     * @param related the pods of this replica set and of its siblings under the same deployment
     */
    PodDeletionOrder(Instant now, Collection<ObjectNode> related) {
        this.now = now;
        for (ObjectNode pod : related) {
            if (Pods.isActive(pod)) {
                podsOnNode.merge(Pods.nodeName(pod), 1, Integer::sum);
            }
        }
    }

    List<ObjectNode> selectPodsToDelete(Collection<ObjectNode> pods, int count) {
        return pods.stream().sorted(order()).limit(count).toList();
    }

    private Comparator<ObjectNode> order() {
        return Comparator.comparing((ObjectNode pod) -> !Pods.nodeName(pod).isEmpty())
                .thenComparingInt(PodDeletionOrder::phase)
                .thenComparing(Pods::isReady)
                .thenComparingLong(PodDeletionOrder::cost)
                .thenComparing(pod -> podsOnNode.getOrDefault(Pods.nodeName(pod), 0), Comparator.reverseOrder())
                .thenComparingLong(pod -> Pods.readySince(pod).map(this::age).orElse(-1L))
                .thenComparing(Pods::maxRestartCount, Comparator.reverseOrder())
                .thenComparingLong(pod -> age(ObjectMetaReader.creationTimestamp(pod)))
                .thenComparing(ObjectMetaReader::uid);
    }

    private static int phase(ObjectNode pod) {
        return switch (Pods.phase(pod)) {
            case "Running" -> 2;
            case "Unknown" -> 1;
            default -> 0;
        };
    }

    private static long cost(ObjectNode pod) {
        Optional<String> text = ObjectMetaReader.annotation(pod, COST);
        try {
            return text.isEmpty() ? 0 : Integer.parseInt(text.get());
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }

    /** Ages are compared by their logarithm. Among pods of about the same age the UID, and so chance, decides. */
    private long age(Instant since) {
        long nanos = Duration.between(since, now).toNanos();
        return nanos <= 0 ? -1 : 63 - Long.numberOfLeadingZeros(nanos);
    }
}
