package dev.berth.sandbox.defaulting.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.util.Map;

/** Amounts of resources: rounded to thousandths, and requests taken from limits. */
final class ResourceDefaults {
    private ResourceDefaults() {}

    /** Rounds limits and requests of the resources. */
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

    /** A container that limits a resource and requests none of it requests what it is limited to. */
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
