package dev.berth.embedded.validation.pod;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.cluster.NodeChecks;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tolerations, spread constraints and gates. */
final class SchedulingChecks {
    private static final List<String> POLICIES = List.of("Honor", "Ignore");

    private SchedulingChecks() {}

    static void tolerations(List<ObjectNode> tolerations, Path path, FieldErrors errors) {
        path.each(tolerations, (toleration, here) -> toleration(toleration, here, errors));
    }

    private static void toleration(ObjectNode toleration, Path path, FieldErrors errors) {
        String key = text(toleration, "key");
        String operator = text(toleration, "operator");
        String effect = text(toleration, "effect");
        if (!key.isEmpty()) {
            errors.invalid(path.child("key"), key, Names.qualified(key));
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
        errors.oneOfOrNone(path.child("effect"), effect, NodeChecks.EFFECTS);
    }

    private static void operator(String operator, String value, Path path, FieldErrors errors) {
        switch (operator) {
            case "", "Equal" -> {
                List<String> messages = Names.labelValue(value);
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

    static void gates(List<ObjectNode> gates, Path path, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        path.each(gates, (gate, here) -> {
            String name = text(gate, "name");
            errors.invalid(here, name, Names.qualified(name));
            if (!seen.add(name)) {
                errors.duplicate(here, name);
            }
        });
    }

    static void spread(List<ObjectNode> constraints, Path path, FieldErrors errors) {
        for (int i = 0; i < constraints.size(); i++) {
            ObjectNode constraint = constraints.get(i);
            Path here = path.index(i);
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
                errors.oneOfOrNone(here.child(policy), text(constraint, policy), POLICIES);
            }
            AffinityChecks.labelKeys(constraint, here, errors);
            Labels.checkSelector(at(constraint, "labelSelector"), here.child("labelSelector"), errors);
        }
    }

    private static void repeated(ObjectNode constraint, List<ObjectNode> later, Path path, FieldErrors errors) {
        String key = text(constraint, "topologyKey");
        String action = text(constraint, "whenUnsatisfiable");
        boolean again = later.stream()
                .anyMatch(other -> text(other, "topologyKey").equals(key)
                        && text(other, "whenUnsatisfiable").equals(action));
        if (again) {
            errors.duplicate(path.child("{topologyKey, whenUnsatisfiable}"), "{" + key + ", " + action + "}");
        }
    }

    private static void minDomains(ObjectNode constraint, String action, Path path, FieldErrors errors) {
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

    private static void positive(ObjectNode holder, String field, Path path, FieldErrors errors) {
        if (number(holder, field) <= 0) {
            errors.invalid(path.child(field), number(holder, field), "must be greater than zero");
        }
    }
}
