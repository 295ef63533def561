package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes which nodes a pod wants or bears: node selector, node affinity, tolerations. */
final class NodeChoiceWriter {
    private final Dice dice;
    private final List<String> nodes;

    NodeChoiceWriter(Dice dice, List<String> nodes) {
        this.dice = dice;
        this.nodes = nodes;
    }

    void choice(ObjectNode spec) {
        if (dice.chance(10)) {
            spec.putObject("nodeSelector").put("disk", "ssd");
        }
        if (dice.chance(12)) {
            ArrayNode terms = spec.withObject("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                    .putArray("nodeSelectorTerms");
            do {
                term(terms.addObject());
            } while (dice.chance(40));
        }
        if (dice.chance(25)) {
            preferred(spec.withObject("/affinity/nodeAffinity")
                    .putArray("preferredDuringSchedulingIgnoredDuringExecution"));
        }
        if (dice.chance(30)) {
            tolerations(spec.putArray("tolerations"));
        }
    }

    private void preferred(ArrayNode preferences) {
        do {
            ObjectNode preference = preferences.addObject().put("weight", dice.any(1, 10, 50, 100));
            term(preference.putObject("preference"));
        } while (dice.chance(40));
    }

    /** A term without any requirement matches nothing. */
    private void term(ObjectNode term) {
        if (dice.chance(70)) {
            ArrayNode expressions = term.putArray("matchExpressions");
            do {
                expression(expressions.addObject());
            } while (dice.chance(25));
        }
        if (dice.chance(25)) {
            ObjectNode field = term.putArray("matchFields").addObject().put("key", "metadata.name");
            field.put("operator", dice.chance(75) ? "In" : "NotIn");
            field.putArray("values").add(dice.chance(90) ? dice.any(nodes) : "nowhere");
        }
    }

    private void expression(ObjectNode expression) {
        String key = dice.any("disk", "age", "age", "topology.kubernetes.io/zone");
        String operator = key.equals("age")
                ? dice.any("Gt", "Lt", "Exists", "DoesNotExist", "In", "NotIn")
                : dice.any("In", "NotIn", "Exists", "DoesNotExist");
        expression.put("key", key).put("operator", operator);
        switch (operator) {
            case "Gt", "Lt" -> expression.putArray("values").add(dice.any("1", "2"));
            case "In", "NotIn" -> values(expression.putArray("values"), key);
            default -> {}
        }
    }

    private void values(ArrayNode values, String key) {
        switch (key) {
            case "disk" -> values.add(dice.any("ssd", "hdd", "tape"));
            case "age" -> values.add(dice.any("1", "2")).add("young");
            default -> values.add(dice.any("a", "b")).add(dice.any("a", "c"));
        }
    }

    private void tolerations(ArrayNode tolerations) {
        do {
            ObjectNode toleration = tolerations.addObject();
            switch (dice.between(0, 5)) {
                case 0 -> toleration.put("operator", "Exists");
                case 1 ->
                    toleration.put("key", "dedicated").put("operator", "Equal").put("value", "db");
                case 2 -> toleration.put("key", "dedicated").put("value", "web");
                case 3 ->
                    toleration
                            .put("key", dice.any("noisy", "old", "maintenance"))
                            .put("operator", "Exists");
                case 4 ->
                    toleration.put("key", "noisy").put("operator", "Equal").put("value", "yes");
                default ->
                    toleration.put("key", "node.kubernetes.io/unschedulable").put("operator", "Exists");
            }
            if (dice.chance(40)) {
                toleration.put("effect", dice.any("NoSchedule", "NoExecute", "PreferNoSchedule"));
            }
        } while (dice.chance(40));
    }
}
