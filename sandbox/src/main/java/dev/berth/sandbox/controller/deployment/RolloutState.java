package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.SemanticEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** A Deployment and its ReplicaSets during one reconcile, including the writes of this reconcile. */
final class RolloutState {
    private final ControllerContext controllerContext;
    private DeploymentView deployment;
    private final List<ReplicaSetView> sets;

    RolloutState(ControllerContext controllerContext, ObjectNode deployment, List<ObjectNode> replicaSets) {
        this.controllerContext = controllerContext;
        this.deployment = new DeploymentView(deployment);
        this.sets = new ArrayList<>(replicaSets.stream()
                .map(ReplicaSetView::new)
                .sorted(ReplicaSetView.OLDEST_FIRST)
                .toList());
    }

    ControllerContext controllerContext() {
        return controllerContext;
    }

    DeploymentView deployment() {
        return deployment;
    }

    /** All replica sets, oldest first. */
    List<ReplicaSetView> sets() {
        return List.copyOf(sets);
    }

    /** The ReplicaSet of the current template: the oldest, if there are several. */
    Optional<ReplicaSetView> newest() {
        return sets.stream().filter(set -> set.hasTemplateOf(deployment)).findFirst();
    }

    /** All but the newest, oldest first. */
    List<ReplicaSetView> old() {
        Optional<String> newest = newest().map(ReplicaSetView::uid);
        return sets.stream()
                .filter(set -> !newest.equals(Optional.of(set.uid())))
                .toList();
    }

    List<ReplicaSetView> activeOld() {
        return old().stream().filter(ReplicaSetView::isActive).toList();
    }

    int sum(ToIntFunction<ReplicaSetView> amount) {
        return sets.stream().mapToInt(amount).sum();
    }

    void add(ObjectNode replicaSet) {
        sets.add(new ReplicaSetView(replicaSet));
    }

    ReplicaSetView update(ReplicaSetView set, ObjectNode changed) {
        ReplicaSetView updated =
                new ReplicaSetView(controllerContext.writeThroughClient().update(RestMapping.REPLICA_SETS, changed));
        sets.replaceAll(each -> each.uid().equals(set.uid()) ? updated : each);
        return updated;
    }

    /** Sets the replica set's size and records the deployment's on it; returns whether the size changed. */
    boolean scale(ReplicaSetView set, int size) {
        int before = set.replicas();
        if (before == size && DeploymentAnnotations.hasReplicasAnnotations(set, deployment)) {
            return false;
        }
        ObjectNode changed = set.object().deepCopy();
        NestedFields.getOrCreateObject(changed, "spec").put("replicas", size);
        DeploymentAnnotations.setReplicasAnnotations(changed, deployment);
        update(set, changed);
        if (before != size) {
            controllerContext.recordNormal(
                    deployment.object(),
                    "ScalingReplicaSet",
                    "Scaled %s replica set %s from %d to %d"
                            .formatted(before < size ? "up" : "down", set.name(), before, size));
        }
        return before != size;
    }

    /** Writes the deployment's status when it differs. */
    void writeStatus(ObjectNode status) {
        if (SemanticEquality.areEqual(NestedFields.at(deployment.object(), "status"), status)) {
            return;
        }
        ObjectNode changed = deployment.object().deepCopy();
        changed.set("status", status);
        deployment = new DeploymentView(
                controllerContext.writeThroughClient().updateStatus(RestMapping.DEPLOYMENTS, changed));
    }

    /** Writes the deployment's own revision when it differs. */
    void writeRevision(String revision) {
        if (ObjectMetaReader.annotation(deployment.object(), DeploymentAnnotations.REVISION)
                .equals(Optional.of(revision))) {
            return;
        }
        ObjectNode changed = deployment.object().deepCopy();
        NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(changed, "metadata"), "annotations")
                .put(DeploymentAnnotations.REVISION, revision);
        // Written through the status, because an annotation in the main resource would count as a new generation.
        deployment = new DeploymentView(
                controllerContext.writeThroughClient().updateStatus(RestMapping.DEPLOYMENTS, changed));
    }
}
