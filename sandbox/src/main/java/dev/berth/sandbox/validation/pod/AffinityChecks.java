package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.NodeSelectorChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks node affinity, pod affinity and pod anti-affinity. */
final class AffinityChecks {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private AffinityChecks() {}

    static void check(ObjectNode affinity, FieldPath path, FieldErrorList errors) {
        object(affinity, "nodeAffinity").ifPresent(found -> nodes(found, path.child("nodeAffinity"), errors));
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            object(affinity, kind).ifPresent(found -> pods(found, path.child(kind), errors));
        }
    }

    private static void nodes(ObjectNode affinity, FieldPath path, FieldErrorList errors) {
        object(affinity, REQUIRED)
                .ifPresent(selector -> NodeSelectorChecks.check(selector, path.child(REQUIRED), errors));
        path.child(PREFERRED).forEachIndexed(objects(affinity, PREFERRED), (term, here) -> {
            weight(term, here, errors);
            NodeSelectorChecks.checkTerm(at(term, "preference"), false, here.child("preference"), errors);
        });
    }

    private static void weight(ObjectNode term, FieldPath path, FieldErrorList errors) {
        long weight = number(term, "weight");
        if (weight < 1 || weight > 100) {
            errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
        }
    }

    private static void pods(ObjectNode affinity, FieldPath path, FieldErrorList errors) {
        path.child(REQUIRED).forEachIndexed(objects(affinity, REQUIRED), (term, here) -> podTerm(term, here, errors));
        path.child(PREFERRED).forEachIndexed(objects(affinity, PREFERRED), (term, here) -> {
            weight(term, here, errors);
            podTerm(at(term, "podAffinityTerm"), here.child("podAffinityTerm"), errors);
        });
    }

    private static void podTerm(JsonNode term, FieldPath path, FieldErrorList errors) {
        LabelChecks.checkSelector(at(term, "labelSelector"), path.child("labelSelector"), errors);
        LabelChecks.checkSelector(at(term, "namespaceSelector"), path.child("namespaceSelector"), errors);
        for (String namespace : texts(term, "namespaces")) {
            errors.invalid(path.child("namespace"), namespace, NameChecks.dnsLabel(namespace));
        }
        labelKeys(term, path, errors);
        String key = text(term, "topologyKey");
        if (key.isEmpty()) {
            errors.required(path.child("topologyKey"), "can not be empty");
        }
        errors.invalid(path.child("topologyKey"), key, NameChecks.qualifiedName(key));
    }

    /** Checks {@code matchLabelKeys} and {@code mismatchLabelKeys} of an affinity term or spread constraint. */
    static void labelKeys(JsonNode term, FieldPath path, FieldErrorList errors) {
        List<String> matching = texts(term, "matchLabelKeys");
        List<String> differing = texts(term, "mismatchLabelKeys");
        keys(term, matching, path.child("matchLabelKeys"), errors);
        keys(term, differing, path.child("mismatchLabelKeys"), errors);
        if (has(term, "labelSelector")) {
            Set<String> selected =
                    new HashSet<>(map(term, "labelSelector", "matchLabels").keySet());
            for (ObjectNode expression : objects(term, "labelSelector", "matchExpressions")) {
                String key = text(expression, "key");
                if (!selected.add(key) && matching.contains(key)) {
                    errors.invalid(
                            path.index(matching.lastIndexOf(key)),
                            key,
                            "exists in both matchLabelKeys and labelSelector");
                }
            }
        }
        path.child("matchLabelKeys").forEachIndexed(matching, (key, here) -> {
            if (differing.contains(key)) {
                errors.invalid(here, key, "exists in both matchLabelKeys and mismatchLabelKeys");
            }
        });
    }

    private static void keys(JsonNode term, List<String> keys, FieldPath path, FieldErrorList errors) {
        if (!keys.isEmpty() && !has(term, "labelSelector")) {
            errors.forbidden(path, "must not be specified when labelSelector is not set");
        } else {
            path.forEachIndexed(keys, (key, here) -> errors.invalid(here, key, NameChecks.qualifiedName(key)));
        }
    }
}
