package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.cluster.NodeChecks;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks tolerations, topology spread constraints and scheduling gates. */
final class SchedulingChecks {
    private static final List<String> POLICIES = List.of("Honor", "Ignore");

    private SchedulingChecks() {}

    static void tolerations(List<ObjectNode> tolerations, FieldPath path, FieldErrorList errors) {
        path.forEachIndexed(tolerations, (toleration, here) -> toleration(toleration, here, errors));
    }

    private static void toleration(ObjectNode toleration, FieldPath path, FieldErrorList errors) {
        String key = text(toleration, "key");
        String operator = text(toleration, "operator");
        String effect = text(toleration, "effect");
        if (!key.isEmpty()) {
            errors.invalid(path.child("key"), key, NameChecks.qualifiedName(key));
        } else if (!operator.equals("Exists")) {
            errors.invalid(
                    path.child("operator"),
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (has(toleration, "tolerationSeconds") && !effect.equals("NoExecute")) {
            errors.invalid(path.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        operator(operator, text(toleration, "value"), path.child("operator"), errors);
        errors.requireSupportedOrEmpty(path.child("effect"), effect, NodeChecks.EFFECTS);
    }

    private static void operator(String operator, String value, FieldPath path, FieldErrorList errors) {
        switch (operator) {
            case "", "Equal" -> {
                List<String> messages = NameChecks.labelValue(value);
                if (!messages.isEmpty()) {
                    errors.invalid(path, value, String.join(";", messages));
                }
            }
            case "Exists" -> {
                if (!value.isEmpty()) {
                    errors.invalid(path, value, "value must be empty when `operator` is 'Exists'");
                }
            }
            case "Lt", "Gt" -> errors.notSupported(path, operator, List.of("Equal", "Exists", "Lt", "Gt"));
            default -> errors.notSupported(path, operator, List.of("Equal", "Exists"));
        }
    }

    static void gates(List<ObjectNode> gates, FieldPath path, FieldErrorList errors) {
        Set<String> seen = new HashSet<>();
        path.forEachIndexed(gates, (gate, here) -> {
            String name = text(gate, "name");
            errors.invalid(here, name, NameChecks.qualifiedName(name));
            if (!seen.add(name)) {
                errors.duplicate(here, name);
            }
        });
    }

    static void topologySpreadConstraints(List<ObjectNode> constraints, FieldPath path, FieldErrorList errors) {
        for (int i = 0; i < constraints.size(); i++) {
            ObjectNode constraint = constraints.get(i);
            FieldPath here = path.index(i);
            positive(constraint, "maxSkew", here, errors);
            if (text(constraint, "topologyKey").isEmpty()) {
                errors.required(here.child("topologyKey"), "can not be empty");
            }
            String action = text(constraint, "whenUnsatisfiable");
            List<String> actions = List.of("DoNotSchedule", "ScheduleAnyway");
            if (!actions.contains(action)) {
                errors.notSupported(here.child("whenUnsatisfiable"), action, actions);
            }
            repeated(constraint, constraints.subList(i + 1, constraints.size()), here, errors);
            minDomains(constraint, action, here, errors);
            for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
                errors.requireSupportedOrEmpty(here.child(policy), text(constraint, policy), POLICIES);
            }
            AffinityChecks.labelKeys(constraint, here, errors);
            LabelChecks.checkSelector(at(constraint, "labelSelector"), here.child("labelSelector"), errors);
        }
    }

    private static void repeated(ObjectNode constraint, List<ObjectNode> later, FieldPath path, FieldErrorList errors) {
        String key = text(constraint, "topologyKey");
        String action = text(constraint, "whenUnsatisfiable");
        boolean again = later.stream()
                .anyMatch(other -> text(other, "topologyKey").equals(key)
                        && text(other, "whenUnsatisfiable").equals(action));
        if (again) {
            errors.duplicate(path.child("{topologyKey, whenUnsatisfiable}"), "{" + key + ", " + action + "}");
        }
    }

    private static void minDomains(ObjectNode constraint, String action, FieldPath path, FieldErrorList errors) {
        if (!has(constraint, "minDomains")) {
            return;
        }
        positive(constraint, "minDomains", path, errors);
        if (!action.equals("DoNotSchedule")) {
            errors.invalid(
                    path.child("minDomains"),
                    number(constraint, "minDomains"),
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
        }
    }

    private static void positive(ObjectNode holder, String field, FieldPath path, FieldErrorList errors) {
        if (number(holder, field) <= 0) {
            errors.invalid(path.child(field), number(holder, field), "must be greater than zero");
        }
    }
}
