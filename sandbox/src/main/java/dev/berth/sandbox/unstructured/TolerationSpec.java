package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** A toleration of a pod: taints by key, value and effect, for a time or without limit (empty). */
public record TolerationSpec(
        String key, String operator, String value, String effect, Optional<Duration> tolerationTime) {

    public static TolerationSpec of(JsonNode node) {
        JsonNode seconds = node.path("tolerationSeconds");
        Optional<Duration> time =
                seconds.isNumber() ? Optional.of(Duration.ofSeconds(Math.max(0, seconds.asLong()))) : Optional.empty();
        return new TolerationSpec(
                NestedFields.text(node, "key"),
                NestedFields.text(node, "operator"),
                NestedFields.text(node, "value"),
                NestedFields.text(node, "effect"),
                time);
    }

    public boolean tolerates(JsonNode taint) {
        boolean sameEffect = effect.isEmpty() || effect.equals(NestedFields.text(taint, "effect"));
        boolean sameKey = key.isEmpty() || key.equals(NestedFields.text(taint, "key"));
        boolean sameValue = operator.equals("Exists") || value.equals(NestedFields.text(taint, "value"));
        return sameEffect && sameKey && sameValue && (!key.isEmpty() || operator.equals("Exists"));
    }
}
