/**
 * Resources that an annotation of a node reserves for the pods of one owner.
 *
 * <h2>From the wire to the ledger</h2>
 *
 * Steps 1 to 3 are in module kubernetes, step 4 in engine, the others in core. A class in parentheses is called by the
 * step or only passes the value on.
 *
 * <pre>{@code
 *   a node is added or updated
 *    1. ApiListerWatcher (NodeProjection)
 *    2. Reflector (KnownObjects)
 *    3. NodeEventHandler (NodeAnnotationParser, FactPublisher)
 *    4. LedgerLoop (Inbox)
 *    5. Scheduler (ComponentDispatcher)
 *    6. NodeAnnotationDoor.onFact
 *    7. ObjectController (HoldsByObject)
 *    8. ComponentHandle.putHold (SchedulingContext)
 *    9. Ledger
 * }</pre>
 *
 * <h2>From the ledger to the wire</h2>
 *
 * The door writes only events, about malformed annotations and about annotations without effect.
 *
 * <pre>{@code
 *    1. ObjectController.report (ReportedMessages), or IneffectiveReserveCheck
 *    2. ComponentHandle (SchedulingContext)
 *    3. LedgerLoop (EffectQueue)
 *    4. ReportDispatcher (EventQueue)
 *    5. EffectWriter (EventDeduplicator)
 *    6. ApiClient
 * }</pre>
 */
@NullMarked
package dev.berth.core.door.nodeannotation;

import org.jspecify.annotations.NullMarked;
