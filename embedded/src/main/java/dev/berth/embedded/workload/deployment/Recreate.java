package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.object.Pods;

/** Ends all old pods before the first new one starts. */
final class Recreate {
    private final Rollout rollout;
    private final Index podsByController;

    Recreate(Rollout rollout, Index podsByController) {
        this.rollout = rollout;
        this.podsByController = podsByController;
    }

    /** Takes the next step. */
    void advance() {
        Revisions revisions = new Revisions(rollout);
        revisions.syncNewest();
        boolean shrunk = false;
        for (ReplicaSetView set : rollout.activeOld()) {
            shrunk |= rollout.scale(set, 0);
        }
        if (shrunk || oldPodsRun()) {
            return;
        }
        ReplicaSetView newest = revisions.ensureNewest();
        if (newest.replicas() != rollout.deployment().replicas()) {
            rollout.scale(newest, rollout.deployment().replicas());
        }
        if (Progress.complete(rollout.deployment())) {
            revisions.cleanUp();
        }
    }

    private boolean oldPodsRun() {
        for (ReplicaSetView set : rollout.old()) {
            if (set.actual() > 0) {
                return true;
            }
            for (ObjectNode pod : podsByController.of(set.uid())) {
                if (!Pods.terminal(pod)) {
                    return true;
                }
            }
        }
        return false;
    }
}
