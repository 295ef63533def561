package dev.berth.sandbox.validation.workload;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.validation.workload.WorkloadSpecChecks.SPEC;
import static dev.berth.sandbox.validation.workload.WorkloadSpecChecks.notNegative;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.IntOrPercentChecks;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;

/** Checks Deployments, ReplicaSets, ReplicationControllers, ControllerRevisions and Scales. */
public final class ReplicatedWorkloadChecks {
    private ReplicatedWorkloadChecks() {}

    public static void deployment(ObjectNode deployment, FieldErrorList errors) {
        ObjectNode spec = WorkloadSpecChecks.spec(deployment);
        notNegative(spec, "replicas", SPEC, errors);
        selectorAndTemplate(spec, "deployment", errors);
        strategy(spec, errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        notNegative(spec, "revisionHistoryLimit", SPEC, errors);
        notNegative(spec, "progressDeadlineSeconds", SPEC, errors);
        long deadline = number(spec, "progressDeadlineSeconds");
        if (has(spec, "progressDeadlineSeconds") && deadline <= number(spec, "minReadySeconds")) {
            errors.invalid(SPEC.child("progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds");
        }
    }

    private static void selectorAndTemplate(ObjectNode spec, String kind, FieldErrorList errors) {
        if (WorkloadSpecChecks.selector(spec, kind, errors)) {
            WorkloadSpecChecks.matches(spec, errors);
            WorkloadSpecChecks.template(spec, errors);
            WorkloadSpecChecks.requireRestartAlways(spec, "ReplicaSet", errors);
        } else {
            errors.invalid(SPEC.child("selector"), at(spec, "selector"), "invalid label selector");
        }
    }

    private static void strategy(ObjectNode spec, FieldErrorList errors) {
        FieldPath path = SPEC.child("strategy");
        switch (text(spec, "strategy", "type")) {
            case "Recreate" -> {
                if (has(spec, "strategy", "rollingUpdate")) {
                    errors.forbidden(
                            path.child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'");
                }
            }
            case "RollingUpdate" ->
                rollingUpdate(at(spec, "strategy", "rollingUpdate"), path.child("rollingUpdate"), errors);
            default ->
                errors.add(FieldError.notSupported(
                        path,
                        GoFormat.goStruct(at(spec, "strategy"), List.of("Type"), "RollingUpdate"),
                        List.of("Recreate", "RollingUpdate")));
        }
    }

    private static void rollingUpdate(JsonNode rolling, FieldPath path, FieldErrorList errors) {
        JsonNode unavailable = at(rolling, "maxUnavailable");
        JsonNode surge = at(rolling, "maxSurge");
        IntOrPercentChecks.checkCountOrPercent(unavailable, path.child("maxUnavailable"), errors);
        IntOrPercentChecks.checkCountOrPercent(surge, path.child("maxSurge"), errors);
        if (IntOrPercentChecks.value(unavailable) == 0 && IntOrPercentChecks.value(surge) == 0) {
            errors.invalid(path.child("maxUnavailable"), unavailable, "may not be 0 when `maxSurge` is 0");
        }
        IntOrPercentChecks.checkAtMostHundredPercent(unavailable, path.child("maxUnavailable"), errors);
    }

    public static void deploymentStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        WorkloadSpecChecks.counts(
                after,
                List.of(
                        "observedGeneration",
                        "replicas",
                        "updatedReplicas",
                        "readyReplicas",
                        "availableReplicas",
                        "unavailableReplicas",
                        "terminatingReplicas",
                        "collisionCount"),
                List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
                errors);
        WorkloadSpecChecks.checkAvailableAtMostReady(after, "readyReplicas", errors);
    }

    public static void replicaSet(ObjectNode set, FieldErrorList errors) {
        ObjectNode spec = WorkloadSpecChecks.spec(set);
        notNegative(spec, "replicas", SPEC, errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        selectorAndTemplate(spec, "deployment", errors);
    }

    public static void replicaSetStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        WorkloadSpecChecks.counts(
                after,
                List.of(
                        "replicas",
                        "fullyLabeledReplicas",
                        "readyReplicas",
                        "availableReplicas",
                        "observedGeneration",
                        "terminatingReplicas"),
                List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
                errors);
        WorkloadSpecChecks.checkAvailableAtMostReady(after, "readyReplicas", errors);
    }

    /** Checks that an update does not change the selector of a Deployment, ReplicaSet or DaemonSet. */
    public static void unchangedSelector(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        WorkloadSpecChecks.unchangedSelector(before, after, errors);
    }

    public static void replicationController(ObjectNode controller, FieldErrorList errors) {
        ObjectNode spec = WorkloadSpecChecks.spec(controller);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        if (at(spec, "selector").isEmpty()) {
            errors.required(SPEC.child("selector"));
        }
        notNegative(spec, "replicas", SPEC, errors);
        if (!has(spec, "template")) {
            errors.required(SPEC.child("template"));
            return;
        }
        ObjectNode selector = JsonNodeFactory.instance.objectNode();
        selector.set(
                "matchLabels", at(spec, "selector").isMissingNode() ? selector.objectNode() : at(spec, "selector"));
        JsonNode labels = at(spec, "template", "metadata", "labels");
        if (!LabelChecks.matches(selector, labels)) {
            errors.invalid(
                    SPEC.child("template").child("metadata").child("labels"),
                    labels,
                    "`selector` does not match template `labels`");
        }
        WorkloadSpecChecks.template(spec, errors);
        WorkloadSpecChecks.requireRestartAlways(spec, "ReplicationController", errors);
    }

    public static void controllerRevision(ObjectNode revision, FieldErrorList errors) {
        ObjectMetaChecks.checkNotNegative(number(revision, "revision"), FieldPath.of("revision"), errors);
        if (!has(revision, "data")) {
            errors.required(FieldPath.of("data"), "data is mandatory");
        } else if (!at(revision, "data").isObject()) {
            errors.required(FieldPath.of("data"), "data must be a valid JSON object");
        }
    }

    public static void controllerRevisionUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkUnchanged(at(before, "data"), at(after, "data"), FieldPath.of("data"), errors);
    }

    public static void scale(ObjectNode scale, FieldErrorList errors) {
        notNegative(at(scale, "spec"), "replicas", SPEC, errors);
    }
}
