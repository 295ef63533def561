package dev.berth.sandbox.controller.garbagecollector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.Comparator;

/** The identity of an object in the graph: the UID distinguishes objects of the same name. */
public record GraphNode(RestMapping restMapping, NamespacedName key, String uid) implements Comparable<GraphNode> {
    private static final Comparator<GraphNode> ORDER = Comparator.comparing(GraphNode::restMapping)
            .thenComparing(GraphNode::key)
            .thenComparing(GraphNode::uid);

    static GraphNode of(RestMapping restMapping, ObjectNode object) {
        return new GraphNode(restMapping, NamespacedName.of(object), ObjectMetaReader.uid(object));
    }

    @Override
    public int compareTo(GraphNode other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return restMapping.kind() + " " + key;
    }
}
