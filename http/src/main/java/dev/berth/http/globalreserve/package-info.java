/**
 * The Reserve API of kube-globalreserve: two paths, JSON in, JSON or a text out. The strings of the original are kept.
 *
 * <p>From the wire to the ledger:
 *
 * <ol>
 *   <li>{@code HttpListener}, {@code Router}: read the body, find the route
 *   <li>{@code ReserveEndpoints}: parses the request with {@code ReserveJson}
 *   <li>{@code LocalReservePool} (engine): the request as one command
 *   <li>{@code LoopClient.call}: waits for the reply
 *   <li>{@code LedgerLoop.submit}: the command waits in the {@code Inbox}
 *   <li>{@code Scheduler.callDoor} (core)
 *   <li>{@code GlobalReserveDoor.reserve}: decides, and puts the holds into the ledger by its {@code DoorContext}
 * </ol>
 *
 * <p>From the ledger to the wire: the door writes a StoredHold first (effect, {@code WriteDispatcher}, {@code
 * EffectWriter}); the result completes {@code LoopClient.Reply}, which replies after the snapshot is published, and {@code
 * ReserveEndpoints} writes the JSON. An unreserve is answered once it is decided: the hold leaves the ledger when its
 * StoredHold is deleted.
 */
@NullMarked
package dev.berth.http.globalreserve;

import org.jspecify.annotations.NullMarked;
