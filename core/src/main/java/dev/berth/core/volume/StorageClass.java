package dev.berth.core.volume;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import java.util.List;

/**
 * A StorageClass.
 *
 * @param waits whether volumes are bound only when the pod that mounts them is placed
 * @param allowedTopologies terms of which a node must meet one for a volume to be made there; none means every node
 */
public record StorageClass(String name, String uid, String provisioner, boolean waits, List<NodeTerm> allowedTopologies)
        implements StorageObject {
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    public StorageClass {
        allowedTopologies = List.copyOf(allowedTopologies);
    }

    /** Whether volumes are made on demand. */
    public boolean provisions() {
        return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    public boolean allows(Node node) {
        return allowedTopologies.isEmpty() || allowedTopologies.stream().anyMatch(term -> term.matches(node));
    }
}
