package dev.berth.core.testing;

import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds a node: {@code aNode("n1").with("8 cpu", "32Gi memory").inZone("a").build()}. By default its UID is its name,
 * it has 110 pod slots, and its name is its hostname label.
 */
public final class NodeBuilder {
    private static final long USUAL_PODS = 110;

    private final String name;
    private String uid;
    private Labels labels;
    private Labels annotations = Labels.NONE;
    private Resources allocatable = Resources.of(ResourceName.PODS, USUAL_PODS);
    private boolean unschedulable;
    private Optional<Instant> notReadySince = Optional.empty();
    private Instant created = Instant.EPOCH;
    private final List<Taint> taints = new ArrayList<>();
    private final List<Image> images = new ArrayList<>();

    private NodeBuilder(String name) {
        this.name = name;
        this.uid = name;
        this.labels = Labels.of(Node.HOSTNAME_LABEL, name);
    }

    public static NodeBuilder aNode(String name) {
        return new NodeBuilder(name);
    }

    public NodeBuilder uid(String value) {
        uid = value;
        return this;
    }

    /** What it has to give, such as {@code "8 cpu"}; the last word on a resource counts. */
    public NodeBuilder with(String... amounts) {
        Resources more = Amounts.amounts(amounts);
        for (int i = 0; i < more.size(); i++) {
            allocatable = allocatable.with(more.nameAt(i), more.amountAt(i));
        }
        return this;
    }

    public NodeBuilder labelled(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public NodeBuilder annotated(String key, String value) {
        annotations = annotations.with(key, value);
        return this;
    }

    public NodeBuilder inZone(String zone) {
        return labelled(Node.ZONE_LABEL, zone);
    }

    public NodeBuilder unschedulable() {
        unschedulable = true;
        return this;
    }

    public NodeBuilder created(Instant value) {
        created = value;
        return this;
    }

    public NodeBuilder notReadySince(Instant value) {
        notReadySince = Optional.of(value);
        return this;
    }

    public NodeBuilder tainted(String key, String value, Taint.TaintEffect effect) {
        taints.add(new Taint(key, value, effect));
        return this;
    }

    public NodeBuilder withImage(String image, long bytes) {
        images.add(new Image(List.of(image), bytes));
        return this;
    }

    public Node build() {
        return new Node(
                new NodeUid(uid),
                name,
                labels,
                annotations,
                allocatable,
                unschedulable,
                taints,
                images,
                notReadySince,
                List.of(),
                created);
    }
}
