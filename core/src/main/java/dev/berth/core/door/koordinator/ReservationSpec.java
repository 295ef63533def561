package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.Taint;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.hold.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The spec of a reservation.
 *
 * @param template the pod that the reservation is placed like
 * @param owners rules for the pods that may use it
 * @param allocateOnce whether the first pod that uses it ends it
 * @param allocation how much of it an owner gets
 * @param deadline when it ends; empty for never
 * @param unschedulable whether no further pod may use it
 * @param taints the taints that an owner must tolerate
 * @param labels the labels of the Reservation itself, by which pods select it
 * @param preAllocation how it takes over running pods; empty if it does not
 */
public record ReservationSpec(
        Template template,
        List<Owner> owners,
        boolean allocateOnce,
        ReservationAllocation allocation,
        Optional<Instant> deadline,
        boolean unschedulable,
        List<Taint> taints,
        Labels labels,
        Optional<PreAllocation> preAllocation) {
    public ReservationSpec {
        owners = List.copyOf(owners);
        taints = List.copyOf(taints);
    }

    /** A reservation without labels and restricted options that takes over no pods, and all of which is for its owners. */
    public ReservationSpec(
            Template template,
            List<Owner> owners,
            boolean allocateOnce,
            boolean restricted,
            Optional<Instant> deadline,
            boolean unschedulable,
            List<Taint> taints) {
        this(
                template,
                owners,
                allocateOnce,
                restricted ? ReservationAllocation.RESTRICTED : ReservationAllocation.ALIGNED,
                deadline,
                unschedulable,
                taints,
                Labels.NONE,
                Optional.empty());
    }

    /**
     * The pod template of a reservation.
     *
     * @param nodeName the only feasible node; empty for any node
     * @param mayPreempt false if {@code preemptionPolicy} is Never
     * @param timedTolerations those of the tolerations that have {@code tolerationSeconds}
     * @param volumes its volumes, in its namespace
     * @param sizeKnown false if an annotation requests another size and is malformed
     */
    public record Template(
            String namespace,
            Labels labels,
            PodSpec spec,
            Optional<String> nodeName,
            String schedulerName,
            int priority,
            boolean mayPreempt,
            List<TimedToleration> timedTolerations,
            PodVolumes volumes,
            boolean sizeKnown) {
        public Template {
            timedTolerations = List.copyOf(timedTolerations);
        }

        /** A template whose size is known. */
        public Template(
                String namespace,
                Labels labels,
                PodSpec spec,
                Optional<String> nodeName,
                String schedulerName,
                int priority,
                boolean mayPreempt,
                List<TimedToleration> timedTolerations,
                PodVolumes volumes) {
            this(
                    namespace,
                    labels,
                    spec,
                    nodeName,
                    schedulerName,
                    priority,
                    mayPreempt,
                    timedTolerations,
                    volumes,
                    true);
        }

        /** A template without volumes. */
        public Template(
                String namespace,
                Labels labels,
                PodSpec spec,
                Optional<String> nodeName,
                String schedulerName,
                int priority,
                boolean mayPreempt,
                List<TimedToleration> timedTolerations) {
            this(
                    namespace,
                    labels,
                    spec,
                    nodeName,
                    schedulerName,
                    priority,
                    mayPreempt,
                    timedTolerations,
                    PodVolumes.NONE);
        }

        /** A template without volumes that may preempt, and whose tolerations have no {@code tolerationSeconds}. */
        public Template(
                String namespace,
                Labels labels,
                PodSpec spec,
                Optional<String> nodeName,
                String schedulerName,
                int priority) {
            this(namespace, labels, spec, nodeName, schedulerName, priority, true, List.of());
        }

        Template withSchedulerName(String name) {
            return new Template(
                    namespace,
                    labels,
                    spec,
                    nodeName,
                    name,
                    priority,
                    mayPreempt,
                    timedTolerations,
                    volumes,
                    sizeKnown);
        }

        /**
         * How long a pod of the template stays on a node with the taint: the shortest {@code tolerationSeconds} of the
         * tolerations that match, as in Kubernetes; zero if none matches, and empty for ever.
         */
        Optional<Duration> toleratedTime(Taint taint) {
            if (!spec.tolerates(taint)) {
                return Optional.of(Duration.ZERO);
            }
            return timedTolerations.stream()
                    .filter(timed -> timed.toleration().tolerates(taint))
                    .map(TimedToleration::time)
                    .min(Comparator.naturalOrder());
        }
    }

    /**
     * When a reservation ends. The CRD gives every reservation a default ttl, so Berth cannot see whether the author set one:
     * {@code expires} decides wherever it is set.
     *
     * @param ttl counted from the creation; zero for no end
     * @return empty for never
     */
    public static Optional<Instant> deadline(Instant created, Duration ttl, Optional<Instant> expires) {
        return expires.or(() -> ttl.isZero() ? Optional.empty() : Optional.of(created.plus(ttl)));
    }

    ReservationSpec withSchedulerName(String name) {
        return new ReservationSpec(
                template.withSchedulerName(name),
                owners,
                allocateOnce,
                allocation,
                deadline,
                unschedulable,
                taints,
                labels,
                preAllocation);
    }
}
