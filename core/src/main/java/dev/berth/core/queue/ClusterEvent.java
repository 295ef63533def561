package dev.berth.core.queue;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.Optional;
import java.util.Set;

/** A change in the cluster that may make an unschedulable pod schedulable. */
public sealed interface ClusterEvent {
    /** The name of the event in metrics, as in kube-scheduler. */
    String label();

    /** The kinds of the event: it can help only pods that wait for one of these. */
    Set<ClusterEventKind> kinds();

    /** A node was added, or its capacity, labels, taints or holds changed. */
    record NodeChanged(Optional<NodeState> before, NodeState after) implements ClusterEvent {
        @Override
        public String label() {
            return before.isPresent() ? "NodeUpdate" : "NodeAdd";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(before.isPresent() ? ClusterEventKind.NODE_UPDATED : ClusterEventKind.NODE_ADDED);
        }
    }

    /** A pod was removed from a node, or needs less. */
    record PodRemoved(NodeState node, Pod pod) implements ClusterEvent {
        @Override
        public String label() {
            return "AssignedPodDelete";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.POD_REMOVED, ClusterEventKind.RELATED_PODS_CHANGED);
        }
    }

    /**
     * A pod was added to a node: no resources became free, but affinity and spread terms of other pods may match it.
     */
    record PodAdded(NodeState node, Pod pod) implements ClusterEvent {
        @Override
        public String label() {
            return "AssignedPodAdd";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.RELATED_PODS_CHANGED);
        }
    }

    /** A pod on a node changed in a way that affects other pods: its labels changed, or it terminates. */
    record PodUpdated(Pod before, Pod after) implements ClusterEvent {
        @Override
        public String label() {
            return "AssignedPodUpdate";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.RELATED_PODS_CHANGED);
        }
    }

    /** A node was deleted: no resources became free, but skews may have changed. */
    record NodeRemoved(Node node) implements ClusterEvent {
        @Override
        public String label() {
            return "NodeDelete";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.RELATED_PODS_CHANGED);
        }
    }

    /** Namespaces were added or deleted, or their labels changed: affinity terms may match other pods. */
    record NamespacesChanged() implements ClusterEvent {
        @Override
        public String label() {
            return "NamespaceUpdate";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.RELATED_PODS_CHANGED);
        }
    }

    /**
     * A hold was added, changed or ended, or a pod started or ceased to use it. A hold that counts as a pod may affect pods
     * anywhere.
     *
     * @param node the present state of its node; empty if no node with its UID is known, when the hold held nothing
     */
    record HoldChanged(Hold hold, Optional<NodeState> node) implements ClusterEvent {
        @Override
        public String label() {
            return "HoldUpdate";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return hold.neighbour().isPresent()
                    ? Set.of(
                            ClusterEventKind.HOLD_REMOVED,
                            ClusterEventKind.HOLD_ADDED,
                            ClusterEventKind.RELATED_PODS_CHANGED)
                    : Set.of(ClusterEventKind.HOLD_REMOVED, ClusterEventKind.HOLD_ADDED);
        }
    }

    /**
     * A storage object changed.
     *
     * @param kind the kind of change
     * @param pods the pods that it affects; empty if it affects all
     */
    record StorageChanged(ClusterEventKind kind, Set<PodUid> pods) implements ClusterEvent {
        public StorageChanged {
            pods = Set.copyOf(pods);
        }

        /** Whether it may affect the pod. */
        public boolean affects(PodUid pod) {
            return pods.isEmpty() || pods.contains(pod);
        }

        @Override
        public String label() {
            return "StorageUpdate";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(kind);
        }
    }

    /** A pod was removed, or a hold changed, whose PersistentVolumeClaims other pods may use, on any node. */
    record VolumeClaimsFreed(Pod pod) implements ClusterEvent {
        /** Whether the other pod has one of these claims. */
        public boolean affects(Pod other) {
            return pod.namespace().equals(other.namespace())
                    && pod.volumes().persistentVolumeClaims().stream()
                            .anyMatch(mine -> other.volumes().persistentVolumeClaims().stream()
                                    .anyMatch(theirs -> theirs.name().equals(mine.name())));
        }

        @Override
        public String label() {
            return "AssignedPodDelete";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.PVC_RELEASED);
        }
    }

    /** A device or a device claim changed. */
    record DevicesChanged() implements ClusterEvent {
        @Override
        public String label() {
            return "DoorUpdate";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.DEVICES_CHANGED);
        }
    }
}
