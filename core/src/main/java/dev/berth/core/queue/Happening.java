package dev.berth.core.queue;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import java.util.Optional;
import java.util.Set;

/** Something that changed in the cluster and that a refused pod may have been waiting for. */
public sealed interface Happening {
    /** The name by which metrics count what woke a pod, as kube-scheduler names its events. */
    String label();

    /** What a pod that this may help must be waiting for: one of these. */
    Set<Hint> hints();

    /** A node appeared or changed in itself: capacity, labels, taints, its holds. */
    record NodeChanged(Optional<NodeState> before, NodeState after) implements Happening {
        @Override
        public String label() {
            return before.isPresent() ? "NodeUpdate" : "NodeAdd";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(before.isPresent() ? Hint.NODE_UPDATED : Hint.NODE_ADDED);
        }
    }

    /** A pod left a node, or came to need less of it. */
    record PodLeft(NodeState node, Pod pod) implements Happening {
        @Override
        public String label() {
            return "AssignedPodDelete";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.POD_GONE, Hint.NEIGHBOURS_CHANGED);
        }
    }

    /** A pod took its place on a node: nothing became free, but who it is may matter to others. */
    record PodArrived(NodeState node, Pod pod) implements Happening {
        @Override
        public String label() {
            return "AssignedPodAdd";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.NEIGHBOURS_CHANGED);
        }
    }

    /** A pod stayed on its node and is another to others: it has other labels, or is on its way out. */
    record PodChanged(Pod before, Pod after) implements Happening {
        @Override
        public String label() {
            return "AssignedPodUpdate";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.NEIGHBOURS_CHANGED);
        }
    }

    /** A node went: nothing became free, but what is even without it may be another matter. */
    record NodeGone(Node node) implements Happening {
        @Override
        public String label() {
            return "NodeDelete";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.NEIGHBOURS_CHANGED);
        }
    }

    /** Namespaces came or went or have other labels: whom terms speak of may have changed. */
    record NamespacesChanged() implements Happening {
        @Override
        public String label() {
            return "NamespaceUpdate";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.NEIGHBOURS_CHANGED);
        }
    }

    /**
     * A hold appeared, changed or ended.
     *
     * @param node its node as it is after that; empty where none of its UID is known, when the hold kept nothing
     */
    record HoldChanged(Hold hold, Optional<NodeState> node) implements Happening {
        @Override
        public String label() {
            return "HoldUpdate";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.HOLD_GONE, Hint.HOLD_ADDED);
        }
    }

    /**
     * Something about storage changed.
     *
     * @param hint what
     * @param pods the pods that it is about; empty when it is about all of them
     */
    record StorageChanged(Hint hint, Set<PodUid> pods) implements Happening {
        public StorageChanged {
            pods = Set.copyOf(pods);
        }

        /** Whether it may matter to the pod. */
        public boolean concerns(PodUid pod) {
            return pods.isEmpty() || pods.contains(pod);
        }

        @Override
        public String label() {
            return "StorageUpdate";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(hint);
        }
    }

    /** A pod left whose claims on volumes others may make as well, whatever node it was on. */
    record ClaimsFreed(Pod pod) implements Happening {
        /** Whether the other makes one of them, too. */
        public boolean concerns(Pod other) {
            return pod.namespace().equals(other.namespace())
                    && pod.volumes().claims().stream()
                            .anyMatch(mine -> other.volumes().claims().stream()
                                    .anyMatch(theirs -> theirs.name().equals(mine.name())));
        }

        @Override
        public String label() {
            return "AssignedPodDelete";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.CLAIM_FREED);
        }
    }

    /** What a door alone knows of changed, such as its devices. */
    record DoorNews(Origin.Door door) implements Happening {
        @Override
        public String label() {
            return "DoorUpdate";
        }

        @Override
        public Set<Hint> hints() {
            return Set.of(Hint.DEVICES_CHANGED);
        }
    }
}
