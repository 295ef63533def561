package dev.berth.core.hold;

import dev.berth.core.resource.ResourceName;
import java.util.Set;

/** How far an owner may exceed the hold. */
public sealed interface AllocatePolicy {
    /** The owner uses the hold first, and then free resources of the node. */
    record Aligned() implements AllocatePolicy {}

    /** The owner gets no more of the named resources than the hold has left, as far as the hold has them. */
    record Restricted(Set<ResourceName> resources) implements AllocatePolicy {
        public Restricted {
            resources = Set.copyOf(resources);
        }
    }
}
