package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.volume.ClaimKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which pods mount which claims, be they placed or not. */
public final class Mentions {
    private final LedgerView ledger;
    private final Map<ClaimKey, Set<PodUid>> pods = new HashMap<>();
    private long generation;

    public Mentions(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** A pod appeared or changed. */
    public void add(Pod pod) {
        if (pod.volumes().claims().isEmpty()) {
            return;
        }
        generation++;
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            pods.computeIfAbsent(key(pod, claimed), key -> new TreeSet<>()).add(pod.uid());
        }
    }

    public void remove(Pod pod) {
        if (pod.volumes().claims().isEmpty()) {
            return;
        }
        generation++;
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            pods.computeIfPresent(key(pod, claimed), (key, users) -> {
                users.remove(pod.uid());
                return users.isEmpty() ? null : users;
            });
        }
    }

    /** Grows whenever a pod that mounts a claim appears, changes or goes. */
    long generation() {
        return generation;
    }

    /** All that mount the claim. */
    public Set<PodUid> of(ClaimKey claim) {
        return pods.getOrDefault(claim, Set.of());
    }

    /** A pod that has its place, bound or assumed, and is not at its end. */
    record User(PodUid pod, String node) {}

    /** The pods other than this one that use the claim where they are. */
    List<User> others(ClaimKey claim, Pod than) {
        List<User> users = new ArrayList<>();
        for (PodUid uid : of(claim)) {
            if (!uid.equals(than.uid())) {
                ledger.placeOf(uid).ifPresent(node -> users.add(new User(uid, node)));
            }
        }
        return users;
    }

    static ClaimKey key(Pod pod, PodVolumes.Claimed claimed) {
        return new ClaimKey(pod.namespace(), claimed.name());
    }
}
