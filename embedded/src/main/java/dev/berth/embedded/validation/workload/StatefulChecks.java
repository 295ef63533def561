package dev.berth.embedded.validation.workload;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.keep;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.validation.workload.Templates.SPEC;
import static dev.berth.embedded.validation.workload.Templates.notNegative;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Counts;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.pod.PodChecks;
import java.util.List;

/** Stateful sets and daemon sets. */
public final class StatefulChecks {
    private static final List<String> CHANGEABLE = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    private StatefulChecks() {}

    public static void statefulSet(ObjectNode set, FieldErrors errors) {
        ObjectNode spec = Templates.spec(set);
        String policy = text(spec, "podManagementPolicy");
        if (!policy.equals("OrderedReady") && !policy.equals("Parallel")) {
            errors.invalid(SPEC.child("podManagementPolicy"), policy, "must be 'OrderedReady' or 'Parallel'");
        }
        statefulStrategy(spec, errors);
        object(spec, "persistentVolumeClaimRetentionPolicy").ifPresent(retention -> {
            for (String field : List.of("whenDeleted", "whenScaled")) {
                errors.oneOfOrNone(
                        SPEC.child("persistentVolumeClaimRetentionPolicy").child(field),
                        text(retention, field),
                        List.of("Retain", "Delete"));
            }
        });
        notNegative(spec, "replicas", SPEC, errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        notNegative(at(spec, "ordinals"), "start", SPEC.child("ordinals"), errors);
        selectorAndTemplate(spec, errors);
        Templates.runsAlways(spec, "StatefulSet", errors);
    }

    private static void selectorAndTemplate(ObjectNode spec, FieldErrors errors) {
        if (!Templates.selector(spec, "statefulset", errors)) {
            errors.invalid(SPEC.child("selector"), at(spec, "selector"), "");
            return;
        }
        Templates.matches(spec, errors);
        PodChecks.template(withClaimedVolumes(spec), SPEC.child("template"), errors);
    }

    /** The template as its pods will be: with the volumes that the set's claims give them, and their own names. */
    private static ObjectNode withClaimedVolumes(ObjectNode spec) {
        ObjectNode template = Templates.template(spec).deepCopy();
        ObjectNode pod = child(template, "spec");
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

    private static void statefulStrategy(ObjectNode spec, FieldErrors errors) {
        Path path = SPEC.child("updateStrategy");
        JsonNode rolling = at(spec, "updateStrategy", "rollingUpdate");
        switch (text(spec, "updateStrategy", "type")) {
            case "" -> errors.required(path);
            case "OnDelete" -> {
                if (!rolling.isMissingNode()) {
                    errors.invalid(
                            path.child("rollingUpdate"),
                            GoText.struct(rolling, List.of(), "Partition", "MaxUnavailable"),
                            "only allowed for updateStrategy 'RollingUpdate'");
                }
            }
            case "RollingUpdate" -> {
                notNegative(rolling, "partition", path.child("rollingUpdate"), errors);
                JsonNode unavailable = at(rolling, "maxUnavailable");
                if (!unavailable.isMissingNode()) {
                    Counts.checkCountOrPercent(
                            unavailable, path.child("rollingUpdate").child("maxUnavailable"), errors);
                }
            }
            default ->
                errors.invalid(
                        path,
                        GoText.struct(at(spec, "updateStrategy"), List.of("Type"), "RollingUpdate"),
                        "must be 'RollingUpdate' or 'OnDelete'");
        }
    }

    /** What only a new stateful set is asked: names that cannot change later. */
    public static void statefulSetCreation(ObjectNode set, FieldErrors errors) {
        String service = text(set, "spec", "serviceName");
        if (!service.isEmpty()) {
            errors.invalid(SPEC.child("serviceName"), service, Names.label(service));
        }
    }

    public static void statefulSetUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectNode old = Templates.spec(before);
        ObjectNode spec = Templates.spec(after).deepCopy();
        CHANGEABLE.forEach(field -> keep(old, spec, field));
        if (!old.equals(spec)) {
            errors.forbidden(
                    SPEC,
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                            + "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
                            + "'minReadySeconds' are forbidden");
        }
    }

    public static void statefulSetStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
        List<String> parts = List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas");
        Templates.counts(
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
        Templates.availableAreReady(after, "status.readyReplicas", errors);
    }

    public static void daemonSet(ObjectNode set, FieldErrors errors) {
        ObjectNode spec = Templates.spec(set);
        Labels.checkSelector(at(spec, "selector"), SPEC.child("selector"), errors);
        Templates.matches(spec, errors);
        JsonNode selector = at(spec, "selector");
        if (has(spec, "selector") && Labels.isEmpty(selector)) {
            errors.invalid(SPEC.child("selector"), selector, "empty selector is invalid for daemonset");
        }
        Templates.template(spec, errors);
        Templates.runsAlways(spec, "DaemonSet", errors);
        notNegative(spec, "minReadySeconds", SPEC, errors);
        daemonStrategy(spec, errors);
        notNegative(spec, "revisionHistoryLimit", SPEC, errors);
    }

    private static void daemonStrategy(ObjectNode spec, FieldErrors errors) {
        Path path = SPEC.child("updateStrategy");
        switch (text(spec, "updateStrategy", "type")) {
            case "OnDelete" -> {}
            case "RollingUpdate" ->
                daemonRolling(at(spec, "updateStrategy", "rollingUpdate"), path.child("rollingUpdate"), errors);
            default ->
                errors.add(FieldError.notSupported(
                        path,
                        GoText.struct(at(spec, "updateStrategy"), List.of("Type"), "RollingUpdate"),
                        List.of("RollingUpdate", "OnDelete")));
        }
    }

    private static void daemonRolling(JsonNode rolling, Path path, FieldErrors errors) {
        JsonNode unavailable = at(rolling, "maxUnavailable");
        JsonNode surge = at(rolling, "maxSurge");
        Counts.checkCountOrPercent(unavailable, path.child("maxUnavailable"), errors);
        Counts.checkAtMostAll(unavailable, path.child("maxUnavailable"), errors);
        Counts.checkCountOrPercent(surge, path.child("maxSurge"), errors);
        Counts.checkAtMostAll(surge, path.child("maxSurge"), errors);
        boolean hasUnavailable = Counts.amount(unavailable) != 0;
        boolean hasSurge = Counts.amount(surge) != 0;
        if (hasUnavailable && hasSurge) {
            errors.invalid(path.child("maxSurge"), surge, "may not be set when maxUnavailable is non-zero");
        } else if (!hasUnavailable && !hasSurge) {
            errors.required(path.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
        }
    }

    public static void daemonSetStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
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
            notNegative(at(after, "status"), field, Path.of("status"), errors);
        }
    }
}
