package dev.berth.core.hold;

import dev.berth.core.resource.ResourceName;
import java.util.Set;

/** How far an owner may go beyond what the hold keeps. */
public sealed interface AllocatePolicy {
    /** The owner uses the hold first and the node's free room after it. */
    record Aligned() implements AllocatePolicy {}

    /** Of the named resources, as far as the hold keeps them, the owner gets no more than the hold has left. */
    record Restricted(Set<ResourceName> resources) implements AllocatePolicy {
        public Restricted {
            resources = Set.copyOf(resources);
        }
    }
}
