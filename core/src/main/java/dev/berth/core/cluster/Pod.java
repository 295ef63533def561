package dev.berth.core.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What scheduling needs to know of a pod. {@code annotations} are those that some door reads, not all of them.
 * Compact on purpose: a cluster has a hundred thousand of them.
 */
public final class Pod {
    private static final long NEVER = Long.MIN_VALUE;

    private final PodUid uid;
    private final String namespace;
    private final String name;
    private final Labels labels;
    private final Labels annotations;
    private final @Nullable ControllerRef controller;
    private final PodShape shape;
    private final PodVolumes volumes;
    private final String schedulerName;
    private final int priority;
    private final long createdMillis;
    private final boolean terminating;
    private final long deletionMillis;
    private final Phase phase;
    private final @Nullable String nodeName;
    private final List<String> gates;
    private final boolean preempting;
    private final @Nullable String nominatedNode;
    private final long startedMillis;
    private final boolean preempted;
    private final long preemptedMillis;
    private final long deletionRequestedMillis;
    private final boolean plain;

    private Pod(Builder builder) {
        this.uid = builder.uid;
        this.namespace = builder.namespace;
        this.name = builder.name;
        this.labels = builder.labels;
        this.annotations = builder.annotations;
        this.controller = builder.controller.orElse(null);
        this.shape = builder.shape;
        this.volumes = builder.volumes;
        this.schedulerName = builder.schedulerName;
        this.priority = builder.priority;
        this.createdMillis = builder.created.toEpochMilli();
        this.terminating = builder.terminating;
        this.deletionMillis = builder.deletion.map(Instant::toEpochMilli).orElse(NEVER);
        this.phase = builder.phase;
        this.nodeName = builder.nodeName.orElse(null);
        this.gates = List.copyOf(builder.gates);
        this.preempting = builder.preempting;
        this.nominatedNode = builder.nominatedNode.orElse(null);
        this.startedMillis = builder.started.map(Instant::toEpochMilli).orElse(NEVER);
        this.preempted = builder.preempted;
        this.preemptedMillis = builder.preemptedAt.map(Instant::toEpochMilli).orElse(NEVER);
        this.deletionRequestedMillis =
                builder.deletionRequested.map(Instant::toEpochMilli).orElse(NEVER);
        this.plain = annotations.isEmpty() && volumes.isEmpty() && nominatedNode == null && !terminating;
    }

    public static Builder builder(PodUid uid, String namespace, String name) {
        return new Builder(uid, namespace, name);
    }

    public PodUid uid() {
        return uid;
    }

    public String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    public Labels labels() {
        return labels;
    }

    public Labels annotations() {
        return annotations;
    }

    public Optional<ControllerRef> controller() {
        return Optional.ofNullable(controller);
    }

    public PodShape shape() {
        return shape;
    }

    /** Apart from its shape, since pods of one template may each have claims of their own. */
    public PodVolumes volumes() {
        return volumes;
    }

    public String schedulerName() {
        return schedulerName;
    }

    public int priority() {
        return priority;
    }

    public Instant created() {
        return Instant.ofEpochMilli(createdMillis);
    }

    /** Whether somebody has asked for its deletion. It counts until it is gone. */
    public boolean terminating() {
        return terminating;
    }

    /** By when it should be gone, where the API server says: the time of its deletion and the grace that it was given. */
    public Optional<Instant> deletion() {
        return instant(deletionMillis);
    }

    /** When its deletion was requested, where the API server says. */
    public Optional<Instant> deletionRequested() {
        return instant(deletionRequestedMillis);
    }

    public Phase phase() {
        return phase;
    }

    public Optional<String> nodeName() {
        return Optional.ofNullable(nodeName);
    }

    /** The names of its scheduling gates: not empty means it must not be placed. */
    public List<String> gates() {
        return gates;
    }

    /** Whether pods of less priority may have to make room for it. */
    public boolean preempting() {
        return preempting;
    }

    /** The node that is being cleared for it, where it is about to be, or that somebody else has in mind for it. */
    public Optional<String> nominatedNode() {
        return Optional.ofNullable(nominatedNode);
    }

    /** When its kubelet took note of it. */
    public Optional<Instant> started() {
        return instant(startedMillis);
    }

    private static Optional<Instant> instant(long millis) {
        return millis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    /** Whether a scheduler has it make room for a pod of more priority. */
    public boolean preempted() {
        return preempted;
    }

    /** Since when, where the API server says. */
    public Optional<Instant> preemptedAt() {
        return instant(preemptedMillis);
    }

    /** Whether it neither says anything to a door, nor mounts anything, nor is on its way in or out by others' doing. */
    public boolean plain() {
        return plain;
    }

    /** Whether it may still be bound to a node. */
    public boolean waits() {
        return nodeName == null && !terminating && !phase.terminal();
    }

    /** Whether it takes room on the node it is bound to. */
    public boolean counts() {
        return nodeName != null && !phase.terminal();
    }

    /**
     * Whether this is older news than what is known of the same pod: no pod is ever unbound again, and no deletion taken
     * back. (A phase can go back: the API server does not forbid it.)
     */
    public boolean isOlderThan(Pod known) {
        return (known.nodeName != null && nodeName == null) || (known.terminating && !terminating);
    }

    /** Whether whoever decides on places would take the two for the same pod: they differ in phase or records at most. */
    public boolean looksLike(Pod other) {
        return uid.equals(other.uid)
                && shape.equals(other.shape)
                && labels.equals(other.labels)
                && terminating == other.terminating
                && priority == other.priority
                && namespace.equals(other.namespace)
                && Objects.equals(controller, other.controller);
    }

    /** The same pod on a node: what the API server will show once the binding is written. */
    public Pod on(String node) {
        return toBuilder().nodeName(Optional.of(node)).build();
    }

    public Builder toBuilder() {
        return new Builder(uid, namespace, name)
                .labels(labels)
                .annotations(annotations)
                .controller(controller())
                .shape(shape)
                .volumes(volumes)
                .schedulerName(schedulerName)
                .priority(priority)
                .created(created())
                .terminating(terminating)
                .deletion(deletion())
                .phase(phase)
                .nodeName(nodeName())
                .gates(gates)
                .preempting(preempting)
                .nominatedNode(nominatedNode())
                .started(started())
                .preempted(preempted)
                .preemptedAt(preemptedAt())
                .deletionRequested(deletionRequested());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Pod pod
                        && looksLike(pod)
                        && name.equals(pod.name)
                        && phase == pod.phase
                        && Objects.equals(nodeName, pod.nodeName)
                        && annotations.equals(pod.annotations)
                        && volumes.equals(pod.volumes)
                        && schedulerName.equals(pod.schedulerName)
                        && createdMillis == pod.createdMillis
                        && deletionMillis == pod.deletionMillis
                        && gates.equals(pod.gates)
                        && preempting == pod.preempting
                        && Objects.equals(nominatedNode, pod.nominatedNode)
                        && startedMillis == pod.startedMillis
                        && preempted == pod.preempted
                        && preemptedMillis == pod.preemptedMillis
                        && deletionRequestedMillis == pod.deletionRequestedMillis);
    }

    /** A pod seldom meets another version of itself in a set: its identity is hash enough. */
    @Override
    public int hashCode() {
        return uid.hashCode();
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }

    /** Collects what is known of a pod. */
    public static final class Builder {
        private final PodUid uid;
        private final String namespace;
        private final String name;
        private Labels labels = Labels.NONE;
        private Labels annotations = Labels.NONE;
        private Optional<ControllerRef> controller = Optional.empty();
        private PodShape shape = PodShape.builder().build();
        private PodVolumes volumes = PodVolumes.NONE;
        private String schedulerName = "default-scheduler";
        private int priority;
        private Instant created = Instant.EPOCH;
        private boolean terminating;
        private Optional<Instant> deletion = Optional.empty();
        private Phase phase = Phase.PENDING;
        private Optional<String> nodeName = Optional.empty();
        private List<String> gates = List.of();
        private boolean preempting = true;
        private Optional<String> nominatedNode = Optional.empty();
        private Optional<Instant> started = Optional.empty();
        private boolean preempted;
        private Optional<Instant> preemptedAt = Optional.empty();
        private Optional<Instant> deletionRequested = Optional.empty();

        private Builder(PodUid uid, String namespace, String name) {
            this.uid = uid;
            this.namespace = namespace;
            this.name = name;
        }

        public Builder labels(Labels value) {
            labels = value;
            return this;
        }

        public Builder annotations(Labels value) {
            annotations = value;
            return this;
        }

        public Builder controller(Optional<ControllerRef> value) {
            controller = value;
            return this;
        }

        public Builder shape(PodShape value) {
            shape = value;
            return this;
        }

        public Builder volumes(PodVolumes value) {
            volumes = value;
            return this;
        }

        public Builder schedulerName(String value) {
            schedulerName = value;
            return this;
        }

        public Builder priority(int value) {
            priority = value;
            return this;
        }

        public Builder created(Instant value) {
            created = value;
            return this;
        }

        public Builder terminating(boolean value) {
            terminating = value;
            return this;
        }

        public Builder deletion(Optional<Instant> value) {
            deletion = value;
            return this;
        }

        public Builder phase(Phase value) {
            phase = value;
            return this;
        }

        public Builder nodeName(Optional<String> value) {
            nodeName = value;
            return this;
        }

        public Builder gates(List<String> value) {
            gates = value;
            return this;
        }

        public Builder preempting(boolean value) {
            preempting = value;
            return this;
        }

        public Builder nominatedNode(Optional<String> value) {
            nominatedNode = value;
            return this;
        }

        public Builder started(Optional<Instant> value) {
            started = value;
            return this;
        }

        public Builder preempted(boolean value) {
            preempted = value;
            return this;
        }

        public Builder preemptedAt(Optional<Instant> value) {
            preemptedAt = value;
            return this;
        }

        public Builder deletionRequested(Optional<Instant> value) {
            deletionRequested = value;
            return this;
        }

        public Pod build() {
            return new Pod(this);
        }
    }
}
