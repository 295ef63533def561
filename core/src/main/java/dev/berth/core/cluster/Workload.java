package dev.berth.core.cluster;

import java.util.Comparator;
import java.util.Optional;

/**
 * A Service, ReplicationController, ReplicaSet or StatefulSet with its selector. Default topology spread constraints use these
 * selectors.
 *
 * @param controller the Deployment of a ReplicaSet
 */
public record Workload(
        Kind kind,
        String namespace,
        String name,
        LabelSelector selector,
        String uid,
        Optional<ControllerRef> controller) {
    /** A workload without UID and controller. */
    public Workload(Kind kind, String namespace, String name, LabelSelector selector) {
        this(kind, namespace, name, selector, "", Optional.empty());
    }

    /** The kinds whose selectors are used. A Service selects pods by labels; the others select only pods that they control. */
    public enum Kind {
        SERVICE("Service"),
        REPLICATION_CONTROLLER("ReplicationController"),
        REPLICA_SET("ReplicaSet"),
        STATEFUL_SET("StatefulSet");

        private final String displayName;

        Kind(String displayName) {
            this.displayName = displayName;
        }
    }

    /** The identity of a workload. */
    public record WorkloadKey(Kind kind, String namespace, String name) {
        /** By namespace, kind and name. */
        public static final Comparator<WorkloadKey> ORDER = Comparator.comparing(WorkloadKey::namespace)
                .thenComparing(WorkloadKey::kind)
                .thenComparing(WorkloadKey::name);
    }

    public WorkloadKey key() {
        return new WorkloadKey(kind, namespace, name);
    }

    @Override
    public String toString() {
        return "%s %s/%s".formatted(kind.displayName, namespace, name);
    }
}
