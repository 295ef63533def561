package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the configurations of admission webhooks. */
public final class WebhookChecks {
    private static final List<String> VERSIONS = List.of("v1", "v1beta1");
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");

    private WebhookChecks() {}

    public static void configuration(ObjectNode configuration, FieldErrorList errors) {
        List<ObjectNode> webhooks = objects(configuration, "webhooks");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < webhooks.size(); i++) {
            FieldPath path = FieldPath.of("webhooks").index(i);
            webhook(webhooks.get(i), path, errors);
            versions(webhooks.get(i), path.child("admissionReviewVersions"), errors);
            String name = text(webhooks.get(i), "name");
            if (!name.isEmpty() && !names.add(name)) {
                errors.duplicate(path.child("name"), name);
            }
        }
    }

    private static void webhook(ObjectNode webhook, FieldPath path, FieldErrorList errors) {
        qualifiedName(text(webhook, "name"), path.child("name"), errors);
        List<ObjectNode> rules = objects(webhook, "rules");
        for (int i = 0; i < rules.size(); i++) {
            WebhookRuleChecks.rule(rules.get(i), path.child("rules").index(i), errors);
        }
        oneOf(webhook, "failurePolicy", List.of("Fail", "Ignore"), path, errors);
        oneOf(webhook, "matchPolicy", List.of("Equivalent", "Exact"), path, errors);
        if (!has(webhook, "sideEffects")) {
            errors.required(path.child("sideEffects"), "must specify one of " + String.join(", ", SIDE_EFFECTS));
        }
        oneOf(webhook, "sideEffects", SIDE_EFFECTS, path, errors);
        long timeout = number(webhook, "timeoutSeconds");
        if (has(webhook, "timeoutSeconds") && (timeout > 30 || timeout < 1)) {
            errors.invalid(path.child("timeoutSeconds"), timeout, "the timeout value must be between 1 and 30 seconds");
        }
        LabelChecks.checkSelector(at(webhook, "namespaceSelector"), path.child("namespaceSelector"), errors);
        LabelChecks.checkSelector(at(webhook, "objectSelector"), path.child("objectSelector"), errors);
        oneOf(webhook, "reinvocationPolicy", List.of("IfNeeded", "Never"), path, errors);
        WebhookClientChecks.client(webhook, path.child("clientConfig"), errors);
    }

    private static void oneOf(
            ObjectNode webhook, String field, List<String> supported, FieldPath path, FieldErrorList errors) {
        errors.requireSupportedOrEmpty(path.child(field), text(webhook, field), supported);
    }

    private static void qualifiedName(String name, FieldPath path, FieldErrorList errors) {
        if (name.isEmpty()) {
            errors.required(path);
            return;
        }
        List<String> messages = NameChecks.dnsSubdomain(name);
        if (!messages.isEmpty()) {
            errors.invalid(path, name, String.join(",", messages));
        } else if (name.split("\\.", -1).length < 3) {
            errors.invalid(path, name, "should be a domain with at least three segments separated by dots");
        }
    }

    private static void versions(ObjectNode webhook, FieldPath path, FieldErrorList errors) {
        List<String> versions = texts(webhook, "admissionReviewVersions");
        if (versions.isEmpty()) {
            errors.required(path, "must specify one of " + String.join(", ", VERSIONS));
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String version = versions.get(i);
            if (seen.add(version)) {
                errors.invalid(path.index(i), version, NameChecks.dns1035Label(version));
            } else {
                errors.invalid(path.index(i), version, "duplicate version");
            }
        }
        if (versions.stream().noneMatch(VERSIONS::contains)) {
            errors.invalid(
                    path,
                    at(webhook, "admissionReviewVersions"),
                    "must include at least one of " + String.join(", ", VERSIONS));
        }
    }
}
