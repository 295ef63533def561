package dev.berth.core.volumebinding;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import java.util.Optional;

/**
 * A CSIStorageCapacity: the capacity of a StorageClass for some nodes.
 *
 * @param nodeTopology selects the nodes; empty means none
 * @param maximumVolumeSize the maximum size of a volume in bytes, if it is known
 */
public record CsiStorageCapacity(
        String uid, String storageClass, Optional<LabelSelector> nodeTopology, Optional<Long> maximumVolumeSize)
        implements StorageObject {
    /** Whether a volume of so many bytes can be provisioned for the node. */
    public boolean canProvision(long bytes, Node node) {
        return maximumVolumeSize.filter(limit -> limit >= bytes).isPresent()
                && nodeTopology
                        .filter(selector -> selector.matches(node.labels()))
                        .isPresent();
    }

    public boolean exceeds(CsiStorageCapacity before) {
        return maximumVolumeSize.isPresent()
                && (before.maximumVolumeSize.isEmpty() || maximumVolumeSize.get() > before.maximumVolumeSize.get());
    }
}
