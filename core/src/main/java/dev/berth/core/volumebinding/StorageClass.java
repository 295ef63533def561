package dev.berth.core.volumebinding;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import java.util.List;

/**
 * A StorageClass.
 *
 * @param waitsForFirstConsumer whether volumes are bound only when the pod that mounts them is placed
 * @param allowedTopologies terms of which a node must meet one for a volume to be made there; none means every node
 */
public record StorageClass(
        String name,
        String uid,
        String provisioner,
        boolean waitsForFirstConsumer,
        List<NodeSelectorTerm> allowedTopologies)
        implements StorageObject {
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    public StorageClass {
        allowedTopologies = List.copyOf(allowedTopologies);
    }

    /** Whether volumes are made on demand. */
    public boolean hasProvisioner() {
        return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    public boolean allows(Node node) {
        return allowedTopologies.isEmpty() || allowedTopologies.stream().anyMatch(term -> term.matches(node));
    }
}
