package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.LabelSelector;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.workload.control.Owners;
import dev.berth.embedded.workload.control.Ownership;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rolls the pods of Deployments over from template to template, by replica sets. */
public final class DeploymentController implements Reconciler<ObjectKey> {
    private final Workspace workspace;
    private final Cache deployments;
    private final Cache replicaSets;
    private final Index podsByController;

    private DeploymentController(Workspace workspace) {
        this.workspace = workspace;
        this.deployments = workspace.mirrors().of(Resource.DEPLOYMENTS);
        this.replicaSets = workspace.mirrors().of(Resource.REPLICA_SETS);
        this.podsByController = Owners.index(workspace.mirrors(), Resource.PODS);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        DeploymentController reconciler = new DeploymentController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.deployments.listen(
                (before, after) -> after.or(() -> before).map(ObjectKey::of).ifPresent(controller::enqueue));
        reconciler.replicaSets.listen(
                (before, after) -> Owners.enqueue(controller, reconciler.deployments, before, after));
        workspace.mirrors().of(Resource.PODS).listen((before, after) -> {
            // Recreate waits for the last old pod to be gone.
            if (after.isEmpty()) {
                before.flatMap(reconciler::deploymentOf).ifPresent(controller::enqueue);
            }
        });
        return controller;
    }

    private Optional<ObjectKey> deploymentOf(ObjectNode pod) {
        return Owners.controller(replicaSets, pod)
                .flatMap(replicaSets::get)
                .flatMap(set -> Owners.controller(deployments, set));
    }

    @Override
    public String name() {
        return "deployment-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> deployment = deployments.get(key);
        return deployment.isEmpty() ? Optional.empty() : sync(deployment.get());
    }

    private Optional<Instant> sync(ObjectNode deployment) {
        if (LabelSelector.of(Json.at(deployment, "spec", "selector")).empty()) {
            workspace.warning(
                    deployment,
                    "SelectingAll",
                    "This deployment is selecting all pods. A non-empty selector is required.");
            return Optional.empty();
        }
        List<ObjectNode> owned = new Ownership(
                        workspace.writes(),
                        Resource.DEPLOYMENTS,
                        deployment,
                        Resource.REPLICA_SETS,
                        Ownership.bySelector(deployment))
                .claim(replicaSets.in(Meta.namespace(deployment)));
        return advance(new Rollout(workspace, deployment, owned));
    }

    private Optional<Instant> advance(Rollout rollout) {
        Progress progress = new Progress(rollout);
        Revisions revisions = new Revisions(rollout);
        if (Meta.terminating(rollout.deployment().object())) {
            progress.writeCounts();
            return Optional.empty();
        }
        progress.notePause();
        revisions.syncNewest();
        if (rollout.deployment().paused() || new Scaling(rollout).wanted()) {
            new Scaling(rollout).apply();
            if (rollout.deployment().paused()) {
                revisions.cleanUp();
            }
            progress.writeCounts();
            return Optional.empty();
        }
        switch (rollout.deployment().strategy()) {
            case ROLLING_UPDATE -> new RollingUpdate(rollout).advance();
            case RECREATE -> new Recreate(rollout, podsByController).advance();
        }
        return progress.write();
    }
}
