package dev.berth.embedded.validation.workload;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.validation.workload.Templates.SPEC;
import static dev.berth.embedded.validation.workload.Templates.notNegative;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Counts;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;

/** Deployments, replica sets, replication controllers, and revisions of controllers. */
public final class ReplicaChecks {
    private ReplicaChecks() {}

    public static void deployment(ObjectNode deployment, FieldErrors errors) {
        ObjectNode spec = Templates.spec(deployment);
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

    private static void selectorAndTemplate(ObjectNode spec, String kind, FieldErrors errors) {
        if (Templates.selector(spec, kind, errors)) {
            Templates.matches(spec, errors);
            Templates.template(spec, errors);
            Templates.runsAlways(spec, "ReplicaSet", errors);
        } else {
            errors.invalid(SPEC.child("selector"), at(spec, "selector"), "invalid label selector");
        }
    }

    private static void strategy(ObjectNode spec, FieldErrors errors) {
        Path path = SPEC.child("strategy");
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
                        GoText.struct(at(spec, "strategy"), List.of("Type"), "RollingUpdate"),
                        List.of("Recreate", "RollingUpdate")));
        }
    }

    private static void rollingUpdate(JsonNode rolling, Path path, FieldErrors errors) {
        JsonNode unavailable = at(rolling, "maxUnavailable");
        JsonNode surge = at(rolling, "maxSurge");
        Counts.checkCountOrPercent(unavailable, path.child("maxUnavailable"), errors);
        Counts.checkCountOrPercent(surge, path.child("maxSurge"), errors);
        if (Counts.amount(unavailable) == 0 && Counts.amount(surge) == 0) {
            errors.invalid(path.child("maxUnavailable"), unavailable, "may not be 0 when `maxSurge` is 0");
        }
        Counts.checkAtMostAll(unavailable, path.child("maxUnavailable"), errors);
    }

    public static void deploymentStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
        Templates.counts(
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
        Templates.availableAreReady(after, "readyReplicas", errors);
    }

    public static void replicaSet(ObjectNode set, FieldErrors errors) {
        ObjectNode spec = Templates.spec(set);
        notNegative(spec, "replicas", SPEC, errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        selectorAndTemplate(spec, "deployment", errors);
    }

    public static void replicaSetStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
        Templates.counts(
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
        Templates.availableAreReady(after, "readyReplicas", errors);
    }

    /** The selector of a deployment, replica set or daemon set does not change. */
    public static void unchangedSelector(ObjectNode before, ObjectNode after, FieldErrors errors) {
        Templates.unchangedSelector(before, after, errors);
    }

    public static void replicationController(ObjectNode controller, FieldErrors errors) {
        ObjectNode spec = Templates.spec(controller);
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
        if (!Labels.matches(selector, labels)) {
            errors.invalid(
                    SPEC.child("template").child("metadata").child("labels"),
                    labels,
                    "`selector` does not match template `labels`");
        }
        Templates.template(spec, errors);
        Templates.runsAlways(spec, "ReplicationController", errors);
    }

    public static void controllerRevision(ObjectNode revision, FieldErrors errors) {
        ObjectMeta.checkNotNegative(number(revision, "revision"), Path.of("revision"), errors);
        if (!has(revision, "data")) {
            errors.required(Path.of("data"), "data is mandatory");
        } else if (!at(revision, "data").isObject()) {
            errors.required(Path.of("data"), "data must be a valid JSON object");
        }
    }

    public static void controllerRevisionUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectMeta.checkUnchanged(at(before, "data"), at(after, "data"), Path.of("data"), errors);
    }

    /** The wished number of replicas. */
    public static void scale(ObjectNode scale, FieldErrors errors) {
        notNegative(at(scale, "spec"), "replicas", SPEC, errors);
    }
}
