package dev.berth.sandbox.apiextensions;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.cluster.WebhookClientChecks;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Validates CustomResourceDefinitions. */
public final class CrdChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final FieldPath STORED = FieldPath.of("status", "storedVersions");

    private CrdChecks() {}

    /** Checks the name of a new definition: it consists of the plural name and the group, and never changes. */
    public static void checkName(ObjectNode definition, FieldErrorList errors) {
        String mutable = text(definition, "spec", "names", "plural") + "." + text(definition, "spec", "group");
        String name = text(definition, "metadata", "name");
        if (!name.equals(mutable)) {
            errors.invalid(FieldPath.of("metadata", "name"), name, "must be spec.names.plural+\".\"+spec.group");
        }
    }

    public static void checkDefinition(ObjectNode definition, FieldErrorList errors) {
        spec(definition, errors);
        storedVersions(definition, errors);
        if (flag(definition, "spec", "preserveUnknownFields")) {
            errors.invalid(
                    SPEC.child("preserveUnknownFields"),
                    BooleanNode.TRUE,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                            + "spec.versions[*].schema instead");
        }
    }

    private static void spec(ObjectNode definition, FieldErrorList errors) {
        group(text(definition, "spec", "group"), errors);
        errors.requireSupported(
                SPEC.child("scope"), text(definition, "spec", "scope"), List.of("Cluster", "Namespaced"));
        List<ObjectNode> versions = objects(definition, "spec", "versions");
        SPEC.child("versions").forEachIndexed(versions, (version, here) -> {
            if (!has(version, "schema", "openAPIV3Schema")) {
                errors.required(here.child("schema").child("openAPIV3Schema"));
            }
        });
        versions(definition, versions, errors);
        names(at(definition, "spec", "names"), errors);
        new CrdVersionChecks(versions, errors).check();
        conversion(definition, errors);
    }

    /** The error of a group whose name has no dot. */
    public static FieldError dotlessGroupError(String group) {
        return FieldError.invalid(
                SPEC.child("group"), GoFormat.node(group), "should be a domain with at least one dot");
    }

    private static void group(String group, FieldErrorList errors) {
        FieldPath path = SPEC.child("group");
        List<String> messages = NameChecks.dnsSubdomain(group);
        if (group.isEmpty()) {
            errors.required(path);
        } else if (!messages.isEmpty()) {
            errors.invalid(path, group, String.join(",", messages));
        } else if (!group.contains(".")) {
            errors.add(dotlessGroupError(group));
        }
    }

    private static void versions(ObjectNode definition, List<ObjectNode> versions, FieldErrorList errors) {
        FieldPath path = SPEC.child("versions");
        Set<String> seen = new HashSet<>();
        path.forEachIndexed(versions, (version, here) -> {
            String name = text(version, "name");
            seen.add(name);
            List<String> messages = NameChecks.dns1035Label(name);
            if (!messages.isEmpty()) {
                errors.invalid(here.child("name"), name, String.join(",", messages));
            }
            if (has(version, "deprecationWarning") && !flag(version, "deprecated")) {
                errors.invalid(
                        here.child("deprecationWarning"),
                        text(version, "deprecationWarning"),
                        "can only be set for deprecated versions");
            }
        });
        if (seen.size() < versions.size()) {
            errors.invalid(path, printedVersions(definition), "must contain unique version names");
        }
        if (versions.stream().filter(version -> flag(version, "storage")).count() != 1) {
            errors.invalid(
                    path, printedVersions(definition), "must have exactly one version marked as storage version");
        }
        String first = versions.isEmpty() ? "" : text(versions.get(0), "name");
        List<String> messages = NameChecks.dns1035Label(first);
        if (!first.isEmpty() && !messages.isEmpty()) {
            errors.invalid(SPEC.child("version"), first, String.join(",", messages));
        }
    }

    /** The versions as the server prints them: without the parts they have in common. */
    private static JsonNode printedVersions(ObjectNode definition) {
        if (!(definition.at("/spec/versions") instanceof ArrayNode)) {
            return GoFormat.NULL;
        }
        ArrayNode all = definition.arrayNode();
        for (ObjectNode version : objects(definition, "spec", "versions")) {
            ObjectNode shown = all.addObject().put("Name", text(version, "name"));
            shown.put("Served", flag(version, "served")).put("Storage", flag(version, "storage"));
            shown.put("Deprecated", flag(version, "deprecated"));
            for (String part : List.of(
                    "DeprecationWarning", "Schema", "Subresources", "AdditionalPrinterColumns", "SelectableFields")) {
                shown.putNull(part);
            }
        }
        return all;
    }

    private static void names(JsonNode names, FieldErrorList errors) {
        FieldPath path = SPEC.child("names");
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            if (text(names, field).isEmpty()) {
                errors.required(path.child(field));
            }
        }
        for (String field : List.of("plural", "singular")) {
            checkDnsName(text(names, field), path.child(field), "", errors);
        }
        for (String field : List.of("kind", "listKind")) {
            String mixed = "may have mixed case, but should otherwise match: ";
            checkDnsName(text(names, field), path.child(field), mixed, errors);
        }
        for (String list : List.of("shortNames", "categories")) {
            path.child(list).forEachIndexed(texts(names, list), (name, here) -> checkDnsName(name, here, "", errors));
        }
        String kind = text(names, "kind");
        if (!kind.isEmpty() && kind.equals(text(names, "listKind"))) {
            errors.invalid(path.child("listKind"), kind, "kind and listKind may not be the same");
        }
    }

    private static void checkDnsName(String name, FieldPath path, String words, FieldErrorList errors) {
        List<String> messages = NameChecks.dns1035Label(words.isEmpty() ? name : name.toLowerCase(Locale.ROOT));
        if (!name.isEmpty() && !messages.isEmpty()) {
            errors.invalid(path, name, words + String.join(",", messages));
        }
    }

    private static void conversion(ObjectNode definition, FieldErrorList errors) {
        FieldPath path = SPEC.child("conversion");
        JsonNode conversion = at(definition, "spec", "conversion");
        errors.requireSupported(path.child("strategy"), text(conversion, "strategy"), List.of("None", "Webhook"));
        if (!text(conversion, "strategy").equals("Webhook")) {
            return;
        }
        FieldPath client = path.child("webhookClientConfig");
        if (!(at(conversion, "webhook") instanceof ObjectNode webhook) || !has(webhook, "clientConfig")) {
            errors.required(client, "required when strategy is set to Webhook");
        } else {
            WebhookClientChecks.client(webhook, client, errors);
        }
        if (texts(conversion, "webhook", "conversionReviewVersions").isEmpty()) {
            errors.required(path.child("conversionReviewVersions"));
        }
    }

    private static void storedVersions(ObjectNode definition, FieldErrorList errors) {
        List<String> stored = texts(definition, "status", "storedVersions");
        if (stored.isEmpty()) {
            errors.invalid(STORED, GoFormat.NULL, "must have at least one stored version");
            return;
        }
        Set<String> left = new HashSet<>(stored);
        for (ObjectNode version : objects(definition, "spec", "versions")) {
            String name = text(version, "name");
            if (!left.remove(name) && flag(version, "storage")) {
                errors.invalid(
                        STORED, at(definition, "status", "storedVersions"), "must have the storage version " + name);
            }
        }
        STORED.forEachIndexed(stored, (name, here) -> {
            if (left.contains(name)) {
                errors.invalid(
                        here,
                        name,
                        ("missing from spec.versions; %1$s was previously a storage version, and must remain in "
                                        + "spec.versions until a storage migration ensures no data remains persisted "
                                        + "in %1$s and removes %1$s from status.storedVersions")
                                .formatted(name));
            }
        });
    }

    /** The names and the scope of an established definition do not change. */
    public static void checkUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        boolean established = objects(before, "status", "conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals("Established")
                        && text(condition, "status").equals("True"));
        Stream<List<String>> fields = established
                ? Stream.of(List.of("scope"), List.of("names", "kind"), List.of("group"), List.of("names", "plural"))
                : Stream.of(List.of("group"), List.of("names", "plural"));
        fields.forEach(field -> {
            FieldPath path = SPEC;
            JsonNode old = at(before, "spec");
            JsonNode now = at(after, "spec");
            for (String step : field) {
                path = path.child(step);
                old = at(old, step);
                now = at(now, step);
            }
            ObjectMetaChecks.checkUnchanged(old, now, path, errors);
        });
    }
}
