package dev.berth.embedded.workload.namespace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Timestamps;
import dev.berth.embedded.workload.control.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is left in a namespace that is being emptied, and what stands in the way. */
final class Remains {
    private final boolean everythingDiscovered;
    private final Map<String, Integer> byResource = new TreeMap<>();
    private final Map<String, Integer> byFinalizer = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    Remains(boolean everythingDiscovered) {
        this.everythingDiscovered = everythingDiscovered;
    }

    void add(Resource resource, List<ObjectNode> objects) {
        if (!objects.isEmpty()) {
            byResource.put(qualified(resource), objects.size());
        }
        for (ObjectNode object : objects) {
            Meta.finalizers(object).forEach(finalizer -> byFinalizer.merge(finalizer, 1, Integer::sum));
        }
    }

    void failed(Resource resource, ApiException problem) {
        failures.add(qualified(resource) + ": " + problem.getMessage());
    }

    private static String qualified(Resource resource) {
        return resource.plural() + "." + resource.group();
    }

    /** Whether the namespace may go. What could not be discovered may still hold something. */
    boolean nothing() {
        return everythingDiscovered && byResource.isEmpty() && failures.isEmpty();
    }

    /** Writes the conditions of the namespace, as {@code kubectl describe} shows them; gives the newest namespace. */
    ObjectNode report(ObjectNode namespace, Workspace workspace) {
        ObjectNode status = Json.copyOf(namespace, "status");
        String now = Timestamps.seconds(workspace.now());
        set(
                status,
                now,
                "NamespaceDeletionDiscoveryFailure",
                !everythingDiscovered,
                everythingDiscovered
                        ? new String[] {"ResourcesDiscovered", "All resources successfully discovered"}
                        : new String[] {"DiscoveryFailed", "Discovery failed for some groups"});
        set(status, now, "NamespaceDeletionGroupVersionParsingFailure", false, new String[] {
            "ParsedGroupVersions", "All legacy kube types successfully parsed"
        });
        set(
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
        set(
                status,
                now,
                "NamespaceContentRemaining",
                !byResource.isEmpty(),
                byResource.isEmpty()
                        ? new String[] {"ContentRemoved", "All content successfully removed"}
                        : new String[] {
                            "SomeResourcesRemain",
                            "Some resources are remaining: " + counted(byResource, "has %d resource instances")
                        });
        set(
                status,
                now,
                "NamespaceFinalizersRemaining",
                !byFinalizer.isEmpty(),
                byFinalizer.isEmpty()
                        ? new String[] {"ContentHasNoFinalizers", "All content-preserving finalizers finished"}
                        : new String[] {
                            "SomeFinalizersRemain",
                            "Some content in the namespace has finalizers remaining: "
                                    + counted(byFinalizer, "in %d resource instances")
                        });
        if (Json.same(Json.at(namespace, "status"), status)) {
            return namespace;
        }
        ObjectNode changed = Json.copy(namespace);
        changed.set("status", status);
        return workspace.writes().updateStatus(Resource.NAMESPACES, changed);
    }

    private static String counted(Map<String, Integer> counts, String phrase) {
        List<String> parts = new ArrayList<>();
        counts.forEach((name, count) -> parts.add(name + " " + phrase.formatted(count)));
        return String.join(", ", parts);
    }

    private static void set(ObjectNode status, String now, String type, boolean value, String[] why) {
        String word = value ? "True" : "False";
        String since = Conditions.find(status, type)
                .filter(before -> Conditions.is(before, word))
                .map(before -> Json.text(before, "lastTransitionTime"))
                .orElse(now);
        ObjectNode condition = Json.object().put("type", type).put("status", word);
        condition.put("lastTransitionTime", since).put("reason", why[0]).put("message", why[1]);
        Conditions.put(status, condition);
    }
}
