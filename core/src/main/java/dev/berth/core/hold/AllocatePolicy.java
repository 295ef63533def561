package dev.berth.core.hold;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Set;

/** How much of the hold an owner may use, and how far an owner may exceed it. */
public sealed interface AllocatePolicy {
    /** What of the hold no owner may use. It is held as long as the hold exists, whatever its claims use. */
    Resources innerReserved();

    /** The owner uses the hold first, and then free resources of the node. */
    record Aligned(Resources innerReserved) implements AllocatePolicy {
        public Aligned() {
            this(Resources.NONE);
        }
    }

    /** The owner gets no more of the named resources than the hold has left, as far as the hold has them. */
    record Restricted(Set<ResourceName> resources, Resources innerReserved) implements AllocatePolicy {
        public Restricted {
            resources = Set.copyOf(resources);
        }

        public Restricted(Set<ResourceName> resources) {
            this(resources, Resources.NONE);
        }
    }
}
