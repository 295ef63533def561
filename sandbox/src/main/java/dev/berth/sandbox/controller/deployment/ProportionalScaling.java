package dev.berth.sandbox.controller.deployment;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Follows a change of the deployment's size. While several replica sets have pods, each gets its share of the change, so
 * that scaling neither speeds up a rollout nor turns it back.
 */
final class ProportionalScaling {
    private final RolloutState rolloutState;

    ProportionalScaling(RolloutState rolloutState) {
        this.rolloutState = rolloutState;
    }

    /** Whether a replica set with pods was last sized for another size of the deployment. */
    boolean isScalingEvent() {
        long replicas = rolloutState.deployment().replicas();
        return rolloutState.sets().stream()
                .filter(ReplicaSetView::isActive)
                .anyMatch(set ->
                        set.desiredReplicas().filter(size -> size != replicas).isPresent());
    }

    void scale() {
        Optional<ReplicaSetView> only = activeOrLatest();
        if (only.isPresent()) {
            if (only.get().replicas() != rolloutState.deployment().replicas()) {
                rolloutState.scale(only.get(), rolloutState.deployment().replicas());
            }
        } else if (newestSaturated()) {
            rolloutState.activeOld().forEach(set -> rolloutState.scale(set, 0));
        } else if (rolloutState.deployment().isRollingUpdate()) {
            proportions().forEach(rolloutState::scale);
        }
    }

    /** The one replica set with pods, or the latest when none has; empty when several have. */
    private Optional<ReplicaSetView> activeOrLatest() {
        List<ReplicaSetView> active =
                rolloutState.sets().stream().filter(ReplicaSetView::isActive).toList();
        if (active.size() == 1) {
            return Optional.of(active.get(0));
        }
        if (!active.isEmpty()) {
            return Optional.empty();
        }
        List<ReplicaSetView> old = rolloutState.old();
        return rolloutState.newest().or(() -> old.isEmpty() ? Optional.empty() : Optional.of(old.get(old.size() - 1)));
    }

    private boolean newestSaturated() {
        int replicas = rolloutState.deployment().replicas();
        return rolloutState
                .newest()
                .filter(set -> set.replicas() == replicas && set.availableReplicas() == replicas)
                .filter(set -> set.desiredReplicas().equals(Optional.of((long) replicas)))
                .isPresent();
    }

    private Map<ReplicaSetView, Integer> proportions() {
        DeploymentView deployment = rolloutState.deployment();
        int allowed = deployment.replicas() > 0 ? deployment.maxReplicas() : 0;
        int toAdd = allowed - rolloutState.sum(ReplicaSetView::replicas);
        List<ReplicaSetView> bySize = rolloutState.sets().stream()
                .filter(ReplicaSetView::isActive)
                .sorted(largestFirst(toAdd))
                .toList();
        Map<ReplicaSetView, Integer> sizes = new LinkedHashMap<>();
        int added = 0;
        for (ReplicaSetView set : bySize) {
            int share = share(set, toAdd, added);
            sizes.put(set, set.replicas() + share);
            added += share;
        }
        // What rounding left over goes to the largest. A paused deployment may have no replica set yet.
        int leftover = toAdd - added;
        bySize.stream()
                .findFirst()
                .ifPresent(largest -> sizes.computeIfPresent(largest, (set, size) -> Math.max(0, size + leftover)));
        return sizes;
    }

    /** Of equal sizes the newer one grows first and the older one shrinks first. */
    private static Comparator<ReplicaSetView> largestFirst(int toAdd) {
        Comparator<ReplicaSetView> largest =
                Comparator.comparingInt(ReplicaSetView::replicas).reversed();
        return largest.thenComparing(toAdd > 0 ? ReplicaSetView.OLDEST_FIRST.reversed() : ReplicaSetView.OLDEST_FIRST);
    }

    private int share(ReplicaSetView set, int toAdd, int added) {
        if (toAdd == 0 || toAdd == added) {
            return 0;
        }
        int fraction = fraction(set);
        return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
    }

    private int fraction(ReplicaSetView set) {
        DeploymentView deployment = rolloutState.deployment();
        if (deployment.replicas() == 0) {
            return -set.replicas();
        }
        long before = set.maxReplicas().filter(size -> size > 0).orElse((long) deployment.statusCount("replicas"));
        if (before == 0) {
            return 0;
        }
        double size = (double) set.replicas() * deployment.maxReplicas() / before;
        return (int) Math.round(size) - set.replicas();
    }
}
