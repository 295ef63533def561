package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.workload.control.TemplateHash;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sees to it that the present template has its replica set with the highest revision, and ends old ones. */
final class Revisions {
    private static final int LONGEST_NAME = 253;

    private final Rollout rollout;

    Revisions(Rollout rollout) {
        this.rollout = rollout;
    }

    /** Brings annotations and revision of the newest replica set up to date, if there is one. */
    void syncNewest() {
        rollout.newest().ifPresent(this::sync);
    }

    /** The newest replica set, brought up to date or created. */
    ReplicaSetView ensureNewest() {
        return rollout.newest().map(this::sync).orElseGet(this::create);
    }

    private ReplicaSetView sync(ReplicaSetView newest) {
        DeploymentView deployment = rollout.deployment();
        Map<String, String> wanted = Annotations.ofNewest(deployment, newest.object(), nextRevision());
        ReplicaSetView synced = newest;
        boolean otherReadiness =
                Json.number(newest.object(), 0, "spec", "minReadySeconds") != deployment.minReadySeconds();
        if (otherReadiness || !wanted.equals(Meta.annotations(newest.object()))) {
            ObjectNode changed = Json.copy(newest.object());
            Json.child(changed, "metadata").set("annotations", Json.ofStrings(wanted));
            Json.child(changed, "spec").put("minReadySeconds", deployment.minReadySeconds());
            synced = rollout.update(newest, changed);
        }
        rollout.writeRevision(Long.toString(synced.revision()));
        Progress progress = new Progress(rollout);
        if (progress.condition().isEmpty()) {
            progress.report("True", "FoundNewReplicaSet", "Found new replica set \"%s\"".formatted(synced.name()));
        }
        return synced;
    }

    private long nextRevision() {
        return rollout.old().stream().mapToLong(ReplicaSetView::revision).max().orElse(0) + 1;
    }

    private ReplicaSetView create() {
        DeploymentView deployment = rollout.deployment();
        ObjectNode wanted = newReplicaSet(deployment);
        String name = Meta.name(wanted);
        ObjectNode created;
        try {
            created = rollout.workspace().writes().create(Resource.REPLICA_SETS, wanted);
        } catch (ApiException e) {
            return alreadyThere(wanted, e).orElseThrow(() -> refused(name, e));
        }
        rollout.add(created);
        ReplicaSetView newest = new ReplicaSetView(created);
        if (newest.replicas() > 0) {
            rollout.workspace()
                    .normal(
                            deployment.object(),
                            "ScalingReplicaSet",
                            "Scaled up replica set %s from 0 to %d".formatted(name, newest.replicas()));
        }
        rollout.writeRevision(Long.toString(newest.revision()));
        new Progress(rollout).report("True", "NewReplicaSetCreated", "Created new replica set \"%s\"".formatted(name));
        return newest;
    }

    /** One that we made before and have not heard of yet is no collision. */
    private Optional<ReplicaSetView> alreadyThere(ObjectNode wanted, ApiException problem) {
        if (!problem.alreadyExists()) {
            return Optional.empty();
        }
        String owner = Meta.uid(rollout.deployment().object());
        Optional<ReplicaSetView> found = rollout.workspace()
                .writes()
                .client()
                .find(Address.of(Resource.REPLICA_SETS, wanted))
                .filter(set -> Meta.controlledBy(set, owner))
                .map(ReplicaSetView::new)
                .filter(set -> set.hasTemplateOf(rollout.deployment()));
        found.ifPresent(set -> rollout.add(set.object()));
        return found;
    }

    private ObjectNode newReplicaSet(DeploymentView deployment) {
        ObjectNode template = deployment.template();
        String hash = TemplateHash.of(template, deployment.collisions());
        Json.child(Json.child(template, "metadata"), "labels").put(Annotations.TEMPLATE_HASH, hash);
        ObjectNode selector = Json.copyOf(deployment.object(), "spec", "selector");
        Json.child(selector, "matchLabels").put(Annotations.TEMPLATE_HASH, hash);

        ObjectNode set = Json.object().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", name(deployment.name(), hash)).put("namespace", deployment.namespace());
        metadata.set("labels", Json.copyOf(template, "metadata", "labels"));
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controlledBy(deployment.object()).toJson());
        metadata.set("annotations", Json.ofStrings(Annotations.ofNewest(deployment, set, nextRevision())));
        Annotations.recordSizes(set, deployment);
        ObjectNode spec = set.putObject("spec");
        spec.put("replicas", RollingUpdate.newestSize(rollout, 0)).put("minReadySeconds", deployment.minReadySeconds());
        spec.set("selector", selector);
        spec.set("template", template);
        return set;
    }

    private static String name(String deployment, String hash) {
        int room = LONGEST_NAME - 1 - hash.length();
        return (deployment.length() > room ? deployment.substring(0, room) : deployment) + "-" + hash;
    }

    /** A name that is taken means two templates with one hash: counting the collision gives another name next time. */
    private ApiException refused(String name, ApiException problem) {
        DeploymentView deployment = rollout.deployment();
        if (problem.hasCause("NamespaceTerminating")) {
            return problem;
        }
        if (problem.alreadyExists()) {
            ObjectNode status = Json.copyOf(deployment.object(), "status");
            status.put("collisionCount", deployment.collisions() + 1);
            rollout.writeStatus(status);
            return problem;
        }
        String message = "Failed to create new replica set \"%s\": %s".formatted(name, problem.getMessage());
        new Progress(rollout).report("False", "ReplicaSetCreateError", message);
        rollout.workspace().warning(deployment.object(), "ReplicaSetCreateError", message);
        return problem;
    }

    /** Deletes old, empty replica sets beyond the number that the deployment wants to keep. */
    void cleanUp() {
        Optional<Integer> limit = rollout.deployment().revisionHistoryLimit();
        if (limit.isEmpty()) {
            return;
        }
        List<ReplicaSetView> alive = rollout.old().stream()
                .filter(set -> !Meta.terminating(set.object()))
                .sorted(ReplicaSetView.BY_REVISION)
                .toList();
        int surplus = alive.size() - limit.get();
        for (ReplicaSetView set : alive.subList(0, Math.max(surplus, 0))) {
            if (set.actual() == 0 && !set.active() && set.observed()) {
                rollout.workspace()
                        .writes()
                        .delete(Resource.REPLICA_SETS, set.object(), DeleteOptions.only(set.object()));
            }
        }
    }
}
