package dev.berth.sandbox.controller.deployment;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scales the ReplicaSets when the size of the Deployment changes. If several have pods, each gets a proportional share, so
 * that scaling neither speeds up nor reverts a rollout.
 */
final class ProportionalScaling {
    private final RolloutState rolloutState;

    ProportionalScaling(RolloutState rolloutState) {
        this.rolloutState = rolloutState;
    }

    /** Whether an active ReplicaSet was last scaled for another size of the Deployment. */
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

    /** The only active ReplicaSet, or the latest if none is active; empty if several are active. */
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
        // The largest gets the rest from rounding. A paused Deployment may have no ReplicaSet yet.
        int leftover = toAdd - added;
        bySize.stream()
                .findFirst()
                .ifPresent(largest -> sizes.computeIfPresent(largest, (set, size) -> Math.max(0, size + leftover)));
        return sizes;
    }

    /** If sizes are equal, the newer ReplicaSet grows first and the older one shrinks first. */
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
