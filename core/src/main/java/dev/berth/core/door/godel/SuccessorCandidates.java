package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.hold.ReturnKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods whose records name one hold. Tenants can write such records, so a lookup must not depend on the number of
 * pods.
 */
final class SuccessorCandidates {
    /** A user can edit the key of a pod any number of times. */
    private static final int MAX_KEYS = 8;

    private record NodeAndKey(String node, ReturnKey key) {}

    private static final class Candidate {
        private final Successor successor;
        /** Each key that the pod had while its record named the hold: an edit of the key does not undo the claim. */
        private final Set<ReturnKey> keys = new HashSet<>();

        private Candidate(Successor successor) {
            this.successor = successor;
        }
    }

    private final Map<PodUid, Candidate> byPod = new HashMap<>();
    private final Map<String, NavigableMap<PodUid, Successor>> assumedByNode = new HashMap<>();
    private final Map<NodeAndKey, NavigableMap<PodUid, Successor>> byNodeAndKey = new HashMap<>();

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    /** Of several versions of a pod the first one sets the node. */
    void add(Successor successor) {
        byPod.computeIfAbsent(successor.uid(), uid -> new Candidate(successor));
    }

    /** This process assumed the pod, which was added before, into the hold. */
    void markAssumed(PodUid pod) {
        Optional.ofNullable(byPod.get(pod))
                .ifPresent(candidate -> assumedByNode
                        .computeIfAbsent(candidate.successor.nodeName(), node -> new TreeMap<>())
                        .put(pod, candidate.successor));
    }

    /** Adds a key of a pod that was added before. */
    void addKey(PodUid pod, ReturnKey key) {
        Candidate candidate = byPod.get(pod);
        if (candidate != null && candidate.keys.size() < MAX_KEYS && candidate.keys.add(key)) {
            byNodeAndKey
                    .computeIfAbsent(new NodeAndKey(candidate.successor.nodeName(), key), same -> new TreeMap<>())
                    .put(pod, candidate.successor);
        }
    }

    void remove(PodUid pod) {
        Candidate candidate = byPod.remove(pod);
        if (candidate != null) {
            removeFrom(assumedByNode, candidate.successor.nodeName(), pod);
            candidate.keys.forEach(
                    key -> removeFrom(byNodeAndKey, new NodeAndKey(candidate.successor.nodeName(), key), pod));
        }
    }

    private static <K> void removeFrom(Map<K, NavigableMap<PodUid, Successor>> map, K key, PodUid pod) {
        map.computeIfPresent(key, (same, pods) -> {
            pods.remove(pod);
            return pods.isEmpty() ? null : pods;
        });
    }

    /** Of the pods on the node the first by UID that was assumed, else the first by UID that had the key. */
    Optional<Successor> findBest(String node, ReturnKey key) {
        return first(assumedByNode.get(node)).or(() -> first(byNodeAndKey.get(new NodeAndKey(node, key))));
    }

    private static Optional<Successor> first(@Nullable NavigableMap<PodUid, Successor> pods) {
        return pods == null ? Optional.empty() : Optional.of(pods.firstEntry().getValue());
    }
}
