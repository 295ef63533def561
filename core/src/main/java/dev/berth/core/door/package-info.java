/**
 * What all doors share: the interface {@link dev.berth.core.door.Door} and the context that a door is given. A door is an
 * integration by which holds come into the ledger; each is a sub-package under the name that users know.
 *
 * <p>Doors and plugins are called by {@code scheduling/ComponentDispatcher.java}, doors first, in the order of {@code
 * hold/Origin.java}:
 *
 * <ol>
 *   <li>When a fact is applied: {@code onFact} for an object of the door ({@code scheduling/Scheduler.java}), {@code
 *       onPodUpsert}, {@code onNodeUpsert}, {@code onWorkloadUpsert} and so on for objects of the cluster ({@code
 *       scheduling/EventHandlers.java}), {@code onClaimsChanged} and {@code onHoldEnded} for the door's holds. The door
 *       puts holds at once.
 *   <li>Before pods are scheduled, once all objects are listed: {@code reconcile} of every component, then {@code
 *       reconcileLast} of every door. The door writes its objects.
 *   <li>While pods are scheduled: {@code onPlaced} or {@code onUnschedulable} for a request of the door ({@code
 *       scheduling/PlacementRequests.java}), and the extension points that the door implements ({@code core/framework}).
 *   <li>When the API server answers a write: {@code onWriteResult}.
 * </ol>
 *
 * <p>The package documentation of each door lists the steps from the wire to the ledger, at most 10, and from the ledger to
 * the wire, at most 6.
 *
 * <p>Doors do not call each other and do not write each other's objects: they meet in the ledger.
 */
@NullMarked
package dev.berth.core.door;

import org.jspecify.annotations.NullMarked;
