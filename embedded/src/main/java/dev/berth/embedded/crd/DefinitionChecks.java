package dev.berth.embedded.crd;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.cluster.WebhookClientChecks;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Definitions of custom kinds. */
public final class DefinitionChecks {
    private static final Path SPEC = Path.of("spec");
    private static final Path STORED = Path.of("status", "storedVersions");

    private DefinitionChecks() {}

    /** What only a new definition is asked: a name made of those of its kind and group, which cannot change later. */
    public static void name(ObjectNode definition, FieldErrors errors) {
        String own = text(definition, "spec", "names", "plural") + "." + text(definition, "spec", "group");
        String name = text(definition, "metadata", "name");
        if (!name.equals(own)) {
            errors.invalid(Path.of("metadata", "name"), name, "must be spec.names.plural+\".\"+spec.group");
        }
    }

    public static void definition(ObjectNode definition, FieldErrors errors) {
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

    private static void spec(ObjectNode definition, FieldErrors errors) {
        group(text(definition, "spec", "group"), errors);
        errors.oneOf(SPEC.child("scope"), text(definition, "spec", "scope"), List.of("Cluster", "Namespaced"));
        List<ObjectNode> versions = objects(definition, "spec", "versions");
        SPEC.child("versions").each(versions, (version, here) -> {
            if (!has(version, "schema", "openAPIV3Schema")) {
                errors.required(here.child("schema").child("openAPIV3Schema"));
            }
        });
        versions(definition, versions, errors);
        names(at(definition, "spec", "names"), errors);
        new VersionChecks(versions, errors).check();
        conversion(definition, errors);
    }

    /** What is wrong with a group whose name has no dot. */
    public static FieldError dotless(String group) {
        return FieldError.invalid(SPEC.child("group"), GoText.node(group), "should be a domain with at least one dot");
    }

    private static void group(String group, FieldErrors errors) {
        Path path = SPEC.child("group");
        List<String> messages = Names.subdomain(group);
        if (group.isEmpty()) {
            errors.required(path);
        } else if (!messages.isEmpty()) {
            errors.invalid(path, group, String.join(",", messages));
        } else if (!group.contains(".")) {
            errors.add(dotless(group));
        }
    }

    private static void versions(ObjectNode definition, List<ObjectNode> versions, FieldErrors errors) {
        Path path = SPEC.child("versions");
        Set<String> seen = new HashSet<>();
        path.each(versions, (version, here) -> {
            String name = text(version, "name");
            seen.add(name);
            List<String> messages = Names.oldLabel(name);
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
            errors.invalid(path, printed(definition), "must contain unique version names");
        }
        if (versions.stream().filter(version -> flag(version, "storage")).count() != 1) {
            errors.invalid(path, printed(definition), "must have exactly one version marked as storage version");
        }
        String first = versions.isEmpty() ? "" : text(versions.get(0), "name");
        List<String> messages = Names.oldLabel(first);
        if (!first.isEmpty() && !messages.isEmpty()) {
            errors.invalid(SPEC.child("version"), first, String.join(",", messages));
        }
    }

    /** The versions as the server prints them: without the parts they have in common. */
    private static JsonNode printed(ObjectNode definition) {
        if (!(definition.at("/spec/versions") instanceof ArrayNode)) {
            return GoText.NULL;
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

    private static void names(JsonNode names, FieldErrors errors) {
        Path path = SPEC.child("names");
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            if (text(names, field).isEmpty()) {
                errors.required(path.child(field));
            }
        }
        for (String field : List.of("plural", "singular")) {
            named(text(names, field), path.child(field), "", errors);
        }
        for (String field : List.of("kind", "listKind")) {
            String mixed = "may have mixed case, but should otherwise match: ";
            named(text(names, field), path.child(field), mixed, errors);
        }
        for (String list : List.of("shortNames", "categories")) {
            path.child(list).each(texts(names, list), (name, here) -> named(name, here, "", errors));
        }
        String kind = text(names, "kind");
        if (!kind.isEmpty() && kind.equals(text(names, "listKind"))) {
            errors.invalid(path.child("listKind"), kind, "kind and listKind may not be the same");
        }
    }

    private static void named(String name, Path path, String words, FieldErrors errors) {
        List<String> messages = Names.oldLabel(words.isEmpty() ? name : name.toLowerCase(Locale.ROOT));
        if (!name.isEmpty() && !messages.isEmpty()) {
            errors.invalid(path, name, words + String.join(",", messages));
        }
    }

    private static void conversion(ObjectNode definition, FieldErrors errors) {
        Path path = SPEC.child("conversion");
        JsonNode conversion = at(definition, "spec", "conversion");
        errors.oneOf(path.child("strategy"), text(conversion, "strategy"), List.of("None", "Webhook"));
        if (!text(conversion, "strategy").equals("Webhook")) {
            return;
        }
        Path client = path.child("webhookClientConfig");
        if (!(at(conversion, "webhook") instanceof ObjectNode webhook) || !has(webhook, "clientConfig")) {
            errors.required(client, "required when strategy is set to Webhook");
        } else {
            WebhookClientChecks.client(webhook, client, errors);
        }
        if (texts(conversion, "webhook", "conversionReviewVersions").isEmpty()) {
            errors.required(path.child("conversionReviewVersions"));
        }
    }

    private static void storedVersions(ObjectNode definition, FieldErrors errors) {
        List<String> stored = texts(definition, "status", "storedVersions");
        if (stored.isEmpty()) {
            errors.invalid(STORED, GoText.NULL, "must have at least one stored version");
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
        STORED.each(stored, (name, here) -> {
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

    /** What an established definition is called and where its objects live does not change. */
    public static void update(ObjectNode before, ObjectNode after, FieldErrors errors) {
        boolean established = objects(before, "status", "conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals("Established")
                        && text(condition, "status").equals("True"));
        Stream<List<String>> fields = established
                ? Stream.of(List.of("scope"), List.of("names", "kind"), List.of("group"), List.of("names", "plural"))
                : Stream.of(List.of("group"), List.of("names", "plural"));
        fields.forEach(field -> {
            Path path = SPEC;
            JsonNode old = at(before, "spec");
            JsonNode now = at(after, "spec");
            for (String step : field) {
                path = path.child(step);
                old = at(old, step);
                now = at(now, step);
            }
            ObjectMeta.checkUnchanged(old, now, path, errors);
        });
    }
}
