package dev.berth.sandbox.validation.workload;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.validation.workload.WorkloadSpecChecks.SPEC;
import static dev.berth.sandbox.validation.workload.WorkloadSpecChecks.notNegative;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.IntOrPercentChecks;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.pod.PodChecks;
import java.util.List;

/** Checks StatefulSets and DaemonSets. */
public final class StatefulAndDaemonSetChecks {
    private static final List<String> CHANGEABLE = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private StatefulAndDaemonSetChecks() {}

    public static void statefulSet(ObjectNode set, FieldErrorList errors) {
        ObjectNode spec = WorkloadSpecChecks.spec(set);
        String policy = text(spec, "podManagementPolicy");
        if (!policy.equals("OrderedReady") && !policy.equals("Parallel")) {
            errors.invalid(SPEC.child("podManagementPolicy"), policy, "must be 'OrderedReady' or 'Parallel'");
        }
        statefulStrategy(spec, errors);
        object(spec, "persistentVolumeClaimRetentionPolicy").ifPresent(retention -> {
            for (String field : List.of("whenDeleted", "whenScaled")) {
                errors.requireSupportedOrEmpty(
                        SPEC.child("persistentVolumeClaimRetentionPolicy").child(field),
                        text(retention, field),
                        List.of("Retain", "Delete"));
            }
        });
        notNegative(spec, "replicas", SPEC, errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        notNegative(at(spec, "ordinals"), "start", SPEC.child("ordinals"), errors);
        selectorAndTemplate(spec, errors);
        WorkloadSpecChecks.requireRestartAlways(spec, "StatefulSet", errors);
    }

    private static void selectorAndTemplate(ObjectNode spec, FieldErrorList errors) {
        if (!WorkloadSpecChecks.selector(spec, "statefulset", errors)) {
            errors.invalid(SPEC.child("selector"), at(spec, "selector"), "");
            return;
        }
        WorkloadSpecChecks.matches(spec, errors);
        PodChecks.template(withClaimedVolumes(spec), SPEC.child("template"), errors);
    }

    /** The template with the volumes of the claim templates, and without hostname and subdomain. */
    private static ObjectNode withClaimedVolumes(ObjectNode spec) {
        ObjectNode template = WorkloadSpecChecks.template(spec).deepCopy();
        ObjectNode pod = getOrCreateObject(template, "spec");
        pod.remove(List.of("hostname", "subdomain"));
        List<ObjectNode> claims = objects(spec, "volumeClaimTemplates");
        if (claims.isEmpty()) {
            return template;
        }
        ArrayNode volumes = pod.arrayNode();
        for (ObjectNode claim : claims) {
            String name = text(claim, "metadata", "name");
            volumes.addObject()
                    .put("name", name)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", name);
        }
        List<String> claimed =
                claims.stream().map(claim -> text(claim, "metadata", "name")).toList();
        objects(pod, "volumes").stream()
                .filter(volume -> !claimed.contains(text(volume, "name")))
                .forEach(volumes::add);
        pod.set("volumes", volumes);
        return template;
    }

    private static void statefulStrategy(ObjectNode spec, FieldErrorList errors) {
        FieldPath path = SPEC.child("updateStrategy");
        JsonNode rolling = at(spec, "updateStrategy", "rollingUpdate");
        switch (text(spec, "updateStrategy", "type")) {
            case "" -> errors.required(path);
            case "OnDelete" -> {
                if (!rolling.isMissingNode()) {
                    errors.invalid(
                            path.child("rollingUpdate"),
                            GoFormat.goStruct(rolling, List.of(), "Partition", "MaxUnavailable"),
                            "only allowed for updateStrategy 'RollingUpdate'");
                }
            }
            case "RollingUpdate" -> {
                notNegative(rolling, "partition", path.child("rollingUpdate"), errors);
                JsonNode unavailable = at(rolling, "maxUnavailable");
                if (!unavailable.isMissingNode()) {
                    IntOrPercentChecks.checkCountOrPercent(
                            unavailable, path.child("rollingUpdate").child("maxUnavailable"), errors);
                }
            }
            default ->
                errors.invalid(
                        path,
                        GoFormat.goStruct(at(spec, "updateStrategy"), List.of("Type"), "RollingUpdate"),
                        "must be 'RollingUpdate' or 'OnDelete'");
        }
    }

    /** The additional check of a new StatefulSet: the service name, which cannot change later. */
    public static void statefulSetCreation(ObjectNode set, FieldErrorList errors) {
        String service = text(set, "spec", "serviceName");
        if (!service.isEmpty()) {
            errors.invalid(SPEC.child("serviceName"), service, NameChecks.dnsLabel(service));
        }
    }

    public static void statefulSetUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectNode old = WorkloadSpecChecks.spec(before);
        ObjectNode spec = WorkloadSpecChecks.spec(after).deepCopy();
        CHANGEABLE.forEach(field -> copyField(old, spec, field));
        if (!old.equals(spec)) {
            errors.forbidden(
                    SPEC,
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                            + "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
                            + "'minReadySeconds' are forbidden");
        }
    }

    public static void statefulSetStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        List<String> parts = List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas");
        WorkloadSpecChecks.counts(
                after,
                List.of(
                        "replicas",
                        "readyReplicas",
                        "currentReplicas",
                        "updatedReplicas",
                        "availableReplicas",
                        "observedGeneration",
                        "collisionCount"),
                parts,
                errors);
        WorkloadSpecChecks.checkAvailableAtMostReady(after, "status.readyReplicas", errors);
    }

    public static void daemonSet(ObjectNode set, FieldErrorList errors) {
        ObjectNode spec = WorkloadSpecChecks.spec(set);
        LabelChecks.checkSelector(at(spec, "selector"), SPEC.child("selector"), errors);
        WorkloadSpecChecks.matches(spec, errors);
        JsonNode selector = at(spec, "selector");
        if (has(spec, "selector") && LabelChecks.isEmpty(selector)) {
            errors.invalid(SPEC.child("selector"), selector, "empty selector is invalid for daemonset");
        }
        WorkloadSpecChecks.template(spec, errors);
        WorkloadSpecChecks.requireRestartAlways(spec, "DaemonSet", errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        daemonStrategy(spec, errors);
        notNegative(spec, "revisionHistoryLimit", SPEC, errors);
    }

    private static void daemonStrategy(ObjectNode spec, FieldErrorList errors) {
        FieldPath path = SPEC.child("updateStrategy");
        switch (text(spec, "updateStrategy", "type")) {
            case "OnDelete" -> {}
            case "RollingUpdate" ->
                daemonRolling(at(spec, "updateStrategy", "rollingUpdate"), path.child("rollingUpdate"), errors);
            default ->
                errors.add(FieldError.notSupported(
                        path,
                        GoFormat.goStruct(at(spec, "updateStrategy"), List.of("Type"), "RollingUpdate"),
                        List.of("RollingUpdate", "OnDelete")));
        }
    }

    private static void daemonRolling(JsonNode rolling, FieldPath path, FieldErrorList errors) {
        JsonNode unavailable = at(rolling, "maxUnavailable");
        JsonNode surge = at(rolling, "maxSurge");
        IntOrPercentChecks.checkCountOrPercent(unavailable, path.child("maxUnavailable"), errors);
        IntOrPercentChecks.checkAtMostHundredPercent(unavailable, path.child("maxUnavailable"), errors);
        IntOrPercentChecks.checkCountOrPercent(surge, path.child("maxSurge"), errors);
        IntOrPercentChecks.checkAtMostHundredPercent(surge, path.child("maxSurge"), errors);
        boolean hasUnavailable = IntOrPercentChecks.value(unavailable) != 0;
        boolean hasSurge = IntOrPercentChecks.value(surge) != 0;
        if (hasUnavailable && hasSurge) {
            errors.invalid(path.child("maxSurge"), surge, "may not be set when maxUnavailable is non-zero");
        } else if (!hasUnavailable && !hasSurge) {
            errors.required(path.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
        }
    }

    public static void daemonSetStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        for (String field : List.of(
                "currentNumberScheduled",
                "numberMisscheduled",
                "desiredNumberScheduled",
                "numberReady",
                "observedGeneration",
                "updatedNumberScheduled",
                "numberAvailable",
                "numberUnavailable",
                "collisionCount")) {
            notNegative(at(after, "status"), field, FieldPath.of("status"), errors);
        }
    }
}
