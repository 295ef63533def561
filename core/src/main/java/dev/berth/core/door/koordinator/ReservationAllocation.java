package dev.berth.core.door.koordinator;

import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashSet;
import java.util.Set;

/**
 * How much of a reservation its owners may use.
 *
 * @param restricted whether an owner gets no more of a restricted resource than is left of it
 * @param restrictedResources the restricted resources; if the reservation has none of them, all of its resources are
 * restricted
 * @param innerReserved what is held but not for owners
 */
public record ReservationAllocation(
        boolean restricted, Set<ResourceName> restrictedResources, Resources innerReserved) {
    public static final ReservationAllocation ALIGNED = new ReservationAllocation(false, Set.of(), Resources.NONE);
    public static final ReservationAllocation RESTRICTED = new ReservationAllocation(true, Set.of(), Resources.NONE);

    public ReservationAllocation {
        restrictedResources = Set.copyOf(restrictedResources);
    }

    /**
     * The policy of the hold.
     *
     * @param held the resources of the reservation; pod slots are among them only if the reservation declares them, and
     * then they are restricted, whatever the restricted resources are
     * @param ignored what is never restricted
     */
    AllocatePolicy policy(Resources held, IgnoredResources ignored) {
        if (!restricted) {
            return new AllocatePolicy.Aligned(innerReserved);
        }
        Set<ResourceName> names = new HashSet<>(restrictedResources);
        names.retainAll(held.toMap().keySet());
        if (names.isEmpty()) {
            names.addAll(held.toMap().keySet());
        }
        if (held.has(ResourceName.PODS)) {
            names.add(ResourceName.PODS);
        }
        names.removeIf(ignored::contains);
        return new AllocatePolicy.Restricted(names, innerReserved);
    }
}
