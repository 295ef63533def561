package dev.berth.embedded.workload.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Computes a deployment's status and judges whether its rollout gets ahead. */
final class Progress {
    private static final String PROGRESSING = "Progressing";
    private static final String AVAILABLE = "NewReplicaSetAvailable";
    private static final String TIMED_OUT = "ProgressDeadlineExceeded";
    private static final String PAUSED = "DeploymentPaused";

    private final Rollout rollout;

    Progress(Rollout rollout) {
        this.rollout = rollout;
    }

    Optional<ObjectNode> condition() {
        return Conditions.of(rollout.deployment().object(), PROGRESSING);
    }

    private boolean reasonIs(String reason) {
        return condition()
                .filter(found -> Json.text(found, "reason").equals(reason))
                .isPresent();
    }

    static boolean complete(DeploymentView deployment) {
        return complete(deployment, Json.at(deployment.object(), "status"));
    }

    private static boolean complete(DeploymentView deployment, JsonNode status) {
        int replicas = deployment.replicas();
        return Json.number(status, 0, "updatedReplicas") == replicas
                && Json.number(status, 0, "replicas") == replicas
                && Json.number(status, 0, "availableReplicas") == replicas
                && Json.at(status, "observedGeneration").asLong(0) >= Meta.generation(deployment.object());
    }

    /** Writes a Progressing condition at once, for deployments that have a deadline. */
    void report(String status, String reason, String message) {
        if (rollout.deployment().progressDeadline().isPresent()) {
            ObjectNode changed = Json.copyOf(rollout.deployment().object(), "status");
            set(changed, PROGRESSING, status, reason, message);
            rollout.writeStatus(changed);
        }
    }

    /** Notes the beginning and the end of a pause, so that its time does not count as lack of progress. */
    void notePause() {
        boolean noted = reasonIs(PAUSED);
        if (reasonIs(TIMED_OUT)) {
            return;
        }
        if (rollout.deployment().paused() && !noted) {
            report("Unknown", PAUSED, "Deployment is paused");
        } else if (!rollout.deployment().paused() && noted) {
            report("Unknown", "DeploymentResumed", "Deployment is resumed");
        }
    }

    /** Writes the counts and the Available condition, without judging progress. */
    void writeCounts() {
        rollout.writeStatus(counted());
    }

    /** Writes the whole status, and says when the rollout is to be judged again. */
    Optional<Instant> write() {
        DeploymentView deployment = rollout.deployment();
        ObjectNode status = counted();
        boolean completeBefore =
                reasonIs(AVAILABLE) && Json.number(status, 0, "replicas") == Json.number(status, 0, "updatedReplicas");
        if (deployment.progressDeadline().isEmpty()) {
            Conditions.remove(status, PROGRESSING);
        } else if (!completeBefore) {
            judge(status, deployment);
        }
        promoteFailure(status);
        rollout.writeStatus(status);
        return nextJudgement(status);
    }

    private void judge(ObjectNode status, DeploymentView deployment) {
        String subject = rollout.newest()
                .map(set -> "ReplicaSet \"%s\"".formatted(set.name()))
                .orElse("Deployment \"%s\"".formatted(deployment.name()));
        if (complete(deployment, status)) {
            set(status, PROGRESSING, "True", AVAILABLE, subject + " has successfully progressed.");
        } else if (advanced(deployment, status)) {
            refresh(status, subject + " is progressing.");
        } else if (timedOut(deployment)) {
            set(status, PROGRESSING, "False", TIMED_OUT, subject + " has timed out progressing.");
        }
    }

    private static boolean advanced(DeploymentView deployment, JsonNode status) {
        int oldBefore = deployment.status("replicas") - deployment.status("updatedReplicas");
        int oldNow = Json.number(status, 0, "replicas") - Json.number(status, 0, "updatedReplicas");
        return oldNow < oldBefore
                || Json.number(status, 0, "updatedReplicas") > deployment.status("updatedReplicas")
                || Json.number(status, 0, "readyReplicas") > deployment.status("readyReplicas")
                || Json.number(status, 0, "availableReplicas") > deployment.status("availableReplicas");
    }

    /** Unlike other conditions this one is renewed although its reason stays: the deadline counts from here. */
    private void refresh(ObjectNode status, String message) {
        Optional<String> since = condition()
                .filter(before -> Conditions.is(before, "True"))
                .map(before -> Json.text(before, "lastTransitionTime"));
        Conditions.remove(status, PROGRESSING);
        set(status, PROGRESSING, "True", "ReplicaSetUpdated", message);
        since.ifPresent(time ->
                Conditions.find(status, PROGRESSING).ifPresent(renewed -> renewed.put("lastTransitionTime", time)));
    }

    private boolean timedOut(DeploymentView deployment) {
        if (condition().isEmpty() || reasonIs(AVAILABLE)) {
            return false;
        }
        return reasonIs(TIMED_OUT)
                || deadline(deployment)
                        .filter(deadline ->
                                deadline.isBefore(rollout.workspace().now()))
                        .isPresent();
    }

    private Optional<Instant> deadline(DeploymentView deployment) {
        return condition()
                .flatMap(found -> Timestamps.read(found.path("lastUpdateTime")))
                .flatMap(updated -> deployment.progressDeadline().map(updated::plus));
    }

    private Optional<Instant> nextJudgement(ObjectNode status) {
        DeploymentView deployment = rollout.deployment();
        // What was complete once and lacks pods since is not judged: there is nothing to come back for.
        if (complete(deployment, status) || reasonIs(TIMED_OUT) || reasonIs(AVAILABLE)) {
            return Optional.empty();
        }
        // Times in objects have whole seconds, so a second more makes sure that the deadline has passed.
        return deadline(deployment).map(deadline -> deadline.plus(Duration.ofSeconds(1)));
    }

    private ObjectNode counted() {
        DeploymentView deployment = rollout.deployment();
        ObjectNode status = Json.copyOf(deployment.object(), "status");
        int available = rollout.sum(ReplicaSetView::available);
        status.put("observedGeneration", Meta.generation(deployment.object()));
        count(status, "replicas", rollout.sum(ReplicaSetView::actual));
        count(
                status,
                "updatedReplicas",
                rollout.newest().map(ReplicaSetView::actual).orElse(0));
        count(status, "readyReplicas", rollout.sum(ReplicaSetView::ready));
        count(status, "availableReplicas", available);
        count(status, "unavailableReplicas", Math.max(0, rollout.sum(ReplicaSetView::replicas) - available));
        status.put("terminatingReplicas", rollout.sum(ReplicaSetView::terminating));
        if (available >= deployment.minAvailable()) {
            set(status, "Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.");
        } else {
            set(
                    status,
                    "Available",
                    "False",
                    "MinimumReplicasUnavailable",
                    "Deployment does not have minimum availability.");
        }
        return status;
    }

    /** The API leaves counts of nothing out. */
    private static void count(ObjectNode status, String field, int count) {
        if (count == 0) {
            status.remove(field);
        } else {
            status.put(field, count);
        }
    }

    private void promoteFailure(ObjectNode status) {
        Optional<ObjectNode> failure = rollout.newest()
                .flatMap(set -> Conditions.of(set.object(), "ReplicaFailure"))
                .or(() -> rollout.sets().stream()
                        .flatMap(set -> Conditions.of(set.object(), "ReplicaFailure").stream())
                        .findFirst());
        if (failure.isPresent()) {
            ObjectNode found = failure.get();
            set(
                    status,
                    "ReplicaFailure",
                    Json.text(found, "status"),
                    Json.text(found, "reason"),
                    Json.text(found, "message"));
        } else {
            Conditions.remove(status, "ReplicaFailure");
        }
    }

    /** Leaves a condition alone whose status and reason are the same already. */
    private void set(ObjectNode status, String type, String value, String reason, String message) {
        Optional<ObjectNode> before = Conditions.find(status, type);
        boolean sameStatus = before.filter(found -> Conditions.is(found, value)).isPresent();
        if (sameStatus && Json.text(before.get(), "reason").equals(reason)) {
            return;
        }
        String now = Timestamps.seconds(rollout.workspace().now());
        ObjectNode condition = Json.object().put("type", type).put("status", value);
        condition.put("lastUpdateTime", now);
        condition.put("lastTransitionTime", sameStatus ? Json.text(before.get(), "lastTransitionTime") : now);
        condition.put("reason", reason).put("message", message);
        Conditions.replace(status, condition);
    }
}
