/**
 * The preAllocation of reservations: a reservation takes over the resources of pods that run already. Until such a pod
 * ends it backs the hold of the reservation, and then the hold keeps what the pod used.
 *
 * <p>{@link dev.berth.core.door.koordinator.preallocation.PreAllocations} finds the pods of a pending reservation and
 * its node. The door puts the hold with these pods as its backers, and the status of the reservation records them.
 */
@NullMarked
package dev.berth.core.door.koordinator.preallocation;

import org.jspecify.annotations.NullMarked;
