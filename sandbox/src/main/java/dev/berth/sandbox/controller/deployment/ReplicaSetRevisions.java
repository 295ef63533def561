package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.controller.util.PodTemplateHash;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates the ReplicaSet of the current template with the highest revision, and deletes old ones. */
final class ReplicaSetRevisions {
    private static final int MAX_NAME_LENGTH = 253;

    private final RolloutState rolloutState;

    ReplicaSetRevisions(RolloutState rolloutState) {
        this.rolloutState = rolloutState;
    }

    /** Brings annotations and revision of the newest replica set up to date, if there is one. */
    void syncNewest() {
        rolloutState.newest().ifPresent(this::sync);
    }

    /** The newest replica set, brought up to date or created. */
    ReplicaSetView ensureNewest() {
        return rolloutState.newest().map(this::sync).orElseGet(this::create);
    }

    private ReplicaSetView sync(ReplicaSetView newest) {
        DeploymentView deployment = rolloutState.deployment();
        Map<String, String> wanted =
                DeploymentAnnotations.desiredForNewReplicaSet(deployment, newest.object(), nextRevision());
        ReplicaSetView synced = newest;
        boolean otherReadiness =
                NestedFields.intValue(newest.object(), 0, "spec", "minReadySeconds") != deployment.minReadySeconds();
        if (otherReadiness || !wanted.equals(ObjectMetaReader.annotations(newest.object()))) {
            ObjectNode changed = newest.object().deepCopy();
            NestedFields.getOrCreateObject(changed, "metadata").set("annotations", NestedFields.fromMap(wanted));
            NestedFields.getOrCreateObject(changed, "spec").put("minReadySeconds", deployment.minReadySeconds());
            synced = rolloutState.update(newest, changed);
        }
        rolloutState.writeRevision(Long.toString(synced.revision()));
        DeploymentProgress progress = new DeploymentProgress(rolloutState);
        if (progress.progressingCondition().isEmpty()) {
            progress.writeProgressing(
                    "True", "FoundNewReplicaSet", "Found new replica set \"%s\"".formatted(synced.name()));
        }
        return synced;
    }

    private long nextRevision() {
        return rolloutState.old().stream()
                        .mapToLong(ReplicaSetView::revision)
                        .max()
                        .orElse(0)
                + 1;
    }

    private ReplicaSetView create() {
        DeploymentView deployment = rolloutState.deployment();
        ObjectNode wanted = newReplicaSet(deployment);
        String name = ObjectMetaReader.name(wanted);
        ObjectNode created;
        try {
            created = rolloutState.controllerContext().writeThroughClient().create(RestMapping.REPLICA_SETS, wanted);
        } catch (ApiException e) {
            return findExisting(wanted, e).orElseThrow(() -> countCollision(name, e));
        }
        rolloutState.add(created);
        ReplicaSetView newest = new ReplicaSetView(created);
        if (newest.replicas() > 0) {
            rolloutState
                    .controllerContext()
                    .recordNormal(
                            deployment.object(),
                            "ScalingReplicaSet",
                            "Scaled up replica set %s from 0 to %d".formatted(name, newest.replicas()));
        }
        rolloutState.writeRevision(Long.toString(newest.revision()));
        new DeploymentProgress(rolloutState)
                .writeProgressing("True", "NewReplicaSetCreated", "Created new replica set \"%s\"".formatted(name));
        return newest;
    }

    /** A ReplicaSet that this controller created and has not observed yet is not a collision. */
    private Optional<ReplicaSetView> findExisting(ObjectNode wanted, ApiException problem) {
        if (!problem.isAlreadyExists()) {
            return Optional.empty();
        }
        String owner = ObjectMetaReader.uid(rolloutState.deployment().object());
        Optional<ReplicaSetView> found = rolloutState
                .controllerContext()
                .writeThroughClient()
                .client()
                .find(ObjectLocation.of(RestMapping.REPLICA_SETS, wanted))
                .filter(set -> ObjectMetaReader.isControlledBy(set, owner))
                .map(ReplicaSetView::new)
                .filter(set -> set.hasTemplateOf(rolloutState.deployment()));
        found.ifPresent(set -> rolloutState.add(set.object()));
        return found;
    }

    private ObjectNode newReplicaSet(DeploymentView deployment) {
        ObjectNode template = deployment.template();
        String hash = PodTemplateHash.compute(template, deployment.collisions());
        NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(template, "metadata"), "labels")
                .put(DeploymentAnnotations.TEMPLATE_HASH, hash);
        ObjectNode selector = NestedFields.copyOf(deployment.object(), "spec", "selector");
        NestedFields.getOrCreateObject(selector, "matchLabels").put(DeploymentAnnotations.TEMPLATE_HASH, hash);

        ObjectNode set = NestedFields.newObject().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", name(deployment.name(), hash)).put("namespace", deployment.namespace());
        metadata.set("labels", NestedFields.copyOf(template, "metadata", "labels"));
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controllerReference(deployment.object()).toJson());
        metadata.set(
                "annotations",
                NestedFields.fromMap(DeploymentAnnotations.desiredForNewReplicaSet(deployment, set, nextRevision())));
        DeploymentAnnotations.setReplicasAnnotations(set, deployment);
        ObjectNode spec = set.putObject("spec");
        spec.put("replicas", RollingUpdateRollout.newReplicaSetSize(rolloutState, 0))
                .put("minReadySeconds", deployment.minReadySeconds());
        spec.set("selector", selector);
        spec.set("template", template);
        return set;
    }

    private static String name(String deployment, String hash) {
        int room = MAX_NAME_LENGTH - 1 - hash.length();
        return (deployment.length() > room ? deployment.substring(0, room) : deployment) + "-" + hash;
    }

    /** If the name is in use, two templates have the same hash. The collision count gives another name next time. */
    private ApiException countCollision(String name, ApiException problem) {
        DeploymentView deployment = rolloutState.deployment();
        if (problem.hasCause("NamespaceTerminating")) {
            return problem;
        }
        if (problem.isAlreadyExists()) {
            ObjectNode status = NestedFields.copyOf(deployment.object(), "status");
            status.put("collisionCount", deployment.collisions() + 1);
            rolloutState.writeStatus(status);
            return problem;
        }
        String message = "Failed to create new replica set \"%s\": %s".formatted(name, problem.getMessage());
        new DeploymentProgress(rolloutState).writeProgressing("False", "ReplicaSetCreateError", message);
        rolloutState.controllerContext().recordWarning(deployment.object(), "ReplicaSetCreateError", message);
        return problem;
    }

    /** Deletes old, empty ReplicaSets beyond the revision history limit. */
    void cleanUp() {
        Optional<Integer> limit = rolloutState.deployment().revisionHistoryLimit();
        if (limit.isEmpty()) {
            return;
        }
        List<ReplicaSetView> alive = rolloutState.old().stream()
                .filter(set -> !ObjectMetaReader.isTerminating(set.object()))
                .sorted(ReplicaSetView.BY_REVISION)
                .toList();
        int surplus = alive.size() - limit.get();
        for (ReplicaSetView set : alive.subList(0, Math.max(surplus, 0))) {
            if (set.statusReplicas() == 0 && !set.isActive() && set.isObserved()) {
                rolloutState
                        .controllerContext()
                        .writeThroughClient()
                        .delete(RestMapping.REPLICA_SETS, set.object(), DeleteOptions.withUidOf(set.object()));
            }
        }
    }
}
