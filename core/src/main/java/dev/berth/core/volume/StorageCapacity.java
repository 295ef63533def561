package dev.berth.core.volume;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import java.util.Optional;

/**
 * How much storage of a class there is for some nodes.
 *
 * @param nodes which; empty means none
 * @param largest how many bytes the largest volume can have, where it is known
 */
public record StorageCapacity(String uid, String storageClass, Optional<LabelSelector> nodes, Optional<Long> largest)
        implements StorageObject {
    /** Whether a volume of so many bytes can be made for the node. */
    public boolean suffices(long bytes, Node node) {
        return largest.filter(limit -> limit >= bytes).isPresent()
                && nodes.filter(selector -> selector.matches(node.labels())).isPresent();
    }

    public boolean isMoreThan(StorageCapacity before) {
        return largest.isPresent() && (before.largest.isEmpty() || largest.get() > before.largest.get());
    }
}
