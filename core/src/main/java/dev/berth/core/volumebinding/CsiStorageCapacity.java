package dev.berth.core.volumebinding;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import java.util.Optional;

/**
 * How much storage of a class there is for some nodes.
 *
 * @param nodeTopology which; empty means none
 * @param maximumVolumeSize how many bytes the largest volume can have, where it is known
 */
public record CsiStorageCapacity(
        String uid, String storageClass, Optional<LabelSelector> nodeTopology, Optional<Long> maximumVolumeSize)
        implements StorageObject {
    /** Whether a volume of so many bytes can be made for the node. */
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
