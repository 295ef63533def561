package dev.berth.embedded.validation.cluster;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Counts;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;
import java.util.Map;

/** Disruption budgets, priority classes, leases, runtime classes. */
public final class PolicyChecks {
    /** What a pod of higher priority may do to others. */
    public static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");

    private static final long HIGHEST_PRIORITY = 1_000_000_000;
    private static final Map<String, Long> SYSTEM_PRIORITIES =
            Map.of("system-node-critical", 2_000_001_000L, "system-cluster-critical", 2_000_000_000L);

    private PolicyChecks() {}

    public static void disruptionBudget(ObjectNode budget, FieldErrors errors) {
        Path spec = Path.of("spec");
        if (has(budget, "spec", "minAvailable") && has(budget, "spec", "maxUnavailable")) {
            errors.invalid(spec, printedBudget(budget), "minAvailable and maxUnavailable cannot be both set");
        }
        for (String field : List.of("minAvailable", "maxUnavailable")) {
            if (has(budget, "spec", field)) {
                Counts.checkCountOrPercent(at(budget, "spec", field), spec.child(field), errors);
                Counts.checkAtMostAll(at(budget, "spec", field), spec.child(field), errors);
            }
        }
        Labels.checkSelector(at(budget, "spec", "selector"), spec.child("selector"), errors);
        String policy = text(budget, "spec", "unhealthyPodEvictionPolicy");
        List<String> policies = List.of("AlwaysAllow", "IfHealthyBudget");
        if (!policy.isEmpty() && !policies.contains(policy)) {
            errors.notSupported(spec.child("unhealthyPodEvictionPolicy"), policy, policies);
        }
    }

    private static JsonNode printedBudget(ObjectNode budget) {
        return GoText.struct(
                at(budget, "spec"),
                List.of(),
                "MinAvailable",
                "Selector",
                "MaxUnavailable",
                "UnhealthyPodEvictionPolicy");
    }

    public static void disruptionBudgetStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
        Path status = Path.of("status");
        for (String field : List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
            ObjectMeta.checkNotNegative(number(after, "status", field), status.child(field), errors);
        }
    }

    public static void priorityClass(ObjectNode priority, FieldErrors errors) {
        String name = text(priority, "metadata", "name");
        long value = number(priority, "value");
        if (name.startsWith("system-")) {
            String problem = systemProblem(name, value, flag(priority, "globalDefault"));
            if (!problem.isEmpty()) {
                errors.forbidden(
                        Path.of("metadata", "name"),
                        "priority class names with 'system-' prefix are reserved for system use only. error: "
                                + problem);
            }
        } else if (value > HIGHEST_PRIORITY) {
            errors.forbidden(
                    Path.of("value"), "maximum allowed value of a user defined priority is " + HIGHEST_PRIORITY);
        }
        checkPreemption(text(priority, "preemptionPolicy"), Path.of("preemptionPolicy"), errors);
    }

    private static String systemProblem(String name, long value, boolean global) {
        Long known = SYSTEM_PRIORITIES.get(name);
        if (known == null) {
            return name + " is not a known system priority class";
        }
        if (known != value) {
            return "value of " + name + " PriorityClass must be " + known;
        }
        return global ? "globalDefault of " + name + " PriorityClass must be false" : "";
    }

    public static void checkPreemption(String policy, Path path, FieldErrors errors) {
        if (!policy.isEmpty() && !PREEMPTION_POLICIES.contains(policy)) {
            errors.notSupported(path, policy, PREEMPTION_POLICIES);
        }
    }

    public static void priorityClassUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        if (number(before, "value") != number(after, "value")) {
            errors.forbidden(Path.of("value"), "may not be changed in an update.");
        }
        ObjectMeta.checkUnchanged(
                at(before, "preemptionPolicy"), at(after, "preemptionPolicy"), Path.of("preemptionPolicy"), errors);
    }

    public static void lease(ObjectNode lease, FieldErrors errors) {
        Path spec = Path.of("spec");
        if (has(lease, "spec", "leaseDurationSeconds") && number(lease, "spec", "leaseDurationSeconds") <= 0) {
            errors.invalid(
                    spec.child("leaseDurationSeconds"),
                    number(lease, "spec", "leaseDurationSeconds"),
                    "must be greater than 0");
        }
        ObjectMeta.checkNotNegative(number(lease, "spec", "leaseTransitions"), spec.child("leaseTransitions"), errors);
    }

    public static void runtimeClass(ObjectNode runtime, FieldErrors errors) {
        String handler = text(runtime, "handler");
        if (handler.isEmpty()) {
            errors.required(Path.of("handler"));
        } else {
            errors.invalid(Path.of("handler"), handler, Names.label(handler));
        }
    }

    public static void runtimeClassUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectMeta.checkUnchanged(at(before, "handler"), at(after, "handler"), Path.of("handler"), errors);
    }

    public static void namespace(ObjectNode namespace, FieldErrors errors) {
        Path path = Path.of("spec", "finalizers");
        for (String finalizer : texts(namespace, "spec", "finalizers")) {
            errors.invalid(path, finalizer, Names.qualified(finalizer));
            ObjectMeta.checkFinalizerName(finalizer, path, errors);
        }
    }

    public static void namespaceStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
        boolean ending = has(after, "metadata", "deletionTimestamp");
        String phase = text(after, "status", "phase");
        if (!phase.equals(ending ? "Terminating" : "Active")) {
            errors.invalid(
                    Path.of("status", "Phase"),
                    phase,
                    ending
                            ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                            : "may only be 'Active' if `deletionTimestamp` is empty");
        }
    }
}
