package dev.berth.embedded.validation.workload;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.validation.workload.Templates.SPEC;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.ObjectMeta;
import dev.berth.embedded.validation.pod.PodChecks;
import java.time.ZoneId;
import java.util.List;

/** Jobs, and jobs that come again. */
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

    /** What only a new job is asked: that its generated selector is the one it got. */
    public static void job(ObjectNode job, FieldErrors errors) {
        generatedSelector(job, errors);
        content(job, errors);
    }

    private static void content(ObjectNode job, FieldErrors errors) {
        ObjectNode spec = Templates.spec(job);
        spec(spec, SPEC, errors);
        JsonNode selector = at(spec, "selector");
        if (selector.isMissingNode()) {
            errors.required(SPEC.child("selector"));
            return;
        }
        Labels.checkSelector(selector, SPEC.child("selector"), errors);
        Templates.matches(spec, errors);
    }

    private static void generatedSelector(ObjectNode job, FieldErrors errors) {
        if (flag(job, "spec", "manualSelector")) {
            return;
        }
        ObjectNode expected = JsonNodeFactory.instance.objectNode();
        expected.putObject("matchLabels").put(OWN_UID, text(job, "metadata", "uid"));
        if (!expected.equals(at(job, "spec", "selector"))) {
            errors.invalid(SPEC.child("selector"), at(job, "spec", "selector"), "`selector` not auto-generated");
        }
    }

    private static void spec(ObjectNode spec, Path path, FieldErrors errors) {
        COUNTS.forEach(field -> Templates.notNegative(spec, field, path, errors));
        String mode = text(spec, "completionMode");
        errors.oneOfOrNone(path.child("completionMode"), mode, List.of("NonIndexed", "Indexed"));
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
        errors.oneOfOrNone(
                path.child("podReplacementPolicy"),
                text(spec, "podReplacementPolicy"),
                List.of("Failed", "TerminatingOrFailed"));
        PodChecks.template(Templates.template(spec), path.child("template"), errors);
        restartPolicy(spec, path.child("template").child("spec").child("restartPolicy"), errors);
    }

    private static void restartPolicy(ObjectNode spec, Path path, FieldErrors errors) {
        String policy = text(spec, "template", "spec", "restartPolicy");
        if (policy.isEmpty() || policy.equals("Always")) {
            errors.required(path, "valid values: \"OnFailure\", \"Never\"");
        } else if (!policy.equals("OnFailure") && !policy.equals("Never")) {
            errors.notSupported(path, policy, List.of("OnFailure", "Never"));
        } else if (has(spec, "podFailurePolicy") && !policy.equals("Never")) {
            errors.invalid(path, policy, "only \"Never\" is supported when podFailurePolicy is specified");
        }
    }

    public static void jobUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
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
                ObjectMeta.checkUnchanged(
                        at(before, "spec", field), at(after, "spec", field), SPEC.child(field), errors);
            }
        }
    }

    /** An indexed job may change its size as a whole, with as many pods at once as it has to complete. */
    private static void completions(ObjectNode before, ObjectNode after, FieldErrors errors) {
        JsonNode old = at(before, "spec", "completions");
        JsonNode now = at(after, "spec", "completions");
        boolean elastic = text(after, "spec", "completionMode").equals("Indexed")
                && now.equals(at(after, "spec", "parallelism"))
                && old.equals(at(before, "spec", "parallelism"));
        if (!elastic) {
            ObjectMeta.checkUnchanged(old, now, SPEC.child("completions"), errors);
        }
    }

    public static void cronJob(ObjectNode job, FieldErrors errors) {
        ObjectNode spec = Templates.spec(job);
        String schedule = text(spec, "schedule");
        if (schedule.isEmpty()) {
            errors.required(SPEC.child("schedule"));
        } else {
            CronSchedules.check(schedule, SPEC.child("schedule"), errors);
        }
        Templates.notNegative(spec, "startingDeadlineSeconds", SPEC, errors);
        timeZone(text(spec, "timeZone"), SPEC.child("timeZone"), errors);
        errors.oneOf(
                SPEC.child("concurrencyPolicy"),
                text(spec, "concurrencyPolicy"),
                List.of("Allow", "Forbid", "Replace"));
        ObjectNode template = object(spec, "jobTemplate", "spec").orElseGet(spec::objectNode);
        spec(template, SPEC.child("jobTemplate").child("spec"), errors);
        Templates.notNegative(spec, "successfulJobsHistoryLimit", SPEC, errors);
        Templates.notNegative(spec, "failedJobsHistoryLimit", SPEC, errors);
    }

    private static void timeZone(String zone, Path path, FieldErrors errors) {
        if (!zone.isEmpty() && !ZoneId.getAvailableZoneIds().contains(zone)) {
            errors.invalid(path, zone, "unknown time zone " + zone);
        }
    }
}
