package dev.berth.core.door.annotation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Workload;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the nodes whose annotations name an owner by its UID, so that a workload that comes or goes costs only those. */
final class NamedOwners {
    private final Map<String, Set<NodeUid>> nodes = new HashMap<>();
    /** Of the owners that are known workloads. */
    private final Map<String, Workload.Key> keys = new HashMap<>();

    private final Map<Workload.Key, String> uids = new HashMap<>();

    void add(String owner, NodeUid node) {
        nodes.computeIfAbsent(owner, any -> new TreeSet<>()).add(node);
    }

    /** The second time changes nothing. */
    void remove(String owner, NodeUid node) {
        @Nullable Set<NodeUid> naming = nodes.get(owner);
        if (naming != null && naming.remove(node) && naming.isEmpty()) {
            nodes.remove(owner);
            Workload.@Nullable Key key = keys.remove(owner);
            if (key != null) {
                uids.remove(key, owner);
            }
        }
    }

    Set<NodeUid> naming(String owner) {
        return nodes.getOrDefault(owner, Set.of());
    }

    /** The owner is this workload. */
    void found(Workload workload) {
        keys.put(workload.uid(), workload.key());
        uids.put(workload.key(), workload.uid());
    }

    /** The UID of the workload; empty where no annotation names it. */
    String gone(Workload.Key key) {
        @Nullable String uid = uids.remove(key);
        if (uid == null) {
            return "";
        }
        keys.remove(uid);
        return uid;
    }
}
