package dev.berth.embedded.validation.workload;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.ObjectMeta;
import dev.berth.embedded.validation.pod.PodChecks;
import java.util.List;

/** What all workloads share: a selector, a template that it must match, and numbers that are not negative. */
final class Templates {
    static final Path SPEC = Path.of("spec");

    private Templates() {}

    static ObjectNode spec(ObjectNode workload) {
        return object(workload, "spec").orElseGet(workload::objectNode);
    }

    static ObjectNode template(ObjectNode spec) {
        return object(spec, "template").orElseGet(spec::objectNode);
    }

    static void notNegative(JsonNode holder, String field, Path path, FieldErrors errors) {
        ObjectMeta.checkNotNegative(number(holder, field), path.child(field), errors);
    }

    /** A selector that is there, is good and demands something; tells whether it can be used. */
    static boolean selector(ObjectNode spec, String kind, FieldErrors errors) {
        Path path = SPEC.child("selector");
        JsonNode selector = at(spec, "selector");
        if (selector.isMissingNode()) {
            errors.required(path);
            return true;
        }
        FieldErrors found = new FieldErrors();
        Labels.checkSelector(selector, path, found);
        errors.addAll(found.list());
        if (Labels.isEmpty(selector)) {
            errors.invalid(path, selector, "empty selector is invalid for " + kind);
        }
        return found.isEmpty();
    }

    static void matches(ObjectNode spec, FieldErrors errors) {
        JsonNode labels = at(spec, "template", "metadata", "labels");
        JsonNode selector = at(spec, "selector");
        boolean demands = selector.isMissingNode() || !Labels.isEmpty(selector);
        if (demands && (selector.isMissingNode() || !Labels.matches(selector, labels))) {
            errors.invalid(
                    SPEC.child("template").child("metadata").child("labels"),
                    labels.isMissingNode() ? GoText.NULL : labels,
                    "`selector` does not match template `labels`");
        }
    }

    static void template(ObjectNode spec, FieldErrors errors) {
        PodChecks.template(template(spec), SPEC.child("template"), errors);
    }

    /** Pods that are kept running restart always and have no end. */
    static void runsAlways(ObjectNode spec, String kind, FieldErrors errors) {
        Path path = SPEC.child("template").child("spec");
        String policy = text(spec, "template", "spec", "restartPolicy");
        if (!policy.equals("Always")) {
            errors.notSupported(path.child("restartPolicy"), policy, List.of("Always"));
        }
        if (has(spec, "template", "spec", "activeDeadlineSeconds")) {
            errors.forbidden(
                    path.child("activeDeadlineSeconds"), "activeDeadlineSeconds in " + kind + " is not Supported");
        }
    }

    static void unchangedSelector(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectMeta.checkUnchanged(
                at(before, "spec", "selector"), at(after, "spec", "selector"), SPEC.child("selector"), errors);
    }

    /** Counts of a status: none is negative, and none of the parts is more than the whole. */
    static void counts(ObjectNode workload, List<String> all, List<String> parts, FieldErrors errors) {
        JsonNode status = at(workload, "status");
        Path path = Path.of("status");
        all.forEach(field -> notNegative(status, field, path, errors));
        for (String part : parts) {
            if (number(status, part) > number(status, "replicas")) {
                errors.invalid(path.child(part), number(status, part), "cannot be greater than status.replicas");
            }
        }
    }

    static void availableAreReady(ObjectNode workload, String words, FieldErrors errors) {
        long available = number(workload, "status", "availableReplicas");
        if (available > number(workload, "status", "readyReplicas")) {
            errors.invalid(Path.of("status", "availableReplicas"), available, "cannot be greater than " + words);
        }
    }
}
