package dev.berth.sandbox.validation.workload;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.validation.workload.WorkloadSpecChecks.SPEC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import dev.berth.sandbox.validation.pod.PodChecks;
import java.util.List;

/** Checks Jobs. */
public final class JobChecks {
    private static final String OWN_UID = "batch.kubernetes.io/controller-uid";
    private static final List<String> COUNTS = List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes");

    private JobChecks() {}

    /** Checks a new job, which must have the generated selector unless {@code manualSelector} is set. */
    public static void job(ObjectNode job, FieldErrorList errors) {
        generatedSelector(job, errors);
        content(job, errors);
    }

    private static void content(ObjectNode job, FieldErrorList errors) {
        ObjectNode spec = WorkloadSpecChecks.spec(job);
        spec(spec, SPEC, errors);
        JsonNode selector = at(spec, "selector");
        if (selector.isMissingNode()) {
            errors.required(SPEC.child("selector"));
            return;
        }
        LabelChecks.checkSelector(selector, SPEC.child("selector"), errors);
        WorkloadSpecChecks.matches(spec, errors);
    }

    private static void generatedSelector(ObjectNode job, FieldErrorList errors) {
        if (flag(job, "spec", "manualSelector")) {
            return;
        }
        ObjectNode expected = JsonNodeFactory.instance.objectNode();
        expected.putObject("matchLabels").put(OWN_UID, text(job, "metadata", "uid"));
        if (!expected.equals(at(job, "spec", "selector"))) {
            errors.invalid(SPEC.child("selector"), at(job, "spec", "selector"), "`selector` not auto-generated");
        }
    }

    private static void spec(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        COUNTS.forEach(field -> WorkloadSpecChecks.notNegative(spec, field, path, errors));
        String mode = text(spec, "completionMode");
        errors.requireSupportedOrEmpty(path.child("completionMode"), mode, List.of("NonIndexed", "Indexed"));
        if (mode.equals("Indexed")) {
            if (!has(spec, "completions")) {
                errors.required(path.child("completions"), "when completion mode is Indexed");
            }
        } else {
            for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
                if (has(spec, field)) {
                    errors.invalid(path.child(field), number(spec, field), "requires indexed completion mode");
                }
            }
        }
        errors.requireSupportedOrEmpty(
                path.child("podReplacementPolicy"),
                text(spec, "podReplacementPolicy"),
                List.of("Failed", "TerminatingOrFailed"));
        PodChecks.template(WorkloadSpecChecks.template(spec), path.child("template"), errors);
        restartPolicy(spec, path.child("template").child("spec").child("restartPolicy"), errors);
    }

    private static void restartPolicy(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        String policy = text(spec, "template", "spec", "restartPolicy");
        if (policy.isEmpty() || policy.equals("Always")) {
            errors.required(path, "valid values: \"OnFailure\", \"Never\"");
        } else if (!policy.equals("OnFailure") && !policy.equals("Never")) {
            errors.notSupported(path, policy, List.of("OnFailure", "Never"));
        } else if (has(spec, "podFailurePolicy") && !policy.equals("Never")) {
            errors.invalid(path, policy, "only \"Never\" is supported when podFailurePolicy is specified");
        }
    }

    public static void jobUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        content(after, errors);
        completions(before, after, errors);
        for (String field : List.of(
                "selector",
                "template",
                "completionMode",
                "podFailurePolicy",
                "backoffLimitPerIndex",
                "managedBy",
                "successPolicy")) {
            boolean suspended = field.equals("template") && flag(before, "spec", "suspend");
            if (!suspended) {
                ObjectMetaChecks.checkUnchanged(
                        at(before, "spec", field), at(after, "spec", field), SPEC.child(field), errors);
            }
        }
    }

    /** Only an indexed job may change {@code completions}, if it equals {@code parallelism} before and after. */
    private static void completions(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        JsonNode old = at(before, "spec", "completions");
        JsonNode now = at(after, "spec", "completions");
        boolean elastic = text(after, "spec", "completionMode").equals("Indexed")
                && now.equals(at(after, "spec", "parallelism"))
                && old.equals(at(before, "spec", "parallelism"));
        if (!elastic) {
            ObjectMetaChecks.checkUnchanged(old, now, SPEC.child("completions"), errors);
        }
    }
}
