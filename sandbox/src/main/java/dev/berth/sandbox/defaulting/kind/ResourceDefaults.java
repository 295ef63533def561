package dev.berth.sandbox.defaulting.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.util.Map;

/** Rounds resource amounts and sets the default requests of containers. */
final class ResourceDefaults {
    private ResourceDefaults() {}

    static void round(ObjectNode resources) {
        NestedFields.object(resources, "limits").ifPresent(ResourceDefaults::roundList);
        NestedFields.object(resources, "requests").ifPresent(ResourceDefaults::roundList);
    }

    /** Rounds each amount up to a thousandth. */
    static void roundList(ObjectNode amounts) {
        for (Map.Entry<String, JsonNode> entry : amounts.properties()) {
            StoredQuantity.of(entry.getValue())
                    .ifPresent(amount -> entry.setValue(
                            TextNode.valueOf(amount.roundedUpToMilli().toString())));
        }
    }

    /** Sets each missing request of a container to its limit. */
    static void defaultRequestsToLimits(ObjectNode container) {
        NestedFields.object(container, "resources")
                .ifPresent(resources -> NestedFields.object(resources, "limits")
                        .filter(limits -> !limits.isEmpty())
                        .ifPresent(
                                limits -> copyMissing(limits, NestedFields.getOrCreateObject(resources, "requests"))));
    }

    static void copyMissing(ObjectNode from, ObjectNode to) {
        from.properties().forEach(entry -> {
            if (!to.has(entry.getKey())) {
                to.set(entry.getKey(), entry.getValue());
            }
        });
    }
}
