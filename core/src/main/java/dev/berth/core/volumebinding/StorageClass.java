package dev.berth.core.volumebinding;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import java.util.List;

/**
 * A StorageClass.
 *
 * @param waitsForFirstConsumer whether its volumeBindingMode is WaitForFirstConsumer
 * @param allowedTopologies terms of which one must match a node so that a volume can be provisioned there; none means
 * every node
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

    /** Whether volumes are provisioned dynamically. */
    public boolean hasProvisioner() {
        return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    public boolean allows(Node node) {
        return allowedTopologies.isEmpty() || allowedTopologies.stream().anyMatch(term -> term.matches(node));
    }
}
