package dev.berth.core.door.nodeannotation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.collection.SetMultimap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the nodes whose annotations name an owner by its UID: a workload that changes costs O(nodes that name it). */
final class NodesByOwner {
    private final SetMultimap<String, NodeUid> nodesByOwner = SetMultimap.sorted();
    /** Only the owners that are known workloads. */
    private final Map<String, Workload.WorkloadKey> workloadByOwner = new HashMap<>();

    private final Map<Workload.WorkloadKey, String> ownerByWorkload = new HashMap<>();

    boolean isEmpty() {
        return nodesByOwner.isEmpty();
    }

    void add(String owner, NodeUid node) {
        nodesByOwner.add(owner, node);
    }

    /** Idempotent. */
    void remove(String owner, NodeUid node) {
        if (nodesByOwner.remove(owner, node)) {
            Workload.@Nullable WorkloadKey key = workloadByOwner.remove(owner);
            if (key != null) {
                ownerByWorkload.remove(key, owner);
            }
        }
    }

    Set<NodeUid> findNodes(String owner) {
        return nodesByOwner.get(owner);
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
