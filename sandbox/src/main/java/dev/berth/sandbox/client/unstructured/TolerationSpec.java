package dev.berth.sandbox.client.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** What a pod bears: taints by key, value and effect, for a time or for good (empty). */
public record TolerationSpec(
        String key, String operator, String value, String effect, Optional<Duration> tolerationTime) {

    public static TolerationSpec of(JsonNode node) {
        JsonNode seconds = node.path("tolerationSeconds");
        Optional<Duration> time =
                seconds.isNumber() ? Optional.of(Duration.ofSeconds(Math.max(0, seconds.asLong()))) : Optional.empty();
        return new TolerationSpec(
                JsonFields.stringValue(node, "key"),
                JsonFields.stringValue(node, "operator"),
                JsonFields.stringValue(node, "value"),
                JsonFields.stringValue(node, "effect"),
                time);
    }

    public boolean tolerates(JsonNode taint) {
        boolean sameEffect = effect.isEmpty() || effect.equals(JsonFields.stringValue(taint, "effect"));
        boolean sameKey = key.isEmpty() || key.equals(JsonFields.stringValue(taint, "key"));
        boolean sameValue = operator.equals("Exists") || value.equals(JsonFields.stringValue(taint, "value"));
        return sameEffect && sameKey && sameValue && (!key.isEmpty() || operator.equals("Exists"));
    }
}
