package dev.berth.core.hold;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Taint;
import java.util.List;
import java.util.Optional;

/**
 * Everything about a hold that decides which pods may use it. Holds with equal rules admit the same pods, so a pod is
 * compared once for all of them.
 */
public final class OwnerRule {
    private final List<Owner> owners;
    private final List<Taint> taints;
    private final boolean closed;
    private final int hash;

    OwnerRule(List<Owner> owners, List<Taint> taints, boolean closed) {
        this.owners = List.copyOf(owners);
        this.taints = List.copyOf(taints);
        this.closed = closed;
        this.hash = 31 * (31 * this.owners.hashCode() + this.taints.hashCode()) + Boolean.hashCode(closed);
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

    /** Whether the pod may start to use the hold. */
    public boolean admits(Pod pod) {
        return !closed && matches(pod);
    }

    /** Whether the pod is an owner of the hold. It may have started to use the hold before the hold was closed. */
    boolean matches(Pod pod) {
        return findUntoleratedTaint(pod).isEmpty() && hasOwnerMatching(pod);
    }

    /** The first taint that keeps the pod from using the hold. */
    public Optional<Taint> findUntoleratedTaint(Pod pod) {
        for (Taint taint : taints) {
            if (pod.spec().isRepelledBy(taint)) {
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

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OwnerRule rule
                        && hash == rule.hash
                        && closed == rule.closed
                        && owners.equals(rule.owners)
                        && taints.equals(rule.taints));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "%s%s%s".formatted(owners, taints.isEmpty() ? "" : " " + taints, closed ? " closed" : "");
    }
}
