package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Writes what pods demand of other pods: affinity, anti-affinity, topology spread. */
final class NeighbourWriter {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> KEYS = List.of(
            "kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "disk", "age");

    private final Dice dice;
    private boolean waits;

    NeighbourWriter(Dice dice) {
        this.dice = dice;
    }

    /** @param waits whether the pod is to be placed */
    void neighbours(ObjectNode spec, boolean waits) {
        this.waits = waits;
        if (dice.chance(7)) {
            terms(spec.withObject("/affinity/podAffinity").putArray(REQUIRED));
        }
        if (dice.chance(9)) {
            terms(spec.withObject("/affinity/podAntiAffinity").putArray(REQUIRED));
        }
        if (dice.chance(12)) {
            wishes(spec.withObject("/affinity/podAffinity").putArray(PREFERRED));
        }
        if (dice.chance(12)) {
            wishes(spec.withObject("/affinity/podAntiAffinity").putArray(PREFERRED));
        }
        if (dice.chance(25)) {
            spread(spec.putArray("topologySpreadConstraints"));
        }
    }

    private void terms(ArrayNode terms) {
        do {
            term(terms.addObject());
        } while (dice.chance(25));
    }

    private void wishes(ArrayNode wishes) {
        do {
            term(wishes.addObject().put("weight", dice.any(1, 10, 50, 100)).putObject("podAffinityTerm"));
        } while (dice.chance(30));
    }

    private void term(ObjectNode term) {
        term.put("topologyKey", dice.any(KEYS));
        selector(term);
        if (dice.chance(20)) {
            term.putArray("namespaces").add(dice.any(WorkloadWriter.NAMESPACES));
        }
        if (dice.chance(15)) {
            namespaces(term.putObject("namespaceSelector"));
        }
    }

    /** kube-scheduler matches those of a pod that waits against no labels at all, too: such as match these say more. */
    private void namespaces(ObjectNode selector) {
        if (dice.chance(60)) {
            selector.putObject("matchLabels").put("side", dice.any("east", "west"));
        }
        if (dice.chance(40)) {
            boolean any = !waits || !selector.isEmpty();
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", dice.any("team", "team", "side"));
            expression.put(
                    "operator", any ? dice.any("In", "NotIn", "Exists", "DoesNotExist") : dice.any("In", "Exists"));
            if (expression.path("operator").asText().endsWith("In")) {
                expression.putArray("values").add(dice.any("red", "blue")).add("east");
            }
        }
    }

    /** Without a selector no pod is meant, with an empty one every pod. */
    private void selector(ObjectNode bearer) {
        if (dice.chance(4)) {
            return;
        }
        ObjectNode selector = bearer.putObject("labelSelector");
        if (dice.chance(75)) {
            selector.putObject("matchLabels").put("app", dice.any(WorkloadWriter.APPS));
        }
        if (dice.chance(25)) {
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", dice.any("app", "track"));
            expression.put("operator", dice.any("In", "NotIn", "Exists", "DoesNotExist"));
            if (expression.path("operator").asText().endsWith("In")) {
                expression.putArray("values").add(dice.any("web", "db")).add("canary");
            }
        }
    }

    private void spread(ArrayNode constraints) {
        List<String> keys = new ArrayList<>(KEYS);
        do {
            constraint(constraints.addObject(), keys.remove(dice.between(0, keys.size() - 1)));
        } while (dice.chance(30) && !keys.isEmpty());
    }

    private void constraint(ObjectNode constraint, String key) {
        boolean hard = dice.chance(45);
        constraint.put("maxSkew", dice.any(1, 1, 2, 4)).put("topologyKey", key);
        constraint.put("whenUnsatisfiable", hard ? "DoNotSchedule" : "ScheduleAnyway");
        selector(constraint);
        if (hard && dice.chance(25)) {
            constraint.put("minDomains", dice.between(1, 4));
        }
        if (dice.chance(25)) {
            constraint.put("nodeAffinityPolicy", dice.any("Honor", "Ignore"));
        }
        if (dice.chance(25)) {
            constraint.put("nodeTaintsPolicy", dice.any("Honor", "Ignore"));
        }
        if (dice.chance(10) && constraint.has("labelSelector")) {
            constraint.putArray("matchLabelKeys").add(dice.any("track", "pod-template-hash"));
        }
    }
}
