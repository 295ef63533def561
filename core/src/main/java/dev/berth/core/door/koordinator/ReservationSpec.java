package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The spec of a reservation.
 *
 * @param template the pod that the reservation is placed like
 * @param owners rules for the pods that may use it
 * @param allocateOnce whether the first pod that uses it ends it
 * @param restricted whether an owner gets no more of a held resource than is left of it
 * @param deadline when it ends; empty for never
 * @param unschedulable whether no further pod may use it
 * @param taints the taints that an owner must tolerate
 */
public record ReservationSpec(
        Template template,
        List<Owner> owners,
        boolean allocateOnce,
        boolean restricted,
        Optional<Instant> deadline,
        boolean unschedulable,
        List<Taint> taints) {

    public ReservationSpec {
        owners = List.copyOf(owners);
        taints = List.copyOf(taints);
    }

    /**
     * The pod template of a reservation.
     *
     * @param nodeName the only feasible node; empty for any node
     */
    public record Template(
            String namespace,
            Labels labels,
            PodSpec spec,
            Optional<String> nodeName,
            String schedulerName,
            int priority) {
        Template withSchedulerName(String name) {
            return new Template(namespace, labels, spec, nodeName, name, priority);
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
                template.withSchedulerName(name), owners, allocateOnce, restricted, deadline, unschedulable, taints);
    }
}
