package dev.berth.embedded.client.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** What a pod bears: taints by key, value and effect, for a time or for good (empty). */
public record Toleration(String key, String operator, String value, String effect, Optional<Duration> time) {

    public static Toleration of(JsonNode node) {
        JsonNode seconds = node.path("tolerationSeconds");
        Optional<Duration> time =
                seconds.isNumber() ? Optional.of(Duration.ofSeconds(Math.max(0, seconds.asLong()))) : Optional.empty();
        return new Toleration(
                Json.text(node, "key"),
                Json.text(node, "operator"),
                Json.text(node, "value"),
                Json.text(node, "effect"),
                time);
    }

    public boolean tolerates(JsonNode taint) {
        boolean sameEffect = effect.isEmpty() || effect.equals(Json.text(taint, "effect"));
        boolean sameKey = key.isEmpty() || key.equals(Json.text(taint, "key"));
        boolean sameValue = operator.equals("Exists") || value.equals(Json.text(taint, "value"));
        return sameEffect && sameKey && sameValue && (!key.isEmpty() || operator.equals("Exists"));
    }
}
