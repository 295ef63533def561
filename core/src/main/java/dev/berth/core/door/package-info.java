/**
 * What all doors share: the interface {@link dev.berth.core.door.Door} and the handle that a door is given. A door is an
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
 *       reconcileLast} of a door that is a {@link dev.berth.core.door.LateReconciler}. The door writes its objects.
 *   <li>While pods are scheduled: {@code onPlaced} or {@code onUnschedulable} for a request of the door ({@code
 *       scheduling/PlacementRequests.java}), and the extension points that the door implements ({@code core/framework}).
 *   <li>When the API server answers a write: {@code onWriteResult}.
 * </ol>
 *
 * <p>The package documentation of each door lists the steps from the wire to the ledger, at most 10, and from the ledger to
 * the wire, at most 6.
 *
 * <h2>Adding a door</h2>
 *
 * <ol>
 *   <li>{@code hold/Origin.java}: a {@code DoorId} with the name that the configuration has. The compiler then shows
 *       each {@code switch} that must decide about it: {@code EnabledDoors} and {@code InstallCommand} in app, {@code
 *       CrdManifest} in kubernetes, {@code Invariants} in core.
 *   <li>{@code core/door/<name>}: an implementation of {@link dev.berth.core.door.Door}. Its objects are reconciled by an
 *       {@code ObjectController} ({@code core/reconcile}): the door says how they read, which holds they mean and what their
 *       status says. Its {@code package-info.java} lists the steps from the wire to the ledger and back, which {@code
 *       DoorPathsTest} counts.
 *   <li>{@code kubernetes/door/<name>}: a projection for its objects, and the encoders of its writes. {@code
 *       EnabledDoors} connects them with the door.
 *   <li>{@code app/src/main/resources/install/role-<name>.yaml}: its permissions. {@code
 *       kubernetes/src/main/resources/dev/berth/kubernetes/crd}: its CRDs.
 *   <li>{@code docs/doors}: a page for its users.
 * </ol>
 *
 * <p>Doors do not call each other and do not write each other's objects: they meet in the ledger.
 */
@NullMarked
package dev.berth.core.door;

import org.jspecify.annotations.NullMarked;
