package dev.berth.sandbox.controller.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Computes the status of a Deployment and whether its rollout makes progress. */
final class DeploymentProgress {
    private static final String PROGRESSING = "Progressing";
    private static final String AVAILABLE = "NewReplicaSetAvailable";
    private static final String TIMED_OUT = "ProgressDeadlineExceeded";
    private static final String PAUSED = "DeploymentPaused";

    private final RolloutState rolloutState;

    DeploymentProgress(RolloutState rolloutState) {
        this.rolloutState = rolloutState;
    }

    Optional<ObjectNode> progressingCondition() {
        return StatusConditions.findInObject(rolloutState.deployment().object(), PROGRESSING);
    }

    private boolean reasonIs(String reason) {
        return progressingCondition()
                .filter(found -> NestedFields.text(found, "reason").equals(reason))
                .isPresent();
    }

    static boolean isComplete(DeploymentView deployment) {
        return isCompleteIn(deployment, NestedFields.at(deployment.object(), "status"));
    }

    private static boolean isCompleteIn(DeploymentView deployment, JsonNode status) {
        int replicas = deployment.replicas();
        return NestedFields.intValue(status, 0, "updatedReplicas") == replicas
                && NestedFields.intValue(status, 0, "replicas") == replicas
                && NestedFields.intValue(status, 0, "availableReplicas") == replicas
                && NestedFields.at(status, "observedGeneration").asLong(0)
                        >= ObjectMetaReader.generation(deployment.object());
    }

    /** Writes a Progressing condition at once, for deployments that have a deadline. */
    void writeProgressing(String status, String reason, String message) {
        if (rolloutState.deployment().progressDeadline().isPresent()) {
            ObjectNode changed = NestedFields.copyOf(rolloutState.deployment().object(), "status");
            setCondition(changed, PROGRESSING, status, reason, message);
            rolloutState.writeStatus(changed);
        }
    }

    /** Records the start and the end of a pause, so that the pause does not count against the progress deadline. */
    void checkPausedConditions() {
        boolean noted = reasonIs(PAUSED);
        if (reasonIs(TIMED_OUT)) {
            return;
        }
        if (rolloutState.deployment().isPaused() && !noted) {
            writeProgressing("Unknown", PAUSED, "Deployment is paused");
        } else if (!rolloutState.deployment().isPaused() && noted) {
            writeProgressing("Unknown", "DeploymentResumed", "Deployment is resumed");
        }
    }

    /** Writes the counts and the Available condition, but not the Progressing condition. */
    void syncStatusOnly() {
        rolloutState.writeStatus(calculateStatus());
    }

    /** Writes the whole status, and returns when to check the progress deadline again. */
    Optional<Instant> syncRolloutStatus() {
        DeploymentView deployment = rolloutState.deployment();
        ObjectNode status = calculateStatus();
        boolean completeBefore = reasonIs(AVAILABLE)
                && NestedFields.intValue(status, 0, "replicas") == NestedFields.intValue(status, 0, "updatedReplicas");
        if (deployment.progressDeadline().isEmpty()) {
            StatusConditions.remove(status, PROGRESSING);
        } else if (!completeBefore) {
            updateProgressing(status, deployment);
        }
        copyReplicaFailure(status);
        rolloutState.writeStatus(status);
        return nextProgressCheck(status);
    }

    private void updateProgressing(ObjectNode status, DeploymentView deployment) {
        String subject = rolloutState
                .newest()
                .map(set -> "ReplicaSet \"%s\"".formatted(set.name()))
                .orElse("Deployment \"%s\"".formatted(deployment.name()));
        if (isCompleteIn(deployment, status)) {
            setCondition(status, PROGRESSING, "True", AVAILABLE, subject + " has successfully progressed.");
        } else if (hasProgressed(deployment, status)) {
            renewProgressing(status, subject + " is progressing.");
        } else if (hasTimedOut(deployment)) {
            setCondition(status, PROGRESSING, "False", TIMED_OUT, subject + " has timed out progressing.");
        }
    }

    private static boolean hasProgressed(DeploymentView deployment, JsonNode status) {
        int oldBefore = deployment.statusCount("replicas") - deployment.statusCount("updatedReplicas");
        int oldNow = NestedFields.intValue(status, 0, "replicas") - NestedFields.intValue(status, 0, "updatedReplicas");
        return oldNow < oldBefore
                || NestedFields.intValue(status, 0, "updatedReplicas") > deployment.statusCount("updatedReplicas")
                || NestedFields.intValue(status, 0, "readyReplicas") > deployment.statusCount("readyReplicas")
                || NestedFields.intValue(status, 0, "availableReplicas") > deployment.statusCount("availableReplicas");
    }

    /** This condition is renewed even if its reason stays the same: the deadline counts from here. */
    private void renewProgressing(ObjectNode status, String message) {
        Optional<String> since = progressingCondition()
                .filter(before -> StatusConditions.hasStatus(before, "True"))
                .map(before -> NestedFields.text(before, "lastTransitionTime"));
        StatusConditions.remove(status, PROGRESSING);
        setCondition(status, PROGRESSING, "True", "ReplicaSetUpdated", message);
        since.ifPresent(time -> StatusConditions.findInStatus(status, PROGRESSING)
                .ifPresent(renewed -> renewed.put("lastTransitionTime", time)));
    }

    private boolean hasTimedOut(DeploymentView deployment) {
        if (progressingCondition().isEmpty() || reasonIs(AVAILABLE)) {
            return false;
        }
        return reasonIs(TIMED_OUT)
                || deadline(deployment)
                        .filter(deadline -> deadline.isBefore(
                                rolloutState.controllerContext().now()))
                        .isPresent();
    }

    private Optional<Instant> deadline(DeploymentView deployment) {
        return progressingCondition()
                .flatMap(found -> TimestampFormat.parse(found.path("lastUpdateTime")))
                .flatMap(updated -> deployment.progressDeadline().map(updated::plus));
    }

    private Optional<Instant> nextProgressCheck(ObjectNode status) {
        DeploymentView deployment = rolloutState.deployment();
        // A complete rollout that later lacks pods has no progress deadline.
        if (isCompleteIn(deployment, status) || reasonIs(TIMED_OUT) || reasonIs(AVAILABLE)) {
            return Optional.empty();
        }
        // Times in objects have whole seconds. One more second makes sure that the deadline has passed.
        return deadline(deployment).map(deadline -> deadline.plus(Duration.ofSeconds(1)));
    }

    private ObjectNode calculateStatus() {
        DeploymentView deployment = rolloutState.deployment();
        ObjectNode status = NestedFields.copyOf(deployment.object(), "status");
        int available = rolloutState.sum(ReplicaSetView::availableReplicas);
        status.put("observedGeneration", ObjectMetaReader.generation(deployment.object()));
        count(status, "replicas", rolloutState.sum(ReplicaSetView::statusReplicas));
        count(
                status,
                "updatedReplicas",
                rolloutState.newest().map(ReplicaSetView::statusReplicas).orElse(0));
        count(status, "readyReplicas", rolloutState.sum(ReplicaSetView::readyReplicas));
        count(status, "availableReplicas", available);
        count(status, "unavailableReplicas", Math.max(0, rolloutState.sum(ReplicaSetView::replicas) - available));
        status.put("terminatingReplicas", rolloutState.sum(ReplicaSetView::terminatingReplicas));
        if (available >= deployment.minAvailable()) {
            setCondition(
                    status, "Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.");
        } else {
            setCondition(
                    status,
                    "Available",
                    "False",
                    "MinimumReplicasUnavailable",
                    "Deployment does not have minimum availability.");
        }
        return status;
    }

    /** The API omits counts of zero. */
    private static void count(ObjectNode status, String field, int count) {
        if (count == 0) {
            status.remove(field);
        } else {
            status.put(field, count);
        }
    }

    private void copyReplicaFailure(ObjectNode status) {
        Optional<ObjectNode> failure = rolloutState
                .newest()
                .flatMap(set -> StatusConditions.findInObject(set.object(), "ReplicaFailure"))
                .or(() -> rolloutState.sets().stream()
                        .flatMap(set -> StatusConditions.findInObject(set.object(), "ReplicaFailure").stream())
                        .findFirst());
        if (failure.isPresent()) {
            ObjectNode found = failure.get();
            setCondition(
                    status,
                    "ReplicaFailure",
                    NestedFields.text(found, "status"),
                    NestedFields.text(found, "reason"),
                    NestedFields.text(found, "message"));
        } else {
            StatusConditions.remove(status, "ReplicaFailure");
        }
    }

    /** Keeps a condition whose status and reason are the same. */
    private void setCondition(ObjectNode status, String type, String value, String reason, String message) {
        Optional<ObjectNode> before = StatusConditions.findInStatus(status, type);
        boolean sameStatus =
                before.filter(found -> StatusConditions.hasStatus(found, value)).isPresent();
        if (sameStatus && NestedFields.text(before.get(), "reason").equals(reason)) {
            return;
        }
        String now = TimestampFormat.formatTime(rolloutState.controllerContext().now());
        ObjectNode condition = NestedFields.newObject().put("type", type).put("status", value);
        condition.put("lastUpdateTime", now);
        condition.put("lastTransitionTime", sameStatus ? NestedFields.text(before.get(), "lastTransitionTime") : now);
        condition.put("reason", reason).put("message", message);
        StatusConditions.replaceAtEnd(status, condition);
    }
}
