package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.comeback.ComebackWrite.Taker;
import dev.berth.core.hold.ReturnKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The pods that may have taken one place. Tenants write the records that say so: finding one costs no look at the others. */
final class TakerCandidates {
    /** The author of a pod can edit its key again and again. */
    private static final int MOST_KEYS = 8;

    private record NodeAndKey(String node, ReturnKey key) {}

    private static final class Candidate {
        private final Taker taker;
        /** Each key that it had while its record named the place: a pod that changes its key gives nothing back. */
        private final Set<ReturnKey> keys = new HashSet<>();

        private Candidate(Taker taker) {
            this.taker = taker;
        }
    }

    private final Map<PodUid, Candidate> byPod = new HashMap<>();
    private final Map<String, NavigableMap<PodUid, Taker>> assumedByNode = new HashMap<>();
    private final Map<NodeAndKey, NavigableMap<PodUid, Taker>> byKey = new HashMap<>();

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    /** The pod's record names the place; of several versions of the pod the first says where it is. */
    void add(Taker taker) {
        byPod.computeIfAbsent(taker.uid(), uid -> new Candidate(taker));
    }

    /** This process assumed that the pod, which was added, takes the place. */
    void assume(PodUid pod) {
        Optional.ofNullable(byPod.get(pod))
                .ifPresent(candidate -> assumedByNode
                        .computeIfAbsent(candidate.taker.node(), node -> new TreeMap<>())
                        .put(pod, candidate.taker));
    }

    /** The pod, which was added, had the key. */
    void had(PodUid pod, ReturnKey key) {
        Candidate candidate = byPod.get(pod);
        if (candidate != null && candidate.keys.size() < MOST_KEYS && candidate.keys.add(key)) {
            byKey.computeIfAbsent(new NodeAndKey(candidate.taker.node(), key), same -> new TreeMap<>())
                    .put(pod, candidate.taker);
        }
    }

    void remove(PodUid pod) {
        Candidate candidate = byPod.remove(pod);
        if (candidate != null) {
            take(assumedByNode, candidate.taker.node(), pod);
            candidate.keys.forEach(key -> take(byKey, new NodeAndKey(candidate.taker.node(), key), pod));
        }
    }

    private static <K> void take(Map<K, NavigableMap<PodUid, Taker>> map, K key, PodUid pod) {
        map.computeIfPresent(key, (same, pods) -> {
            pods.remove(pod);
            return pods.isEmpty() ? null : pods;
        });
    }

    /** Of the pods on the node the first by UID that was assumed, else the first that had the key. */
    Optional<Taker> best(String node, ReturnKey key) {
        return first(assumedByNode.get(node)).or(() -> first(byKey.get(new NodeAndKey(node, key))));
    }

    private static Optional<Taker> first(@Nullable NavigableMap<PodUid, Taker> pods) {
        return pods == null ? Optional.empty() : Optional.of(pods.firstEntry().getValue());
    }
}
