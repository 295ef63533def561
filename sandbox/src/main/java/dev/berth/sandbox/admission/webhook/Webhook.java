package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One webhook of a configuration. */
record Webhook(
        String name, WebhookEndpoint address, List<WebhookRule> rules, Selectors selectors, CallPolicy callPolicy) {

    private static final long DEFAULT_TIMEOUT_SECONDS = 10;

    /** Selects namespaces and objects. */
    record Selectors(LabelSelector namespaces, LabelSelector objects) {}

    /**
     * The policies of the webhook.
     *
     * @param ignoresFailure whether a write continues when the call fails
     * @param supportsDryRun whether the webhook may be called for dry runs
     * @param reinvokedIfNeeded whether the webhook is called again when a later webhook changed the object
     */
    record CallPolicy(boolean ignoresFailure, boolean supportsDryRun, boolean reinvokedIfNeeded) {}

    /** Reads a valid webhook configuration. */
    static Webhook from(JsonNode hook) {
        String sideEffects = NestedFields.text(hook, "sideEffects");
        return new Webhook(
                NestedFields.text(hook, "name"),
                address(hook),
                NestedFields.objects(hook, "rules").stream()
                        .map(WebhookRule::from)
                        .toList(),
                new Selectors(
                        LabelSelectorReader.read(hook.path("namespaceSelector")),
                        LabelSelectorReader.read(hook.path("objectSelector"))),
                new CallPolicy(
                        NestedFields.text(hook, "failurePolicy").equals("Ignore"),
                        sideEffects.equals("None") || sideEffects.equals("NoneOnDryRun"),
                        NestedFields.text(hook, "reinvocationPolicy").equals("IfNeeded")));
    }

    /** Whether the webhook matches a write; the labels of the namespace are empty for cluster-scoped objects. */
    boolean matches(AdmissionRequest request, Optional<Map<String, String>> namespaceLabels) {
        return rules.stream().anyMatch(rule -> rule.matches(request))
                && namespaceLabels
                        .map(labels -> selectors.namespaces().matches(Labels.of(labels)))
                        .orElse(true)
                && matchesObject(request);
    }

    private boolean matchesObject(AdmissionRequest request) {
        if (selectors.objects().isEmpty()) {
            return true;
        }
        return request.object().filter(this::selects).isPresent()
                || request.oldObject().filter(this::selects).isPresent();
    }

    private boolean selects(ObjectNode object) {
        return selectors.objects().matches(Labels.of(ObjectMetaReader.labels(object)));
    }

    private static WebhookEndpoint address(JsonNode hook) {
        JsonNode config = hook.path("clientConfig");
        String bundle = NestedFields.text(config, "caBundle");
        String pem = bundle.isEmpty() ? "" : new String(Base64.getDecoder().decode(bundle), StandardCharsets.UTF_8);
        long seconds = hook.path("timeoutSeconds").asLong(DEFAULT_TIMEOUT_SECONDS);
        return new WebhookEndpoint(URI.create(NestedFields.text(config, "url")), pem, Duration.ofSeconds(seconds));
    }
}
