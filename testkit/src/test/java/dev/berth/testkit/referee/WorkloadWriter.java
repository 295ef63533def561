package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes namespaces, and what selects pods and makes them spread by default. */
final class WorkloadWriter {
    static final List<String> NAMESPACES = List.of("east", "west", "west-2");
    static final List<String> APPS = List.of("web", "db", "batch");

    private final Dice dice;

    WorkloadWriter(Dice dice) {
        this.dice = dice;
    }

    ObjectNode namespace(String name) {
        ObjectNode namespace = Objects.named("v1", "Namespace", "", name);
        ObjectNode labels = namespace.withObject("/metadata").putObject("labels");
        labels.put("kubernetes.io/metadata.name", name);
        labels.put("side", name.substring(0, 4));
        if (dice.chance(40)) {
            labels.put("team", dice.any("red", "blue"));
        }
        return namespace;
    }

    ObjectNode workload() {
        String kind = dice.any("Service", "Service", "ReplicationController", "ReplicaSet", "StatefulSet");
        boolean plain = kind.equals("Service") || kind.equals("ReplicationController");
        String app = dice.any(APPS);
        ObjectNode workload = Objects.named(plain ? "v1" : "apps/v1", kind, dice.any(NAMESPACES), app);
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
        ObjectNode budget = Objects.named("policy/v1", "PodDisruptionBudget", dice.any(NAMESPACES), name);
        if (dice.chance(90)) {
            ObjectNode selector = budget.putObject("spec").putObject("selector");
            if (dice.chance(90)) {
                structured(selector, dice.any(APPS));
            }
        }
        ObjectNode status = budget.putObject("status");
        status.put("disruptionsAllowed", dice.any(0, 0, 1, 2));
        if (dice.chance(20)) {
            status.putObject("disruptedPods").put("old-" + dice.between(0, 5), "2026-01-01T00:00:00Z");
        }
        return budget;
    }

    private void plain(ObjectNode spec, String app) {
        if (dice.chance(90)) {
            spec.putObject("selector").put("app", app);
        }
        if (dice.chance(20)) {
            spec.withObject("/selector").put("track", "canary");
        }
    }

    private void structured(ObjectNode selector, String app) {
        if (dice.chance(80)) {
            selector.putObject("matchLabels").put("app", app);
        }
        if (dice.chance(30) || selector.isEmpty()) {
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", dice.any("track", "app"));
            expression.put("operator", dice.any("In", "NotIn", "Exists", "DoesNotExist"));
            if (expression.path("operator").asText().endsWith("In")) {
                expression.putArray("values").add(dice.any("canary", "web", "db"));
            }
        }
    }
}
