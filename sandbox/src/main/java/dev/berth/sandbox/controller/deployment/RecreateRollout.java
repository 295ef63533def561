package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.unstructured.Pods;

/** Deletes all old pods before the first new pod is created. */
final class RecreateRollout {
    private final RolloutState rolloutState;
    private final Index podsByController;

    RecreateRollout(RolloutState rolloutState, Index podsByController) {
        this.rolloutState = rolloutState;
        this.podsByController = podsByController;
    }

    /** Does the next step. */
    void advance() {
        ReplicaSetRevisions revisions = new ReplicaSetRevisions(rolloutState);
        revisions.syncNewest();
        boolean shrunk = false;
        for (ReplicaSetView set : rolloutState.activeOld()) {
            shrunk |= rolloutState.scale(set, 0);
        }
        if (shrunk || oldPodsRunning()) {
            return;
        }
        ReplicaSetView newest = revisions.ensureNewest();
        if (newest.replicas() != rolloutState.deployment().replicas()) {
            rolloutState.scale(newest, rolloutState.deployment().replicas());
        }
        if (DeploymentProgress.isComplete(rolloutState.deployment())) {
            revisions.cleanUp();
        }
    }

    private boolean oldPodsRunning() {
        for (ReplicaSetView set : rolloutState.old()) {
            if (set.statusReplicas() > 0) {
                return true;
            }
            for (ObjectNode pod : podsByController.find(set.uid())) {
                if (!Pods.isTerminal(pod)) {
                    return true;
                }
            }
        }
        return false;
    }
}
