package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.workload.control.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** One look at a deployment and its replica sets, kept up to date with what is written during that look. */
final class Rollout {
    private final Workspace workspace;
    private DeploymentView deployment;
    private final List<ReplicaSetView> sets;

    Rollout(Workspace workspace, ObjectNode deployment, List<ObjectNode> replicaSets) {
        this.workspace = workspace;
        this.deployment = new DeploymentView(deployment);
        this.sets = new ArrayList<>(replicaSets.stream()
                .map(ReplicaSetView::new)
                .sorted(ReplicaSetView.OLDEST_FIRST)
                .toList());
    }

    Workspace workspace() {
        return workspace;
    }

    DeploymentView deployment() {
        return deployment;
    }

    /** All replica sets, oldest first. */
    List<ReplicaSetView> sets() {
        return List.copyOf(sets);
    }

    /** The replica set of the present template: the oldest, should there be several. */
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
        return old().stream().filter(ReplicaSetView::active).toList();
    }

    int sum(ToIntFunction<ReplicaSetView> amount) {
        return sets.stream().mapToInt(amount).sum();
    }

    void add(ObjectNode replicaSet) {
        sets.add(new ReplicaSetView(replicaSet));
    }

    ReplicaSetView update(ReplicaSetView set, ObjectNode changed) {
        ReplicaSetView updated = new ReplicaSetView(workspace.writes().update(Resource.REPLICA_SETS, changed));
        sets.replaceAll(each -> each.uid().equals(set.uid()) ? updated : each);
        return updated;
    }

    /** Sets the replica set's size and records the deployment's on it; says whether the size changed. */
    boolean scale(ReplicaSetView set, int size) {
        int before = set.replicas();
        if (before == size && Annotations.sizesRecorded(set, deployment)) {
            return false;
        }
        ObjectNode changed = Json.copy(set.object());
        Json.child(changed, "spec").put("replicas", size);
        Annotations.recordSizes(changed, deployment);
        update(set, changed);
        if (before != size) {
            workspace.normal(
                    deployment.object(),
                    "ScalingReplicaSet",
                    "Scaled %s replica set %s from %d to %d"
                            .formatted(before < size ? "up" : "down", set.name(), before, size));
        }
        return before != size;
    }

    /** Writes the deployment's status when it differs. */
    void writeStatus(ObjectNode status) {
        if (Json.same(Json.at(deployment.object(), "status"), status)) {
            return;
        }
        ObjectNode changed = Json.copy(deployment.object());
        changed.set("status", status);
        deployment = new DeploymentView(workspace.writes().updateStatus(Resource.DEPLOYMENTS, changed));
    }

    /** Writes the deployment's own revision when it differs. */
    void writeRevision(String revision) {
        if (Meta.annotation(deployment.object(), Annotations.REVISION).equals(Optional.of(revision))) {
            return;
        }
        ObjectNode changed = Json.copy(deployment.object());
        Json.child(Json.child(changed, "metadata"), "annotations").put(Annotations.REVISION, revision);
        // Through the status, since an annotation written otherwise counts as a new generation.
        deployment = new DeploymentView(workspace.writes().updateStatus(Resource.DEPLOYMENTS, changed));
    }
}
