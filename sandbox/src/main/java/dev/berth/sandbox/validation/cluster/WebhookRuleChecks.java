package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the rules that select the requests of a webhook. */
final class WebhookRuleChecks {
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");

    private WebhookRuleChecks() {}

    static void rule(ObjectNode rule, FieldPath path, FieldErrorList errors) {
        operations(rule, path.child("operations"), errors);
        wildcard(rule, "apiGroups", "API groups", path, errors);
        wildcard(rule, "apiVersions", "API versions", path, errors);
        List<String> versions = texts(rule, "apiVersions");
        for (int i = 0; i < versions.size(); i++) {
            if (versions.get(i).isEmpty()) {
                errors.required(path.child("apiVersions").index(i));
            }
        }
        resources(rule, path.child("resources"), errors);
        errors.requireSupportedOrEmpty(path.child("scope"), text(rule, "scope"), List.of("*", "Cluster", "Namespaced"));
    }

    private static void operations(ObjectNode rule, FieldPath path, FieldErrorList errors) {
        List<String> operations = texts(rule, "operations");
        if (operations.isEmpty()) {
            errors.required(path);
        }
        if (operations.size() > 1 && operations.contains("*")) {
            errors.invalid(path, at(rule, "operations"), "if '*' is present, must not specify other operations");
        }
        for (int i = 0; i < operations.size(); i++) {
            errors.requireSupportedOrEmpty(path.index(i), operations.get(i), OPERATIONS);
        }
    }

    private static void wildcard(ObjectNode rule, String field, String label, FieldPath path, FieldErrorList errors) {
        List<String> values = texts(rule, field);
        if (values.isEmpty()) {
            errors.required(path.child(field));
        }
        if (values.size() > 1 && values.contains("*")) {
            errors.invalid(path.child(field), at(rule, field), "if '*' is present, must not specify other " + label);
        }
    }

    private static void resources(ObjectNode rule, FieldPath path, FieldErrorList errors) {
        List<String> resources = texts(rule, "resources");
        if (resources.isEmpty()) {
            errors.required(path);
        }
        subresources(resources, path, errors);
        if (resources.size() > 1 && resources.contains("*/*")) {
            errors.invalid(path, at(rule, "resources"), "if '*/*' is present, must not specify other resources");
        }
        boolean hasPlainResource = false;
        for (String resource : resources) {
            hasPlainResource =
                    (resource.contains("/") || resource.isEmpty()) ? hasPlainResource : !resource.equals("*");
        }
        if (resources.contains("*") && hasPlainResource) {
            errors.invalid(
                    path,
                    at(rule, "resources"),
                    "if '*' is present, must not specify other resources without subresources");
        }
    }

    private static void subresources(List<String> resources, FieldPath path, FieldErrorList errors) {
        Set<String> allSubresources = new HashSet<>();
        Set<String> ofAllResources = new HashSet<>();
        for (int i = 0; i < resources.size(); i++) {
            String resource = resources.get(i);
            int slash = resource.indexOf('/');
            if (resource.isEmpty()) {
                errors.required(path.index(i));
            }
            if (slash < 0) {
                continue;
            }
            String name = resource.substring(0, slash);
            String subresource = resource.substring(slash + 1);
            if (allSubresources.contains(name)) {
                errors.invalid(path.index(i), resource, "if '" + name + "/*' is present, must not specify " + resource);
            }
            if (ofAllResources.contains(subresource)) {
                errors.invalid(
                        path.index(i), resource, "if '*/" + subresource + "' is present, must not specify " + resource);
            }
            if (subresource.equals("*")) {
                allSubresources.add(name);
            }
            if (name.equals("*")) {
                ofAllResources.add(subresource);
            }
        }
    }
}
