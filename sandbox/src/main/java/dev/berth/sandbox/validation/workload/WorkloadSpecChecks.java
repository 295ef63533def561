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

/** Checks that workload kinds share: selectors, templates and counts. */
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

    /** Requires a valid, non-empty selector. Returns false if the selector is present and malformed. */
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
        boolean hasRequirements = selector.isMissingNode() || !LabelChecks.isEmpty(selector);
        if (hasRequirements && (selector.isMissingNode() || !LabelChecks.matches(selector, labels))) {
            errors.invalid(
                    SPEC.child("template").child("metadata").child("labels"),
                    labels.isMissingNode() ? GoFormat.NULL : labels,
                    "`selector` does not match template `labels`");
        }
    }

    static void template(ObjectNode spec, FieldErrorList errors) {
        PodChecks.template(template(spec), SPEC.child("template"), errors);
    }

    /** Requires the restart policy Always and forbids an active deadline. */
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

    /** Checks status counts: no count is negative, and none of the parts exceeds {@code replicas}. */
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

    static void checkAvailableAtMostReady(ObjectNode workload, String shownField, FieldErrorList errors) {
        long available = number(workload, "status", "availableReplicas");
        if (available > number(workload, "status", "readyReplicas")) {
            errors.invalid(
                    FieldPath.of("status", "availableReplicas"), available, "cannot be greater than " + shownField);
        }
    }
}
