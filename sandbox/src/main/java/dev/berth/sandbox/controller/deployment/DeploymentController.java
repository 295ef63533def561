package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.controller.util.ControllerRefManager;
import dev.berth.sandbox.controller.util.ControllerRefs;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rolls out the templates of Deployments with ReplicaSets. */
public final class DeploymentController implements KeyReconciler<NamespacedName> {
    private final ControllerContext controllerContext;
    private final InformerCache deployments;
    private final InformerCache replicaSets;
    private final Index podsByController;

    private DeploymentController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.deployments = controllerContext.cacheFor(RestMapping.DEPLOYMENTS);
        this.replicaSets = controllerContext.cacheFor(RestMapping.REPLICA_SETS);
        this.podsByController = ControllerRefs.index(controllerContext.sharedInformerFactory(), RestMapping.PODS);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        DeploymentController reconciler = new DeploymentController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler, reconciler.deployments);
        reconciler.replicaSets.addListener((before, after) ->
                ControllerRefs.enqueueControllers(controller, reconciler.deployments, before, after));
        controllerContext.cacheFor(RestMapping.PODS).addListener((before, after) -> {
            // Recreate waits until the last old pod is deleted.
            if (after.isEmpty()) {
                before.flatMap(reconciler::deploymentOf).ifPresent(controller::enqueue);
            }
        });
        return controller;
    }

    private Optional<NamespacedName> deploymentOf(ObjectNode pod) {
        return ControllerRefs.findController(replicaSets, pod)
                .flatMap(replicaSets::get)
                .flatMap(set -> ControllerRefs.findController(deployments, set));
    }

    @Override
    public String name() {
        return "deployment-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> deployment = deployments.get(key);
        return deployment.isEmpty() ? Optional.empty() : sync(deployment.get());
    }

    private Optional<Instant> sync(ObjectNode deployment) {
        if (LabelSelectorReader.read(NestedFields.at(deployment, "spec", "selector"))
                .isEmpty()) {
            controllerContext.recordWarning(
                    deployment,
                    "SelectingAll",
                    "This deployment is selecting all pods. A non-empty selector is required.");
            return Optional.empty();
        }
        List<ObjectNode> owned = new ControllerRefManager(
                        controllerContext.writeThroughClient(),
                        RestMapping.DEPLOYMENTS,
                        deployment,
                        RestMapping.REPLICA_SETS,
                        ControllerRefManager.selectorPredicate(deployment))
                .claim(replicaSets.listNamespace(ObjectMetaReader.namespace(deployment)));
        return rollOut(new RolloutState(controllerContext, deployment, owned));
    }

    private Optional<Instant> rollOut(RolloutState rolloutState) {
        DeploymentProgress progress = new DeploymentProgress(rolloutState);
        ReplicaSetRevisions revisions = new ReplicaSetRevisions(rolloutState);
        if (ObjectMetaReader.isTerminating(rolloutState.deployment().object())) {
            progress.syncStatusOnly();
            return Optional.empty();
        }
        progress.checkPausedConditions();
        revisions.syncNewest();
        if (rolloutState.deployment().isPaused() || new ProportionalScaling(rolloutState).isScalingEvent()) {
            new ProportionalScaling(rolloutState).scale();
            if (rolloutState.deployment().isPaused()) {
                revisions.cleanUp();
            }
            progress.syncStatusOnly();
            return Optional.empty();
        }
        switch (rolloutState.deployment().strategy()) {
            case ROLLING_UPDATE -> new RollingUpdateRollout(rolloutState).advance();
            case RECREATE -> new RecreateRollout(rolloutState, podsByController).advance();
        }
        return progress.syncRolloutStatus();
    }
}
