package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything about a hold that decides which pods may use it. Holds with equal rules admit the same pods, so a pod is
 * compared once for all of them.
 */
public final class OwnerRule {
    private final List<Owner> owners;
    private final List<Taint> taints;
    private final boolean unschedulable;
    private final boolean closed;
    private final int hash;

    OwnerRule(List<Owner> owners, List<Taint> taints, boolean unschedulable, boolean closed) {
        this.owners = List.copyOf(owners);
        this.taints = List.copyOf(taints);
        this.unschedulable = unschedulable;
        this.closed = closed;
        this.hash = Objects.hash(this.owners, this.taints, unschedulable, closed);
    }

    List<Owner> owners() {
        return owners;
    }

    List<Taint> taints() {
        return taints;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isUnschedulable() {
        return unschedulable;
    }

    /**
     * Whether the pod may start to use the hold, as far as this does not depend on the name and the labels of the hold:
     * see {@link Hold#admits}.
     */
    public boolean admits(Pod pod) {
        return !closed && !repelsAsUnschedulable(pod) && matches(pod);
    }

    /**
     * Only a pod with a reservation affinity can use an unschedulable Reservation: it names the Reservation, or it tolerates
     * the taint of a cordoned node. Without the affinity a toleration says nothing: every pod of a DaemonSet has it.
     */
    public boolean repelsAsUnschedulable(Pod pod) {
        ReservationConstraints constraints = pod.spec().reservations();
        return unschedulable
                && !constraints.isByName()
                && (constraints.affinity().isEmpty() || pod.spec().isRepelledByReservation(Taint.UNSCHEDULABLE));
    }

    /** Whether the pod is an owner of the hold. It may have started to use the hold before the hold was closed. */
    boolean matches(Pod pod) {
        return findUntoleratedTaint(pod).isEmpty() && hasOwnerMatching(pod);
    }

    /** The first taint that keeps the pod from using the hold. Taints do not count for a pod that names the Reservation. */
    public Optional<Taint> findUntoleratedTaint(Pod pod) {
        for (Taint taint : taints) {
            if (pod.spec().isRepelledByReservation(taint)
                    && !pod.spec().reservations().isByName()) {
                return Optional.of(taint);
            }
        }
        return Optional.empty();
    }

    /** Whether an owner matches the pod, even if the hold is closed or tainted. */
    public boolean hasOwnerMatching(Pod pod) {
        for (Owner owner : owners) {
            if (owner.matches(pod)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the rule may admit only some of several pods with equal namespaces, labels and specs. */
    public boolean namesPods() {
        for (Owner owner : owners) {
            if (owner.pod().isPresent()
                    || owner.controller().isPresent()
                    || owner.returnKey().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Whether an owner names one pod, as an owner of a nomination or of a return hold does. */
    public boolean namesOnePod() {
        for (Owner owner : owners) {
            if (owner.pod().isPresent() || owner.returnKey().isPresent()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OwnerRule rule
                        && hash == rule.hash
                        && closed == rule.closed
                        && unschedulable == rule.unschedulable
                        && owners.equals(rule.owners)
                        && taints.equals(rule.taints));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "%s%s%s%s"
                .formatted(
                        owners,
                        taints.isEmpty() ? "" : " " + taints,
                        unschedulable ? " unschedulable" : "",
                        closed ? " closed" : "");
    }
}
