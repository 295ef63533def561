package dev.berth.sandbox.controller.deployment;

/** Replaces old pods by new pods step by step, within maxSurge and maxUnavailable. */
final class RollingUpdateRollout {
    private final RolloutState rolloutState;

    RollingUpdateRollout(RolloutState rolloutState) {
        this.rolloutState = rolloutState;
    }

    /** The size the newest replica set may have now, given its present one. */
    static int newReplicaSetSize(RolloutState rolloutState, int present) {
        DeploymentView deployment = rolloutState.deployment();
        if (!deployment.isRollingUpdate()) {
            return deployment.replicas();
        }
        int room = deployment.maxReplicas() - rolloutState.sum(ReplicaSetView::replicas);
        return room <= 0 ? present : present + Math.min(room, deployment.replicas() - present);
    }

    /** Does the next step. */
    void advance() {
        ReplicaSetRevisions revisions = new ReplicaSetRevisions(rolloutState);
        ReplicaSetView newest = revisions.ensureNewest();
        if (!scaleUpNewReplicaSet(newest)
                && !scaleDownOldReplicaSets(newest)
                && DeploymentProgress.isComplete(rolloutState.deployment())) {
            revisions.cleanUp();
        }
    }

    private boolean scaleUpNewReplicaSet(ReplicaSetView newest) {
        int wanted = rolloutState.deployment().replicas();
        if (newest.replicas() == wanted) {
            return false;
        }
        int size = newest.replicas() > wanted ? wanted : newReplicaSetSize(rolloutState, newest.replicas());
        return size != newest.replicas() && rolloutState.scale(newest, size);
    }

    /**
     * Unavailable old pods are deleted first, because they serve no traffic and would block the rollout. New pods that are
     * not available yet reduce what may be deleted, so that a bad template cannot replace all good pods.
     */
    private boolean scaleDownOldReplicaSets(ReplicaSetView newest) {
        if (rolloutState.activeOld().isEmpty()) {
            return false;
        }
        int minAvailable = rolloutState.deployment().minAvailable();
        int newestUnavailable = newest.replicas() - newest.availableReplicas();
        int removableReplicas = rolloutState.sum(ReplicaSetView::replicas) - minAvailable - newestUnavailable;
        if (removableReplicas <= 0) {
            return false;
        }
        int removedReplicas = scaleDownUnavailable(removableReplicas);
        removedReplicas += scaleDownAvailable(rolloutState.sum(ReplicaSetView::availableReplicas) - minAvailable);
        return removedReplicas > 0;
    }

    private int scaleDownUnavailable(int maxScaleDown) {
        int removedReplicas = 0;
        for (ReplicaSetView set : rolloutState.activeOld()) {
            int unavailable = set.replicas() - set.availableReplicas();
            removedReplicas += scaleDown(set, Math.min(maxScaleDown - removedReplicas, unavailable));
        }
        return removedReplicas;
    }

    private int scaleDownAvailable(int maxScaleDown) {
        int removedReplicas = 0;
        for (ReplicaSetView set : rolloutState.activeOld()) {
            removedReplicas += scaleDown(set, Math.min(set.replicas(), maxScaleDown - removedReplicas));
        }
        return removedReplicas;
    }

    private int scaleDown(ReplicaSetView set, int by) {
        if (by <= 0) {
            return 0;
        }
        rolloutState.scale(set, set.replicas() - by);
        return by;
    }
}
