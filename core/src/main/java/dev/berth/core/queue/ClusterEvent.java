package dev.berth.core.queue;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.Optional;
import java.util.Set;

/** Something that changed in the cluster and that a refused pod may have been waiting for. */
public sealed interface ClusterEvent {
    /** The name by which metrics count what woke a pod, as kube-scheduler names its events. */
    String label();

    /** What a pod that this may help must be waiting for: one of these. */
    Set<ClusterEventKind> kinds();

    /** A node appeared or changed in itself: capacity, labels, taints, its holds. */
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

    /** A pod left a node, or came to need less of it. */
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

    /** A pod took its place on a node: nothing became free, but who it is may matter to others. */
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

    /** A pod stayed on its node and is another to others: it has other labels, or is on its way out. */
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

    /** A node went: nothing became free, but what is even without it may be another matter. */
    record NodeDeleted(Node node) implements ClusterEvent {
        @Override
        public String label() {
            return "NodeDelete";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.RELATED_PODS_CHANGED);
        }
    }

    /** Namespaces came or went or have other labels: whom terms speak of may have changed. */
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
     * A hold appeared, changed or ended.
     *
     * @param node its node as it is after that; empty where none of its UID is known, when the hold kept nothing
     */
    record HoldChanged(Hold hold, Optional<NodeState> node) implements ClusterEvent {
        @Override
        public String label() {
            return "HoldUpdate";
        }

        @Override
        public Set<ClusterEventKind> kinds() {
            return Set.of(ClusterEventKind.HOLD_REMOVED, ClusterEventKind.HOLD_ADDED);
        }
    }

    /**
     * Something about storage changed.
     *
     * @param kind what
     * @param pods the pods that it is about; empty when it is about all of them
     */
    record StorageChanged(ClusterEventKind kind, Set<PodUid> pods) implements ClusterEvent {
        public StorageChanged {
            pods = Set.copyOf(pods);
        }

        /** Whether it may matter to the pod. */
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

    /** A pod left whose claims on volumes others may make as well, whatever node it was on. */
    record VolumeClaimsFreed(Pod pod) implements ClusterEvent {
        /** Whether the other makes one of them, too. */
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

    /** What a door alone knows of changed, such as its devices. */
    record DoorChanged(Origin.DoorId doorId) implements ClusterEvent {
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
