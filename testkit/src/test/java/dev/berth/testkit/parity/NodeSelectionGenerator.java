package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes which nodes a pod wants or bears: node selector, node affinity, tolerations. */
final class NodeSelectionGenerator {
    private final RandomChoices randomChoices;
    private final List<String> nodes;

    NodeSelectionGenerator(RandomChoices randomChoices, List<String> nodes) {
        this.randomChoices = randomChoices;
        this.nodes = nodes;
    }

    void nodeSelection(ObjectNode spec) {
        if (randomChoices.chance(10)) {
            spec.putObject("nodeSelector").put("disk", "ssd");
        }
        if (randomChoices.chance(12)) {
            ArrayNode terms = spec.withObject("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                    .putArray("nodeSelectorTerms");
            do {
                term(terms.addObject());
            } while (randomChoices.chance(40));
        }
        if (randomChoices.chance(25)) {
            preferred(spec.withObject("/affinity/nodeAffinity")
                    .putArray("preferredDuringSchedulingIgnoredDuringExecution"));
        }
        if (randomChoices.chance(30)) {
            tolerations(spec.putArray("tolerations"));
        }
    }

    private void preferred(ArrayNode preferences) {
        do {
            ObjectNode preference = preferences.addObject().put("weight", randomChoices.any(1, 10, 50, 100));
            term(preference.putObject("preference"));
        } while (randomChoices.chance(40));
    }

    /** A term without any requirement matches nothing. */
    private void term(ObjectNode term) {
        if (randomChoices.chance(70)) {
            ArrayNode expressions = term.putArray("matchExpressions");
            do {
                expression(expressions.addObject());
            } while (randomChoices.chance(25));
        }
        if (randomChoices.chance(25)) {
            ObjectNode field = term.putArray("matchFields").addObject().put("key", "metadata.name");
            field.put("operator", randomChoices.chance(75) ? "In" : "NotIn");
            field.putArray("values").add(randomChoices.chance(90) ? randomChoices.any(nodes) : "nowhere");
        }
    }

    private void expression(ObjectNode expression) {
        String key = randomChoices.any("disk", "age", "age", "topology.kubernetes.io/zone");
        String operator = key.equals("age")
                ? randomChoices.any("Gt", "Lt", "Exists", "DoesNotExist", "In", "NotIn")
                : randomChoices.any("In", "NotIn", "Exists", "DoesNotExist");
        expression.put("key", key).put("operator", operator);
        switch (operator) {
            case "Gt", "Lt" -> expression.putArray("values").add(randomChoices.any("1", "2"));
            case "In", "NotIn" -> values(expression.putArray("values"), key);
            default -> {}
        }
    }

    private void values(ArrayNode values, String key) {
        switch (key) {
            case "disk" -> values.add(randomChoices.any("ssd", "hdd", "tape"));
            case "age" -> values.add(randomChoices.any("1", "2")).add("young");
            default -> values.add(randomChoices.any("a", "b")).add(randomChoices.any("a", "c"));
        }
    }

    private void tolerations(ArrayNode tolerations) {
        do {
            ObjectNode toleration = tolerations.addObject();
            switch (randomChoices.between(0, 5)) {
                case 0 -> toleration.put("operator", "Exists");
                case 1 ->
                    toleration.put("key", "dedicated").put("operator", "Equal").put("value", "db");
                case 2 -> toleration.put("key", "dedicated").put("value", "web");
                case 3 ->
                    toleration
                            .put("key", randomChoices.any("noisy", "old", "maintenance"))
                            .put("operator", "Exists");
                case 4 ->
                    toleration.put("key", "noisy").put("operator", "Equal").put("value", "yes");
                default ->
                    toleration.put("key", "node.kubernetes.io/unschedulable").put("operator", "Exists");
            }
            if (randomChoices.chance(40)) {
                toleration.put("effect", randomChoices.any("NoSchedule", "NoExecute", "PreferNoSchedule"));
            }
        } while (randomChoices.chance(40));
    }
}
