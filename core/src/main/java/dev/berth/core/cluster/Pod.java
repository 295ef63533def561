package dev.berth.core.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod as scheduling reads it. {@code annotations} are those that a door reads, not all of them. Compact, because a cluster
 * has a hundred thousand of them.
 */
public final class Pod {
    private static final long NEVER = Long.MIN_VALUE;

    private final PodUid uid;
    private final String namespace;
    private final String name;
    private final Labels labels;
    private final Labels annotations;
    private final @Nullable String returnKey;
    private final @Nullable ControllerRef controller;
    private final List<ControllerRef> otherOwners;
    private final PodSpec spec;
    private final PodVolumes volumes;
    private final String schedulerName;
    private final int priority;
    private final long createdMillis;
    private final boolean terminating;
    private final long deletionMillis;
    private final PodPhase phase;
    private final @Nullable String nodeName;
    private final List<String> schedulingGates;
    private final boolean mayPreempt;
    private final @Nullable String nominatedNodeName;
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
        this.returnKey = builder.returnKey.orElse(null);
        this.controller = builder.controller.orElse(null);
        this.otherOwners = List.copyOf(builder.otherOwners);
        this.spec = builder.spec;
        this.volumes = builder.volumes;
        this.schedulerName = builder.schedulerName;
        this.priority = builder.priority;
        this.createdMillis = builder.created.toEpochMilli();
        this.terminating = builder.terminating;
        this.deletionMillis =
                builder.deletionTimestamp.map(Instant::toEpochMilli).orElse(NEVER);
        this.phase = builder.phase;
        this.nodeName = builder.nodeName.orElse(null);
        this.schedulingGates = List.copyOf(builder.schedulingGates);
        this.mayPreempt = builder.mayPreempt;
        this.nominatedNodeName = builder.nominatedNodeName.orElse(null);
        this.startedMillis = builder.startTime.map(Instant::toEpochMilli).orElse(NEVER);
        this.preempted = builder.preempted;
        this.preemptedMillis = builder.preemptedAt.map(Instant::toEpochMilli).orElse(NEVER);
        this.deletionRequestedMillis =
                builder.deletionRequestedAt.map(Instant::toEpochMilli).orElse(NEVER);
        this.plain = annotations.isEmpty() && volumes.isEmpty() && nominatedNodeName == null && !terminating;
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

    /** The key that its author gave to it and its successor. */
    public Optional<String> returnKey() {
        return Optional.ofNullable(returnKey);
    }

    public Optional<ControllerRef> controller() {
        return Optional.ofNullable(controller);
    }

    /** The owner references that do not control the pod. */
    public List<ControllerRef> otherOwners() {
        return otherOwners;
    }

    public PodSpec spec() {
        return spec;
    }

    /** Not a part of its {@link #spec}, since each pod of a template may have PersistentVolumeClaims of its own. */
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

    /** Whether its deletion was requested. It uses resources until it is deleted. */
    public boolean terminating() {
        return terminating;
    }

    /** When its grace period ends, if the API server reports that. */
    public Optional<Instant> deletionTimestamp() {
        return instant(deletionMillis);
    }

    /** When its deletion was requested, if the API server reports that. */
    public Optional<Instant> deletionRequestedAt() {
        return instant(deletionRequestedMillis);
    }

    public PodPhase phase() {
        return phase;
    }

    public Optional<String> nodeName() {
        return Optional.ofNullable(nodeName);
    }

    /** The names of its scheduling gates: a pod with gates must not be placed. */
    public List<String> schedulingGates() {
        return schedulingGates;
    }

    /** Whether it may preempt pods of lower priority. */
    public boolean mayPreempt() {
        return mayPreempt;
    }

    /** {@code status.nominatedNodeName}, set by Berth or by another component. */
    public Optional<String> nominatedNodeName() {
        return Optional.ofNullable(nominatedNodeName);
    }

    /** When its kubelet observed it first. */
    public Optional<Instant> startTime() {
        return instant(startedMillis);
    }

    private static Optional<Instant> instant(long millis) {
        return millis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    /** Whether a scheduler preempts it for a pod of higher priority (condition DisruptionTarget). */
    public boolean preempted() {
        return preempted;
    }

    /** Since when it is preempted, if the API server reports that. */
    public Optional<Instant> preemptedAt() {
        return instant(preemptedMillis);
    }

    /** Whether it has no annotations that a door reads, no volumes and no nominated node, and is not terminating. */
    public boolean isPlain() {
        return plain;
    }

    /** Whether it may still be bound to a node. */
    public boolean awaitsBinding() {
        return nodeName == null && !terminating && !phase.isTerminal();
    }

    /** Whether it uses resources of the node that it is bound to. */
    public boolean isBoundAndActive() {
        return nodeName != null && !phase.isTerminal();
    }

    /**
     * Whether this is an older version of the known pod. Stale versions are detected by impossible transitions: no pod is ever
     * unbound, and no deletion is revoked. (The phase can go back: the API server does not forbid that.)
     */
    public boolean isStaleComparedTo(Pod current) {
        return (current.nodeName != null && nodeName == null) || (current.terminating && !terminating);
    }

    /** Whether placement can ignore the difference between the two versions of a pod, such as in phase or annotations. */
    public boolean isEquivalentTo(Pod other) {
        return uid.equals(other.uid)
                && spec.equals(other.spec)
                && labels.equals(other.labels)
                && terminating == other.terminating
                && priority == other.priority
                && namespace.equals(other.namespace)
                && Objects.equals(controller, other.controller)
                && otherOwners.equals(other.otherOwners);
    }

    /** The pod as the API server will return it once the binding is written. */
    public Pod boundTo(String node) {
        return toBuilder().nodeName(Optional.of(node)).build();
    }

    public Builder toBuilder() {
        return new Builder(uid, namespace, name)
                .labels(labels)
                .annotations(annotations)
                .returnKey(returnKey())
                .controller(controller())
                .otherOwners(otherOwners)
                .spec(spec)
                .volumes(volumes)
                .schedulerName(schedulerName)
                .priority(priority)
                .created(created())
                .terminating(terminating)
                .deletionTimestamp(deletionTimestamp())
                .phase(phase)
                .nodeName(nodeName())
                .schedulingGates(schedulingGates)
                .mayPreempt(mayPreempt)
                .nominatedNodeName(nominatedNodeName())
                .startTime(startTime())
                .preempted(preempted)
                .preemptedAt(preemptedAt())
                .deletionRequestedAt(deletionRequestedAt());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Pod pod
                        && isEquivalentTo(pod)
                        && name.equals(pod.name)
                        && phase == pod.phase
                        && Objects.equals(nodeName, pod.nodeName)
                        && annotations.equals(pod.annotations)
                        && Objects.equals(returnKey, pod.returnKey)
                        && volumes.equals(pod.volumes)
                        && schedulerName.equals(pod.schedulerName)
                        && createdMillis == pod.createdMillis
                        && deletionMillis == pod.deletionMillis
                        && schedulingGates.equals(pod.schedulingGates)
                        && mayPreempt == pod.mayPreempt
                        && Objects.equals(nominatedNodeName, pod.nominatedNodeName)
                        && startedMillis == pod.startedMillis
                        && preempted == pod.preempted
                        && preemptedMillis == pod.preemptedMillis
                        && deletionRequestedMillis == pod.deletionRequestedMillis);
    }

    /** The UID is enough: two versions of a pod are seldom in one set. */
    @Override
    public int hashCode() {
        return uid.hashCode();
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }

    /** Builds a pod. */
    public static final class Builder {
        private final PodUid uid;
        private final String namespace;
        private final String name;
        private Labels labels = Labels.NONE;
        private Labels annotations = Labels.NONE;
        private Optional<String> returnKey = Optional.empty();
        private Optional<ControllerRef> controller = Optional.empty();
        private List<ControllerRef> otherOwners = List.of();
        private PodSpec spec = PodSpec.builder().build();
        private PodVolumes volumes = PodVolumes.NONE;
        private String schedulerName = "default-scheduler";
        private int priority;
        private Instant created = Instant.EPOCH;
        private boolean terminating;
        private Optional<Instant> deletionTimestamp = Optional.empty();
        private PodPhase phase = PodPhase.PENDING;
        private Optional<String> nodeName = Optional.empty();
        private List<String> schedulingGates = List.of();
        private boolean mayPreempt = true;
        private Optional<String> nominatedNodeName = Optional.empty();
        private Optional<Instant> startTime = Optional.empty();
        private boolean preempted;
        private Optional<Instant> preemptedAt = Optional.empty();
        private Optional<Instant> deletionRequestedAt = Optional.empty();

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

        public Builder returnKey(Optional<String> value) {
            returnKey = value;
            return this;
        }

        public Builder controller(Optional<ControllerRef> value) {
            controller = value;
            return this;
        }

        public Builder otherOwners(List<ControllerRef> value) {
            otherOwners = value;
            return this;
        }

        public Builder spec(PodSpec value) {
            spec = value;
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

        public Builder deletionTimestamp(Optional<Instant> value) {
            deletionTimestamp = value;
            return this;
        }

        public Builder phase(PodPhase value) {
            phase = value;
            return this;
        }

        public Builder nodeName(Optional<String> value) {
            nodeName = value;
            return this;
        }

        public Builder schedulingGates(List<String> value) {
            schedulingGates = value;
            return this;
        }

        public Builder mayPreempt(boolean value) {
            mayPreempt = value;
            return this;
        }

        public Builder nominatedNodeName(Optional<String> value) {
            nominatedNodeName = value;
            return this;
        }

        public Builder startTime(Optional<Instant> value) {
            startTime = value;
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

        public Builder deletionRequestedAt(Optional<Instant> value) {
            deletionRequestedAt = value;
            return this;
        }

        public Pod build() {
            return new Pod(this);
        }
    }
}
