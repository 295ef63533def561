package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.select.LabelSelector;
import dev.berth.embedded.rest.select.SelectorSyntaxException;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.tree.Trees;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One webhook of a configuration. */
record Webhook(String name, WebhookAddress address, List<WebhookRule> rules, Selectors selectors, Conduct conduct) {

    private static final long USUAL_TIMEOUT = 10;

    /** Of which namespaces and objects. */
    record Selectors(LabelSelector namespaces, LabelSelector objects) {}

    /**
     * How it behaves.
     *
     * @param mayBeMissing whether a write goes on without its answer
     * @param dryRunSafe whether it may be asked about trials
     * @param reinvoked whether it wants to be asked again when others changed the object after it
     */
    record Conduct(boolean mayBeMissing, boolean dryRunSafe, boolean reinvoked) {}

    /** Reads a webhook that was found valid. */
    static Webhook from(JsonNode hook) {
        String sideEffects = Trees.text(hook, "sideEffects");
        return new Webhook(
                Trees.text(hook, "name"),
                address(hook),
                Trees.objects(hook, "rules").stream().map(WebhookRule::from).toList(),
                new Selectors(selector(hook, "namespaceSelector"), selector(hook, "objectSelector")),
                new Conduct(
                        Trees.text(hook, "failurePolicy").equals("Ignore"),
                        sideEffects.equals("None") || sideEffects.equals("NoneOnDryRun"),
                        Trees.text(hook, "reinvocationPolicy").equals("IfNeeded")));
    }

    /** Whether it wants to see a write to an object in a namespace with these labels; empty: in none. */
    boolean wants(AdmissionRequest request, Optional<Map<String, String>> namespaceLabels) {
        return rules.stream().anyMatch(rule -> rule.matches(request))
                && namespaceLabels.map(selectors.namespaces()::matches).orElse(true)
                && wantsObject(request);
    }

    private boolean wantsObject(AdmissionRequest request) {
        if (selectors.objects().requirements().isEmpty()) {
            return true;
        }
        return request.object().filter(this::selects).isPresent()
                || request.oldObject().filter(this::selects).isPresent();
    }

    private boolean selects(ObjectNode object) {
        return selectors.objects().matches(Meta.labels(object));
    }

    private static WebhookAddress address(JsonNode hook) {
        JsonNode config = hook.path("clientConfig");
        String bundle = Trees.text(config, "caBundle");
        String pem = bundle.isEmpty() ? "" : new String(Base64.getDecoder().decode(bundle), StandardCharsets.UTF_8);
        long seconds = hook.path("timeoutSeconds").asLong(USUAL_TIMEOUT);
        return new WebhookAddress(URI.create(Trees.text(config, "url")), pem, Duration.ofSeconds(seconds));
    }

    private static LabelSelector selector(JsonNode hook, String field) {
        try {
            return LabelSelector.from(hook.path(field));
        } catch (SelectorSyntaxException impossible) {
            throw new IllegalStateException("a stored selector cannot be read", impossible);
        }
    }
}
