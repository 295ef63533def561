package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultObject;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The defaults of Namespaces, Nodes, Secrets and other cluster kinds. */
public final class ClusterDefaults {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private ClusterDefaults() {}

    public static void namespace(ObjectNode namespace) {
        String name = text(namespace, "metadata", "name");
        if (!name.isEmpty()) {
            getOrCreateObject(getOrCreateObject(namespace, "metadata"), "labels")
                    .put("kubernetes.io/metadata.name", name);
        }
        setDefaultText(getOrCreateObject(namespace, "status"), "phase", "Active");
    }

    public static void node(ObjectNode node) {
        ObjectNode spec = getOrCreateObject(node, "spec");
        String range = text(spec, "podCIDR");
        List<JsonNode> ranges = items(spec, "podCIDRs");
        if (range.isEmpty() && !ranges.isEmpty()) {
            spec.set("podCIDR", ranges.get(0));
        } else if (!range.isEmpty()
                && (ranges.isEmpty() || !ranges.get(0).asText().equals(range))) {
            spec.putArray("podCIDRs").add(range);
        }
        ObjectNode status = getOrCreateObject(node, "status");
        object(status, "capacity").ifPresent(capacity -> {
            ResourceDefaults.roundList(capacity);
            if (!has(status, "allocatable")) {
                status.set("allocatable", capacity.deepCopy());
            }
        });
        object(status, "allocatable").ifPresent(ResourceDefaults::roundList);
    }

    /** Copies {@code stringData} to {@code data} in base64. Existing keys are overwritten. */
    public static void secret(ObjectNode secret) {
        setDefaultText(secret, "type", "Opaque");
        object(secret, "stringData").ifPresent(texts -> {
            ObjectNode data = getOrCreateObject(secret, "data");
            for (Map.Entry<String, JsonNode> entry : texts.properties()) {
                byte[] bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
            }
            secret.remove("stringData");
        });
    }

    public static void priorityClass(ObjectNode priority) {
        setDefaultText(priority, "preemptionPolicy", "PreemptLowerPriority");
    }

    public static void roleBinding(ObjectNode binding) {
        setDefaultText(getOrCreateObject(binding, "roleRef"), "apiGroup", RBAC);
        for (ObjectNode subject : objects(binding, "subjects")) {
            String kind = text(subject, "kind");
            if (kind.equals("User") || kind.equals("Group")) {
                setDefaultText(subject, "apiGroup", RBAC);
            }
        }
    }

    public static void webhooks(ObjectNode configuration) {
        boolean mutating = text(configuration, "kind").equals("MutatingWebhookConfiguration");
        for (ObjectNode webhook : objects(configuration, "webhooks")) {
            setDefaultText(webhook, "failurePolicy", "Fail");
            setDefaultText(webhook, "matchPolicy", "Equivalent");
            setDefaultObject(webhook, "namespaceSelector");
            setDefaultObject(webhook, "objectSelector");
            setDefaultNumber(webhook, "timeoutSeconds", 10);
            if (mutating) {
                setDefaultText(webhook, "reinvocationPolicy", "Never");
            }
            objects(webhook, "rules").forEach(rule -> setDefaultText(rule, "scope", "*"));
            object(webhook, "clientConfig", "service").ifPresent(service -> setDefaultNumber(service, "port", 443));
        }
    }

    public static void admissionPolicy(ObjectNode policy) {
        setDefaultText(getOrCreateObject(policy, "spec"), "failurePolicy", "Fail");
        object(policy, "spec", "matchConstraints").ifPresent(ClusterDefaults::matchResources);
    }

    public static void policyBinding(ObjectNode binding) {
        object(binding, "spec", "matchResources").ifPresent(ClusterDefaults::matchResources);
    }

    private static void matchResources(ObjectNode match) {
        setDefaultText(match, "matchPolicy", "Equivalent");
        setDefaultObject(match, "namespaceSelector");
        setDefaultObject(match, "objectSelector");
        for (String rules : List.of("resourceRules", "excludeResourceRules")) {
            objects(match, rules).forEach(rule -> setDefaultText(rule, "scope", "*"));
        }
    }

    public static void apiService(ObjectNode api) {
        object(api, "spec", "service").ifPresent(service -> setDefaultNumber(service, "port", 443));
    }

    public static void customResourceDefinition(ObjectNode definition) {
        ObjectNode spec = getOrCreateObject(definition, "spec");
        ObjectNode names = getOrCreateObject(spec, "names");
        String kind = text(names, "kind");
        setDefaultText(names, "singular", kind.toLowerCase(Locale.ROOT));
        if (!kind.isEmpty()) {
            setDefaultText(names, "listKind", kind + "List");
        }
        if (!has(spec, "conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        object(spec, "conversion", "webhook", "clientConfig", "service")
                .ifPresent(service -> setDefaultNumber(service, "port", 443));
        ObjectNode status = getOrCreateObject(definition, "status");
        if (at(status, "storedVersions").isEmpty()) {
            ArrayNode stored = status.putArray("storedVersions");
            objects(spec, "versions").stream()
                    .filter(version -> version.path("storage").asBoolean())
                    .limit(1)
                    .forEach(version -> stored.add(text(version, "name")));
        }
    }
}
