package dev.berth.core.door.nodeannotation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Workload;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the nodes whose annotations name an owner by its UID: a workload that changes costs O(nodes that name it). */
final class NodesByOwner {
    private final Map<String, Set<NodeUid>> nodesByOwner = new HashMap<>();
    /** Only the owners that are known workloads. */
    private final Map<String, Workload.WorkloadKey> workloadByOwner = new HashMap<>();

    private final Map<Workload.WorkloadKey, String> ownerByWorkload = new HashMap<>();

    boolean isEmpty() {
        return nodesByOwner.isEmpty();
    }

    void add(String owner, NodeUid node) {
        nodesByOwner.computeIfAbsent(owner, any -> new TreeSet<>()).add(node);
    }

    /** Idempotent. */
    void remove(String owner, NodeUid node) {
        @Nullable Set<NodeUid> naming = nodesByOwner.get(owner);
        if (naming != null && naming.remove(node) && naming.isEmpty()) {
            nodesByOwner.remove(owner);
            Workload.@Nullable WorkloadKey key = workloadByOwner.remove(owner);
            if (key != null) {
                ownerByWorkload.remove(key, owner);
            }
        }
    }

    Set<NodeUid> findNodes(String owner) {
        return nodesByOwner.getOrDefault(owner, Set.of());
    }

    /** The owner is this workload. */
    void resolveOwner(Workload workload) {
        workloadByOwner.put(workload.uid(), workload.key());
        ownerByWorkload.put(workload.key(), workload.uid());
    }

    /** The UID of the workload; empty where no annotation names it. */
    String onWorkloadDelete(Workload.WorkloadKey key) {
        @Nullable String uid = ownerByWorkload.remove(key);
        if (uid == null) {
            return "";
        }
        workloadByOwner.remove(uid);
        return uid;
    }
}
