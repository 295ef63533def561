package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes namespaces, and what selects pods and makes them spread by default. */
final class WorkloadGenerator {
    static final List<String> NAMESPACES = List.of("east", "west", "west-2");
    static final List<String> APPS = List.of("web", "db", "batch");

    private final RandomChoices randomChoices;

    WorkloadGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
    }

    ObjectNode namespace(String name) {
        ObjectNode namespace = ApiObjects.named("v1", "Namespace", "", name);
        ObjectNode labels = namespace.withObject("/metadata").putObject("labels");
        labels.put("kubernetes.io/metadata.name", name);
        labels.put("side", name.substring(0, 4));
        if (randomChoices.chance(40)) {
            labels.put("team", randomChoices.any("red", "blue"));
        }
        return namespace;
    }

    ObjectNode workload() {
        String kind = randomChoices.any("Service", "Service", "ReplicationController", "ReplicaSet", "StatefulSet");
        boolean plain = kind.equals("Service") || kind.equals("ReplicationController");
        String app = randomChoices.any(APPS);
        ObjectNode workload = ApiObjects.named(plain ? "v1" : "apps/v1", kind, randomChoices.any(NAMESPACES), app);
        ObjectNode spec = workload.putObject("spec");
        if (plain) {
            plain(spec, app);
        } else {
            structured(spec.putObject("selector"), app);
        }
        return workload;
    }

    /** A budget as its controller left it. */
    ObjectNode budget(String name) {
        ObjectNode budget = ApiObjects.named("policy/v1", "PodDisruptionBudget", randomChoices.any(NAMESPACES), name);
        if (randomChoices.chance(90)) {
            ObjectNode selector = budget.putObject("spec").putObject("selector");
            if (randomChoices.chance(90)) {
                structured(selector, randomChoices.any(APPS));
            }
        }
        ObjectNode status = budget.putObject("status");
        status.put("disruptionsAllowed", randomChoices.any(0, 0, 1, 2));
        if (randomChoices.chance(20)) {
            status.putObject("disruptedPods").put("old-" + randomChoices.between(0, 5), "2026-01-01T00:00:00Z");
        }
        return budget;
    }

    private void plain(ObjectNode spec, String app) {
        if (randomChoices.chance(90)) {
            spec.putObject("selector").put("app", app);
        }
        if (randomChoices.chance(20)) {
            spec.withObject("/selector").put("track", "canary");
        }
    }

    private void structured(ObjectNode selector, String app) {
        if (randomChoices.chance(80)) {
            selector.putObject("matchLabels").put("app", app);
        }
        if (randomChoices.chance(30) || selector.isEmpty()) {
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", randomChoices.any("track", "app"));
            expression.put("operator", randomChoices.any("In", "NotIn", "Exists", "DoesNotExist"));
            if (expression.path("operator").asText().endsWith("In")) {
                expression.putArray("values").add(randomChoices.any("canary", "web", "db"));
            }
        }
    }
}
