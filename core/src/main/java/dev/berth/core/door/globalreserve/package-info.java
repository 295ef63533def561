/**
 * The Reserve API for other schedulers: before a scheduler binds a group of pods, it reserves the places of all of them
 * or of none. A StoredHold object stores each group, because no other object records its holds.
 *
 * <h2>From the wire to the ledger</h2>
 *
 * Steps 1 and 2 on the left are in module http, steps 3 and 4 in engine, the others in core. Steps 1 to 3 on the right
 * are in kubernetes. A class in parentheses is called by the step or only passes the value on.
 *
 * <pre>{@code
 *   POST /reserve                                          a StoredHold is added or updated
 *    1. HttpListener (Router)                               1. ApiListerWatcher (ReservedGroupProjection)
 *    2. ReserveEndpoints (ReserveJson)                      2. Reflector (KnownObjects)
 *    3. LedgerLoopReserveService (LoopClient)               3. WatchedResourceEventHandler (FactPublisher)
 *    4. LedgerLoop (Inbox)                                  4. LedgerLoop (Inbox)
 *    5. Scheduler.callDoor (ComponentDispatcher)            5. Scheduler (ComponentDispatcher)
 *    6. GlobalReserveDoor (ReserveRequests, GroupFit)       6. GlobalReserveDoor.onFact
 *    7. ReservedGroupController.add                         7. ReservedGroupController.onUpsert
 *    8. ReservedPlaceHolds (HoldsByObject)                  8. ReservedPlaceHolds (HoldsByObject)
 *    9. ComponentHandle.putHold (SchedulingContext)         9. ComponentHandle.putHold (SchedulingContext)
 *   10. Ledger                                             10. Ledger
 * }</pre>
 *
 * <h2>From the ledger to the wire</h2>
 *
 * A turn calls {@link dev.berth.core.door.globalreserve.GlobalReserveDoor#reconcile}, which writes the StoredHold.
 *
 * <pre>{@code
 *   create a StoredHold                                    respond to the caller
 *    1. ObjectController (ReservedGroupController,          1. WriteDispatcher, the result of the create
 *       Reconciler)                                         2. Scheduler.onWriteResult (GlobalReserveDoor)
 *    2. ComponentHandle (SchedulingContext)                 3. ReservedGroupController (ReservedGroup)
 *    3. LedgerLoop (EffectQueue)                            4. LoopClient.Reply (LedgerLoop, LedgerLoopReserveService)
 *    4. WriteDispatcher                                     5. ReserveEndpoints (ReserveJson)
 *    5. EffectWriter (WriteEncoders, GlobalReserveApi)      6. HttpListener
 *    6. ApiClient
 * }</pre>
 *
 * <p>The reply is sent after the snapshot with the holds is published.
 *
 * <h2>POST /unreserve</h2>
 *
 * Steps 1 to 5 are those of {@code POST /reserve}. After step 7 Berth responds. Then it updates or deletes the
 * StoredHold, as above. Steps 8 to 10 follow when the watch shows that the StoredHold no longer contains the place.
 *
 * <pre>{@code
 *    6. GlobalReserveDoor.unreserve (ReserveRequests)
 *    7. ReservedPlaceEnds.endPlaces (ReservedGroup)
 *    8. ReservedPlaceHolds (HoldsByObject)
 *    9. ComponentHandle.releaseHold (SchedulingContext)
 *   10. Ledger
 * }</pre>
 */
@NullMarked
package dev.berth.core.door.globalreserve;

import org.jspecify.annotations.NullMarked;
