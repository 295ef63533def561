package dev.berth.core.cluster;

import java.util.Optional;

/**
 * A Service, ReplicationController, ReplicaSet or StatefulSet and the pods it selects: what the system's default
 * topology spread is made from.
 *
 * @param controller of a ReplicaSet, its Deployment
 */
public record Workload(
        Kind kind,
        String namespace,
        String name,
        LabelSelector selector,
        String uid,
        Optional<ControllerRef> controller) {
    /** One of which no more is known than what it selects. */
    public Workload(Kind kind, String namespace, String name, LabelSelector selector) {
        this(kind, namespace, name, selector, "", Optional.empty());
    }

    /** The kinds whose selectors count. A Service selects by labels alone, the others only the pods they control. */
    public enum Kind {
        SERVICE("Service"),
        REPLICATION_CONTROLLER("ReplicationController"),
        REPLICA_SET("ReplicaSet"),
        STATEFUL_SET("StatefulSet");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** Its identity: one of a kind and name in a namespace. */
    public record Key(Kind kind, String namespace, String name) {}

    public Key key() {
        return new Key(kind, namespace, name);
    }

    @Override
    public String toString() {
        return "%s %s/%s".formatted(kind.word, namespace, name);
    }
}
