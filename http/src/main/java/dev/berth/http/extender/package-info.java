/**
 * The HTTP extender of kube-scheduler: which nodes fit a pod with all holds on them, and binding the pod to one of them.
 *
 * <p>Filter, on the HTTP thread alone:
 *
 * <ol>
 *   <li>{@code HttpListener}, {@code Router}: read the body, find the route
 *   <li>{@code ExtenderEndpoints}: parses {@code FilterRequest}
 *   <li>{@code LedgerLoopExtender.filter}: reads {@code LedgerLoop.filterState}, the published snapshot
 *   <li>{@code SnapshotFilter} (core): the filters of {@code Placer} on that snapshot
 *   <li>{@code ExtenderEndpoints}: writes the JSON
 * </ol>
 *
 * <p>Bind, from the wire to the ledger:
 *
 * <ol>
 *   <li>{@code HttpListener}, {@code Router}
 *   <li>{@code ExtenderEndpoints}: parses {@code BindRequest}
 *   <li>{@code LedgerLoopExtender.bind}
 *   <li>{@code LoopClient.bind} (engine): waits for the reply
 *   <li>{@code LedgerLoop.bindForeignPod}: a command in the {@code Inbox}
 *   <li>{@code ForeignBindRequests}: one bind for repeated calls
 *   <li>{@code Scheduler.bindForeignPod} (core)
 *   <li>{@code ForeignBinds} (core): checks the pod and the node, assumes the placement
 * </ol>
 *
 * <p>From there the bind goes to the API server as every bind does: see the package documentation of {@code engine}.
 *
 * <p>Bind, the way back:
 *
 * <ol>
 *   <li>{@code BindDispatcher} (engine): the result of the bind
 *   <li>{@code BindResultHandler} (engine): passes the result to the scheduler and to the call that waits for it
 *   <li>{@code DeferredReplies} (engine): completes the call after the snapshot is published
 *   <li>{@code LoopClient.bind} (engine), {@code LedgerLoopExtender.bind}
 *   <li>{@code ExtenderEndpoints}: writes the JSON, with the reason if the pod is not bound
 * </ol>
 */
@NullMarked
package dev.berth.http.extender;

import org.jspecify.annotations.NullMarked;
