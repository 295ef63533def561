package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Writes what pods demand of other pods: affinity, anti-affinity, topology spread. */
final class InterPodConstraintGenerator {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> KEYS = List.of(
            "kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "disk", "age");

    private final RandomChoices randomChoices;
    private boolean waits;

    InterPodConstraintGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
    }

    /** @param waits whether the pod is to be placed */
    void constraints(ObjectNode spec, boolean waits) {
        this.waits = waits;
        if (randomChoices.chance(7)) {
            terms(spec.withObject("/affinity/podAffinity").putArray(REQUIRED));
        }
        if (randomChoices.chance(9)) {
            terms(spec.withObject("/affinity/podAntiAffinity").putArray(REQUIRED));
        }
        if (randomChoices.chance(12)) {
            preferredTerms(spec.withObject("/affinity/podAffinity").putArray(PREFERRED));
        }
        if (randomChoices.chance(12)) {
            preferredTerms(spec.withObject("/affinity/podAntiAffinity").putArray(PREFERRED));
        }
        if (randomChoices.chance(25)) {
            spread(spec.putArray("topologySpreadConstraints"));
        }
    }

    private void terms(ArrayNode terms) {
        do {
            term(terms.addObject());
        } while (randomChoices.chance(25));
    }

    private void preferredTerms(ArrayNode wishes) {
        do {
            term(wishes.addObject()
                    .put("weight", randomChoices.any(1, 10, 50, 100))
                    .putObject("podAffinityTerm"));
        } while (randomChoices.chance(30));
    }

    private void term(ObjectNode term) {
        term.put("topologyKey", randomChoices.any(KEYS));
        selector(term);
        if (randomChoices.chance(20)) {
            term.putArray("namespaces").add(randomChoices.any(WorkloadGenerator.NAMESPACES));
        }
        if (randomChoices.chance(15)) {
            namespaces(term.putObject("namespaceSelector"));
        }
    }

    /** kube-scheduler matches those of a pod that waits against no labels at all, too: such as match these say more. */
    private void namespaces(ObjectNode selector) {
        if (randomChoices.chance(60)) {
            selector.putObject("matchLabels").put("side", randomChoices.any("east", "west"));
        }
        if (randomChoices.chance(40)) {
            boolean any = !waits || !selector.isEmpty();
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", randomChoices.any("team", "team", "side"));
            expression.put(
                    "operator",
                    any
                            ? randomChoices.any("In", "NotIn", "Exists", "DoesNotExist")
                            : randomChoices.any("In", "Exists"));
            if (expression.path("operator").asText().endsWith("In")) {
                expression
                        .putArray("values")
                        .add(randomChoices.any("red", "blue"))
                        .add("east");
            }
        }
    }

    /** Without a selector no pod is meant, with an empty one every pod. */
    private void selector(ObjectNode termOwner) {
        if (randomChoices.chance(4)) {
            return;
        }
        ObjectNode selector = termOwner.putObject("labelSelector");
        if (randomChoices.chance(75)) {
            selector.putObject("matchLabels").put("app", randomChoices.any(WorkloadGenerator.APPS));
        }
        if (randomChoices.chance(25)) {
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", randomChoices.any("app", "track"));
            expression.put("operator", randomChoices.any("In", "NotIn", "Exists", "DoesNotExist"));
            if (expression.path("operator").asText().endsWith("In")) {
                expression
                        .putArray("values")
                        .add(randomChoices.any("web", "db"))
                        .add("canary");
            }
        }
    }

    private void spread(ArrayNode constraints) {
        List<String> keys = new ArrayList<>(KEYS);
        do {
            constraint(constraints.addObject(), keys.remove(randomChoices.between(0, keys.size() - 1)));
        } while (randomChoices.chance(30) && !keys.isEmpty());
    }

    private void constraint(ObjectNode constraint, String key) {
        boolean hard = randomChoices.chance(45);
        constraint.put("maxSkew", randomChoices.any(1, 1, 2, 4)).put("topologyKey", key);
        constraint.put("whenUnsatisfiable", hard ? "DoNotSchedule" : "ScheduleAnyway");
        selector(constraint);
        if (hard && randomChoices.chance(25)) {
            constraint.put("minDomains", randomChoices.between(1, 4));
        }
        if (randomChoices.chance(25)) {
            constraint.put("nodeAffinityPolicy", randomChoices.any("Honor", "Ignore"));
        }
        if (randomChoices.chance(25)) {
            constraint.put("nodeTaintsPolicy", randomChoices.any("Honor", "Ignore"));
        }
        if (randomChoices.chance(10) && constraint.has("labelSelector")) {
            constraint.putArray("matchLabelKeys").add(randomChoices.any("track", "pod-template-hash"));
        }
    }
}
