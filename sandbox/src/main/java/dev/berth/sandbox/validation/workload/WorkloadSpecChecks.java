package dev.berth.sandbox.validation.workload;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import dev.berth.sandbox.validation.pod.PodChecks;
import java.util.List;

/** What all workloads share: a selector, a template that it must match, and numbers that are not negative. */
final class WorkloadSpecChecks {
    static final FieldPath SPEC = FieldPath.of("spec");

    private WorkloadSpecChecks() {}

    static ObjectNode spec(ObjectNode workload) {
        return object(workload, "spec").orElseGet(workload::objectNode);
    }

    static ObjectNode template(ObjectNode spec) {
        return object(spec, "template").orElseGet(spec::objectNode);
    }

    static void notNegative(JsonNode holder, String field, FieldPath path, FieldErrorList errors) {
        ObjectMetaChecks.checkNotNegative(number(holder, field), path.child(field), errors);
    }

    /** A selector that is there, is good and demands something; tells whether it can be used. */
    static boolean selector(ObjectNode spec, String kind, FieldErrorList errors) {
        FieldPath path = SPEC.child("selector");
        JsonNode selector = at(spec, "selector");
        if (selector.isMissingNode()) {
            errors.required(path);
            return true;
        }
        FieldErrorList found = new FieldErrorList();
        LabelChecks.checkSelector(selector, path, found);
        errors.addAll(found.list());
        if (LabelChecks.isEmpty(selector)) {
            errors.invalid(path, selector, "empty selector is invalid for " + kind);
        }
        return found.isEmpty();
    }

    static void matches(ObjectNode spec, FieldErrorList errors) {
        JsonNode labels = at(spec, "template", "metadata", "labels");
        JsonNode selector = at(spec, "selector");
        boolean demands = selector.isMissingNode() || !LabelChecks.isEmpty(selector);
        if (demands && (selector.isMissingNode() || !LabelChecks.matches(selector, labels))) {
            errors.invalid(
                    SPEC.child("template").child("metadata").child("labels"),
                    labels.isMissingNode() ? GoFormat.NULL : labels,
                    "`selector` does not match template `labels`");
        }
    }

    static void template(ObjectNode spec, FieldErrorList errors) {
        PodChecks.template(template(spec), SPEC.child("template"), errors);
    }

    /** Pods that are kept running restart always and have no end. */
    static void requireRestartAlways(ObjectNode spec, String kind, FieldErrorList errors) {
        FieldPath path = SPEC.child("template").child("spec");
        String policy = text(spec, "template", "spec", "restartPolicy");
        if (!policy.equals("Always")) {
            errors.notSupported(path.child("restartPolicy"), policy, List.of("Always"));
        }
        if (has(spec, "template", "spec", "activeDeadlineSeconds")) {
            errors.forbidden(
                    path.child("activeDeadlineSeconds"), "activeDeadlineSeconds in " + kind + " is not Supported");
        }
    }

    static void unchangedSelector(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkUnchanged(
                at(before, "spec", "selector"), at(after, "spec", "selector"), SPEC.child("selector"), errors);
    }

    /** Counts of a status: none is negative, and none of the parts is more than the whole. */
    static void counts(ObjectNode workload, List<String> all, List<String> parts, FieldErrorList errors) {
        JsonNode status = at(workload, "status");
        FieldPath path = FieldPath.of("status");
        all.forEach(field -> notNegative(status, field, path, errors));
        for (String part : parts) {
            if (number(status, part) > number(status, "replicas")) {
                errors.invalid(path.child(part), number(status, part), "cannot be greater than status.replicas");
            }
        }
    }

    static void checkAvailableAtMostReady(ObjectNode workload, String words, FieldErrorList errors) {
        long available = number(workload, "status", "availableReplicas");
        if (available > number(workload, "status", "readyReplicas")) {
            errors.invalid(FieldPath.of("status", "availableReplicas"), available, "cannot be greater than " + words);
        }
    }
}
