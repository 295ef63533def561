/**
 * Koordinator's Reservation. The door places each Reservation like a pod, holds the place for the pods of its owners,
 * and reports in the status what happened to it.
 *
 * <h2>From the wire to the ledger</h2>
 *
 * Steps 1 to 3 are in module kubernetes, step 4 in engine, the others in core. A class in parentheses is called by the
 * step or only passes the value on.
 *
 * <pre>{@code
 *   a Reservation is added or updated                      a Reservation is placed
 *    1. ApiListerWatcher (ReservationProjection)            1. LedgerLoop.turn
 *    2. Reflector (KnownObjects)                            2. Scheduler.scheduleOne (SchedulingQueue)
 *    3. WatchedResourceEventHandler (FactPublisher)         3. PlacementRequests.schedule (Placer)
 *    4. LedgerLoop (Inbox)                                  4. KoordinatorDoor.onPlaced
 *    5. Scheduler (ComponentDispatcher)                     5. ReservationController.setFoundPlace
 *    6. KoordinatorDoor.onFact                              6. ObjectController (ReservationHoldFactory, HoldsByObject)
 *    7. ReservationController.onUpsert                      7. ComponentHandle.putHold (SchedulingContext)
 *    8. ObjectController (ReservationHoldFactory,           8. Ledger
 *       HoldsByObject)
 *    9. ComponentHandle.putHold (SchedulingContext)
 *   10. Ledger
 * }</pre>
 *
 * A Reservation without a place has no hold yet. For it step 7 calls {@code ComponentHandle.requestPlacement}, which
 * adds it to the scheduling queue.
 *
 * <h2>From the ledger to the wire</h2>
 *
 * A turn calls {@link dev.berth.core.door.koordinator.KoordinatorDoor#reconcile}, which writes the statuses that
 * changed.
 *
 * <pre>{@code
 *    1. ObjectController (ReservationController, ReservationStatusCalculator, Reconciler)
 *    2. ComponentHandle (SchedulingContext)
 *    3. LedgerLoop (EffectQueue)
 *    4. WriteDispatcher
 *    5. EffectWriter (WriteEncoders, KoordinatorApi)
 *    6. ApiClient
 * }</pre>
 *
 * <p>The result of a write comes back through LedgerLoop to KoordinatorDoor.onWriteResult. Pods can use the hold once
 * the watch shows the status with the node.
 */
@NullMarked
package dev.berth.core.door.koordinator;

import org.jspecify.annotations.NullMarked;
