package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.FieldWarnings.FieldWarning;
import dev.berth.core.resource.Quantity;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds a request of the template above its limit, in the words of the API server. The API server rejects a pod like that,
 * and Koordinator holds the request.
 */
final class RequestsAboveLimits {
    private RequestsAboveLimits() {}

    /** The first one. Empty also if the template is malformed, which its reader reports. */
    static Optional<FieldWarning> find(JsonObject spec) {
        try {
            return find(spec, "containers").or(() -> find(spec, "initContainers"));
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<FieldWarning> find(JsonObject spec, String kind) {
        List<JsonObject> containers = spec.objects("template", "spec", kind);
        for (int i = 0; i < containers.size(); i++) {
            Optional<FieldWarning> found =
                    findIn(containers.get(i), "spec.template.spec.%s[%d].resources.requests".formatted(kind, i));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<FieldWarning> findIn(JsonObject container, String path) {
        Map<String, String> requests = container.stringMap("resources", "requests");
        return container.stringMap("resources", "limits").entrySet().stream()
                .filter(limit -> requests.containsKey(limit.getKey()))
                .filter(limit -> exceeds(requests.getOrDefault(limit.getKey(), ""), limit.getValue()))
                .findFirst()
                .map(limit -> new FieldWarning(
                        "RequestsExceedLimits",
                        "%s: Invalid value: \"%s\": must be less than or equal to %s limit of %s. The Reservation holds the request"
                                .formatted(
                                        path,
                                        ForeignText.quote(requests.getOrDefault(limit.getKey(), "")),
                                        ForeignText.quote(limit.getKey()),
                                        ForeignText.quote(limit.getValue()))));
    }

    private static boolean exceeds(String request, String limit) {
        return Quantity.parseCapped(request).compareTo(Quantity.parseCapped(limit)) > 0;
    }
}
