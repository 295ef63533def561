/**
 * The loop: the one thread that owns the ledger, how facts and commands reach it, and how effects leave it.
 *
 * <h2>The way of a pod</h2>
 *
 * Classes without a module name are in core. A class in parentheses is called by the step or only passes the value on.
 *
 * <pre>{@code
 *   a pod is added                                         the pod is scheduled and bound
 *    1. ApiListerWatcher (PodProjection), kubernetes        1. LedgerLoop.turn, engine
 *    2. Reflector (KnownObjects), kubernetes                2. Scheduler.scheduleOne (SchedulingQueue.pop)
 *    3. PodEventHandler (FactPublisher), kubernetes         3. Placer (ProfilePlacer): filters and scores
 *    4. LedgerLoop (Inbox), engine                          4. BindingCycle (ExtensionPoints): Reserve, PreBind
 *    5. Scheduler.apply                                     5. Ledger.assume
 *    6. EventHandlers.onPodUpsert
 *    7. Ledger.put, SchedulingQueue.addOrUpdate
 * }</pre>
 *
 * <pre>{@code
 *   from the ledger to the wire
 *    1. LedgerLoop publishes the snapshot, then dispatches the effects of EffectQueue
 *    2. BindDispatcher (BindsInFlight) sends, retries and awaits the result
 *    3. EffectWriter (RequestBodies), kubernetes
 *    4. ApiClient (Http2Client), kubernetes
 * }</pre>
 *
 * <p>The response returns through {@code Inbox.addResponse} to {@code BindDispatcher}. {@code BindResultHandler} passes
 * the result to {@code Scheduler.onBound} or {@code Scheduler.onBindFailed}. The watch then shows the bound pod, which
 * confirms the assumption. Other effects go through {@code WriteDispatcher} (objects of doors and plugins) or {@code
 * ReportDispatcher} (conditions and events) in the same way.
 *
 * <pre>{@code
 *   a pod is deleted
 *    1. ApiListerWatcher (PodProjection), kubernetes
 *    2. Reflector (KnownObjects), kubernetes
 *    3. PodEventHandler.onDelete (FactPublisher), kubernetes
 *    4. LedgerLoop.accept (Inbox), engine
 *    5. Scheduler.apply
 *    6. EventHandlers.onPodDelete
 *    7. Ledger.removePod, SchedulingQueue.remove, ComponentDispatcher for the doors and plugins
 * }</pre>
 *
 * <h2>A response is lost</h2>
 *
 * Berth then does not know whether the API server carried out the write.
 *
 * <ul>
 *   <li>A bind: {@code BindDispatcher} reads the pod.
 *   <li>A write of a door or plugin: {@code WriteDispatcher} sends it again. If a retry is denied, the component has to
 *       read the object first.
 *   <li>An event: {@code ReportDispatcher} sends it again under the same name. The answer 409 counts as written.
 * </ul>
 *
 * <h2>Calls of other threads</h2>
 *
 * {@code LoopClient} runs a command on the loop and waits for the reply, which comes after the snapshot with its
 * outcome is published. Readers need no command: {@code LedgerLoop.snapshot} and {@code LedgerLoop.filterState}.
 */
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;
