package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.IntOrPercentChecks;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;
import java.util.Map;

/** Checks PodDisruptionBudgets, PriorityClasses, Leases and Namespaces. */
public final class PolicyChecks {
    public static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");

    private static final long HIGHEST_PRIORITY = 1_000_000_000;
    private static final Map<String, Long> SYSTEM_PRIORITIES =
            Map.of("system-node-critical", 2_000_001_000L, "system-cluster-critical", 2_000_000_000L);

    private PolicyChecks() {}

    public static void disruptionBudget(ObjectNode budget, FieldErrorList errors) {
        FieldPath spec = FieldPath.of("spec");
        if (has(budget, "spec", "minAvailable") && has(budget, "spec", "maxUnavailable")) {
            errors.invalid(spec, printedBudget(budget), "minAvailable and maxUnavailable cannot be both set");
        }
        for (String field : List.of("minAvailable", "maxUnavailable")) {
            if (has(budget, "spec", field)) {
                IntOrPercentChecks.checkCountOrPercent(at(budget, "spec", field), spec.child(field), errors);
                IntOrPercentChecks.checkAtMostHundredPercent(at(budget, "spec", field), spec.child(field), errors);
            }
        }
        LabelChecks.checkSelector(at(budget, "spec", "selector"), spec.child("selector"), errors);
        String policy = text(budget, "spec", "unhealthyPodEvictionPolicy");
        List<String> policies = List.of("AlwaysAllow", "IfHealthyBudget");
        if (!policy.isEmpty() && !policies.contains(policy)) {
            errors.notSupported(spec.child("unhealthyPodEvictionPolicy"), policy, policies);
        }
    }

    private static JsonNode printedBudget(ObjectNode budget) {
        return GoFormat.goStruct(
                at(budget, "spec"),
                List.of(),
                "MinAvailable",
                "Selector",
                "MaxUnavailable",
                "UnhealthyPodEvictionPolicy");
    }

    public static void disruptionBudgetStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        FieldPath status = FieldPath.of("status");
        for (String field : List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
            ObjectMetaChecks.checkNotNegative(number(after, "status", field), status.child(field), errors);
        }
    }

    public static void priorityClass(ObjectNode priority, FieldErrorList errors) {
        String name = text(priority, "metadata", "name");
        long value = number(priority, "value");
        if (name.startsWith("system-")) {
            String problem = systemPriorityError(name, value, flag(priority, "globalDefault"));
            if (!problem.isEmpty()) {
                errors.forbidden(
                        FieldPath.of("metadata", "name"),
                        "priority class names with 'system-' prefix are reserved for system use only. error: "
                                + problem);
            }
        } else if (value > HIGHEST_PRIORITY) {
            errors.forbidden(
                    FieldPath.of("value"), "maximum allowed value of a user defined priority is " + HIGHEST_PRIORITY);
        }
        checkPreemption(text(priority, "preemptionPolicy"), FieldPath.of("preemptionPolicy"), errors);
    }

    private static String systemPriorityError(String name, long value, boolean global) {
        Long expected = SYSTEM_PRIORITIES.get(name);
        if (expected == null) {
            return name + " is not a known system priority class";
        }
        if (expected != value) {
            return "value of " + name + " PriorityClass must be " + expected;
        }
        return global ? "globalDefault of " + name + " PriorityClass must be false" : "";
    }

    public static void checkPreemption(String policy, FieldPath path, FieldErrorList errors) {
        if (!policy.isEmpty() && !PREEMPTION_POLICIES.contains(policy)) {
            errors.notSupported(path, policy, PREEMPTION_POLICIES);
        }
    }

    public static void priorityClassUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        if (number(before, "value") != number(after, "value")) {
            errors.forbidden(FieldPath.of("value"), "may not be changed in an update.");
        }
        ObjectMetaChecks.checkUnchanged(
                at(before, "preemptionPolicy"),
                at(after, "preemptionPolicy"),
                FieldPath.of("preemptionPolicy"),
                errors);
    }

    public static void lease(ObjectNode lease, FieldErrorList errors) {
        FieldPath spec = FieldPath.of("spec");
        if (has(lease, "spec", "leaseDurationSeconds") && number(lease, "spec", "leaseDurationSeconds") <= 0) {
            errors.invalid(
                    spec.child("leaseDurationSeconds"),
                    number(lease, "spec", "leaseDurationSeconds"),
                    "must be greater than 0");
        }
        ObjectMetaChecks.checkNotNegative(
                number(lease, "spec", "leaseTransitions"), spec.child("leaseTransitions"), errors);
    }

    public static void namespace(ObjectNode namespace, FieldErrorList errors) {
        FieldPath path = FieldPath.of("spec", "finalizers");
        for (String finalizer : texts(namespace, "spec", "finalizers")) {
            errors.invalid(path, finalizer, NameChecks.qualifiedName(finalizer));
            ObjectMetaChecks.checkFinalizerName(finalizer, path, errors);
        }
    }

    public static void namespaceStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        boolean ending = has(after, "metadata", "deletionTimestamp");
        String phase = text(after, "status", "phase");
        if (!phase.equals(ending ? "Terminating" : "Active")) {
            errors.invalid(
                    FieldPath.of("status", "Phase"),
                    phase,
                    ending
                            ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                            : "may only be 'Active' if `deletionTimestamp` is empty");
        }
    }
}
