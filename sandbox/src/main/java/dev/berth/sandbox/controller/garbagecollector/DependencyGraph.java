package dev.berth.sandbox.controller.garbagecollector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The owner references of all known objects, by UID. */
final class DependencyGraph {
    private final Map<String, GraphNode> nodesByUid = new HashMap<>();
    private final Map<String, SortedSet<GraphNode>> dependents = new HashMap<>();

    void add(RestMapping restMapping, ObjectNode object) {
        GraphNode graphNode = GraphNode.of(restMapping, object);
        nodesByUid.put(graphNode.uid(), graphNode);
        for (OwnerReference owner : ObjectMetaReader.ownerReferences(object)) {
            dependents.computeIfAbsent(owner.uid(), none -> new TreeSet<>()).add(graphNode);
        }
    }

    void remove(RestMapping restMapping, ObjectNode object) {
        GraphNode graphNode = GraphNode.of(restMapping, object);
        nodesByUid.remove(graphNode.uid());
        for (OwnerReference owner : ObjectMetaReader.ownerReferences(object)) {
            SortedSet<GraphNode> others = dependents.get(owner.uid());
            if (others != null) {
                others.remove(graphNode);
                if (others.isEmpty()) {
                    dependents.remove(owner.uid());
                }
            }
        }
    }

    /** The objects that name that UID among their owners. */
    Collection<GraphNode> dependentsOf(String uid) {
        SortedSet<GraphNode> found = dependents.get(uid);
        return found == null ? List.of() : List.copyOf(found);
    }

    /** The owner of the reference in that namespace; empty for a reference across namespaces. */
    Optional<GraphNode> findOwner(OwnerReference reference, String namespace) {
        return Optional.ofNullable(nodesByUid.get(reference.uid()))
                .filter(graphNode -> graphNode.restMapping().kind().equals(reference.kind())
                        && graphNode.restMapping().group().equals(reference.group()))
                .filter(item -> matches(item.key(), reference, namespace));
    }

    private static boolean matches(NamespacedName key, OwnerReference reference, String namespace) {
        return key.name().equals(reference.name())
                && (key.namespace().isEmpty() || key.namespace().equals(namespace));
    }
}
