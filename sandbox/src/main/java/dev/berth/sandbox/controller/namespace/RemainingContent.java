package dev.berth.sandbox.controller.namespace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.SemanticEquality;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The remaining content of a terminating namespace, and the errors and finalizers that block it. */
final class RemainingContent {
    private final boolean discoveryComplete;
    private final Map<String, Integer> byResource = new TreeMap<>();
    private final Map<String, Integer> byFinalizer = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    RemainingContent(boolean everythingDiscovered) {
        this.discoveryComplete = everythingDiscovered;
    }

    void add(RestMapping restMapping, List<ObjectNode> objects) {
        if (!objects.isEmpty()) {
            byResource.put(qualified(restMapping), objects.size());
        }
        for (ObjectNode object : objects) {
            ObjectMetaReader.finalizers(object).forEach(finalizer -> byFinalizer.merge(finalizer, 1, Integer::sum));
        }
    }

    void addFailure(RestMapping restMapping, ApiException problem) {
        failures.add(qualified(restMapping) + ": " + problem.getMessage());
    }

    private static String qualified(RestMapping restMapping) {
        return restMapping.plural() + "." + restMapping.group();
    }

    /** Whether the namespace is empty. A group whose discovery failed may still have objects. */
    boolean isEmpty() {
        return discoveryComplete && byResource.isEmpty() && failures.isEmpty();
    }

    /** Writes the conditions of the namespace, as {@code kubectl describe} shows them; returns the newest namespace. */
    ObjectNode writeConditions(ObjectNode namespace, ControllerContext controllerContext) {
        ObjectNode status = NestedFields.copyOf(namespace, "status");
        String now = TimestampFormat.formatTime(controllerContext.now());
        setCondition(
                status,
                now,
                "NamespaceDeletionDiscoveryFailure",
                !discoveryComplete,
                discoveryComplete
                        ? new String[] {"ResourcesDiscovered", "All resources successfully discovered"}
                        : new String[] {"DiscoveryFailed", "Discovery failed for some groups"});
        setCondition(status, now, "NamespaceDeletionGroupVersionParsingFailure", false, new String[] {
            "ParsedGroupVersions", "All legacy kube types successfully parsed"
        });
        setCondition(
                status,
                now,
                "NamespaceDeletionContentFailure",
                !failures.isEmpty(),
                failures.isEmpty()
                        ? new String[] {
                            "ContentDeleted", "All content successfully deleted, may be waiting on finalization"
                        }
                        : new String[] {
                            "ContentDeletionFailed",
                            "Failed to delete all resource types: " + String.join(", ", failures)
                        });
        setCondition(
                status,
                now,
                "NamespaceContentRemaining",
                !byResource.isEmpty(),
                byResource.isEmpty()
                        ? new String[] {"ContentRemoved", "All content successfully removed"}
                        : new String[] {
                            "SomeResourcesRemain",
                            "Some resources are remaining: " + describeCounts(byResource, "has %d resource instances")
                        });
        setCondition(
                status,
                now,
                "NamespaceFinalizersRemaining",
                !byFinalizer.isEmpty(),
                byFinalizer.isEmpty()
                        ? new String[] {"ContentHasNoFinalizers", "All content-preserving finalizers finished"}
                        : new String[] {
                            "SomeFinalizersRemain",
                            "Some content in the namespace has finalizers remaining: "
                                    + describeCounts(byFinalizer, "in %d resource instances")
                        });
        if (SemanticEquality.areEqual(NestedFields.at(namespace, "status"), status)) {
            return namespace;
        }
        ObjectNode changed = namespace.deepCopy();
        changed.set("status", status);
        return controllerContext.writeThroughClient().updateStatus(RestMapping.NAMESPACES, changed);
    }

    private static String describeCounts(Map<String, Integer> counts, String phrase) {
        List<String> parts = new ArrayList<>();
        counts.forEach((name, count) -> parts.add(name + " " + phrase.formatted(count)));
        return String.join(", ", parts);
    }

    private static void setCondition(ObjectNode status, String now, String type, boolean value, String[] why) {
        String word = value ? "True" : "False";
        String since = StatusConditions.findInStatus(status, type)
                .filter(before -> StatusConditions.hasStatus(before, word))
                .map(before -> NestedFields.text(before, "lastTransitionTime"))
                .orElse(now);
        ObjectNode condition = NestedFields.newObject().put("type", type).put("status", word);
        condition.put("lastTransitionTime", since).put("reason", why[0]).put("message", why[1]);
        StatusConditions.set(status, condition);
    }
}
