/**
 * Named devices and the claims of pods on them: ExtendedResource and ExtendedResourceClaim. The door filters nodes by
 * their devices, assigns devices to placed pods, and writes the status of devices and claims. It puts no holds: the
 * assumption or the bound pod in the ledger has the record of the devices.
 *
 * <h2>From the wire to the ledger</h2>
 *
 * Steps 1 to 3 on the left are in module kubernetes, step 4 in engine, the others in core. A class in parentheses is
 * called by the step or only passes the value on.
 *
 * <pre>{@code
 *   a device or a claim is added or updated                a pod gets devices
 *    1. ApiListerWatcher (DeviceProjection,                 1. LedgerLoop.turn
 *       DeviceClaimProjection)                              2. Scheduler.scheduleOne (SchedulingQueue)
 *    2. Reflector (KnownObjects)                            3. Placer (NodeFilter, DeviceAllocator.veto)
 *    3. WatchedResourceEventHandler (FactPublisher)         4. BindingCycle (ExtensionPoints)
 *    4. LedgerLoop (Inbox)                                  5. DeviceDoor.reserve (DeviceAllocator, DeviceUsage)
 *    5. Scheduler (ComponentDispatcher)                     6. Ledger.assume, with the record
 *    6. DeviceDoor.onFact
 *    7. DeviceStatusReconciler.onUpsert
 *    8. DeviceInventory or DeviceClaimIndex
 * }</pre>
 *
 * <h2>From the ledger to the wire</h2>
 *
 * The record is part of the pod's bind. Afterwards a turn calls {@link
 * dev.berth.core.door.devices.DeviceDoor#reconcile}, which writes the status of the devices and claims.
 *
 * <pre>{@code
 *    1. ObjectController (DeviceStatusReconciler, DeviceStatusCalculator, Reconciler)
 *    2. ComponentHandle (SchedulingContext)
 *    3. LedgerLoop (EffectQueue)
 *    4. WriteDispatcher
 *    5. EffectWriter (WriteEncoders, DevicesApi)
 *    6. ApiClient
 * }</pre>
 */
@NullMarked
package dev.berth.core.door.devices;

import org.jspecify.annotations.NullMarked;
