package dev.berth.embedded.validation.pod;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.map;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.NodeSelectors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which nodes and which neighbours a pod wants. */
final class AffinityChecks {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private AffinityChecks() {}

    static void check(ObjectNode affinity, Path path, FieldErrors errors) {
        object(affinity, "nodeAffinity").ifPresent(found -> nodes(found, path.child("nodeAffinity"), errors));
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            object(affinity, kind).ifPresent(found -> pods(found, path.child(kind), errors));
        }
    }

    private static void nodes(ObjectNode affinity, Path path, FieldErrors errors) {
        object(affinity, REQUIRED).ifPresent(selector -> NodeSelectors.check(selector, path.child(REQUIRED), errors));
        path.child(PREFERRED).each(objects(affinity, PREFERRED), (term, here) -> {
            weight(term, here, errors);
            NodeSelectors.checkTerm(at(term, "preference"), false, here.child("preference"), errors);
        });
    }

    private static void weight(ObjectNode term, Path path, FieldErrors errors) {
        long weight = number(term, "weight");
        if (weight < 1 || weight > 100) {
            errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
        }
    }

    private static void pods(ObjectNode affinity, Path path, FieldErrors errors) {
        path.child(REQUIRED).each(objects(affinity, REQUIRED), (term, here) -> podTerm(term, here, errors));
        path.child(PREFERRED).each(objects(affinity, PREFERRED), (term, here) -> {
            weight(term, here, errors);
            podTerm(at(term, "podAffinityTerm"), here.child("podAffinityTerm"), errors);
        });
    }

    private static void podTerm(JsonNode term, Path path, FieldErrors errors) {
        Labels.checkSelector(at(term, "labelSelector"), path.child("labelSelector"), errors);
        Labels.checkSelector(at(term, "namespaceSelector"), path.child("namespaceSelector"), errors);
        for (String namespace : texts(term, "namespaces")) {
            errors.invalid(path.child("namespace"), namespace, Names.label(namespace));
        }
        labelKeys(term, path, errors);
        String key = text(term, "topologyKey");
        if (key.isEmpty()) {
            errors.required(path.child("topologyKey"), "can not be empty");
        }
        errors.invalid(path.child("topologyKey"), key, Names.qualified(key));
    }

    /** Keys whose values are taken from the pod itself, of affinity terms and spread constraints. */
    static void labelKeys(JsonNode term, Path path, FieldErrors errors) {
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
        path.child("matchLabelKeys").each(matching, (key, here) -> {
            if (differing.contains(key)) {
                errors.invalid(here, key, "exists in both matchLabelKeys and mismatchLabelKeys");
            }
        });
    }

    private static void keys(JsonNode term, List<String> keys, Path path, FieldErrors errors) {
        if (!keys.isEmpty() && !has(term, "labelSelector")) {
            errors.forbidden(path, "must not be specified when labelSelector is not set");
        } else {
            path.each(keys, (key, here) -> errors.invalid(here, key, Names.qualified(key)));
        }
    }
}
