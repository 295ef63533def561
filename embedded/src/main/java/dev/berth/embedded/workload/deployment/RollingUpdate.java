package dev.berth.embedded.workload.deployment;

/** Replaces old pods by new ones step by step: never more pods than the surge allows, never fewer than must be available. */
final class RollingUpdate {
    private final Rollout rollout;

    RollingUpdate(Rollout rollout) {
        this.rollout = rollout;
    }

    /** The size the newest replica set may have now, given its present one. */
    static int newestSize(Rollout rollout, int present) {
        DeploymentView deployment = rollout.deployment();
        if (!deployment.rolling()) {
            return deployment.replicas();
        }
        int room = deployment.maxReplicas() - rollout.sum(ReplicaSetView::replicas);
        return room <= 0 ? present : present + Math.min(room, deployment.replicas() - present);
    }

    /** Takes the next step. */
    void advance() {
        Revisions revisions = new Revisions(rollout);
        ReplicaSetView newest = revisions.ensureNewest();
        if (!growNewest(newest) && !shrinkOld(newest) && Progress.complete(rollout.deployment())) {
            revisions.cleanUp();
        }
    }

    private boolean growNewest(ReplicaSetView newest) {
        int wanted = rollout.deployment().replicas();
        if (newest.replicas() == wanted) {
            return false;
        }
        int size = newest.replicas() > wanted ? wanted : newestSize(rollout, newest.replicas());
        return size != newest.replicas() && rollout.scale(newest, size);
    }

    /**
     * Unavailable old pods go first, for they serve nobody and would block the rest. New pods that are not available yet
     * are taken off what may go, so that a bad template cannot eat up the good pods.
     */
    private boolean shrinkOld(ReplicaSetView newest) {
        if (rollout.activeOld().isEmpty()) {
            return false;
        }
        int minAvailable = rollout.deployment().minAvailable();
        int newestUnavailable = newest.replicas() - newest.available();
        int mayGo = rollout.sum(ReplicaSetView::replicas) - minAvailable - newestUnavailable;
        if (mayGo <= 0) {
            return false;
        }
        int gone = removeUnavailable(mayGo);
        gone += removeAvailable(rollout.sum(ReplicaSetView::available) - minAvailable);
        return gone > 0;
    }

    private int removeUnavailable(int most) {
        int gone = 0;
        for (ReplicaSetView set : rollout.activeOld()) {
            int unavailable = set.replicas() - set.available();
            gone += shrink(set, Math.min(most - gone, unavailable));
        }
        return gone;
    }

    private int removeAvailable(int most) {
        int gone = 0;
        for (ReplicaSetView set : rollout.activeOld()) {
            gone += shrink(set, Math.min(set.replicas(), most - gone));
        }
        return gone;
    }

    private int shrink(ReplicaSetView set, int by) {
        if (by <= 0) {
            return 0;
        }
        rollout.scale(set, set.replicas() - by);
        return by;
    }
}
