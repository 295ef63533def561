/**
 * The one thread that owns the ledger, how facts and commands reach it, and how effects leave it.
 *
 * <p>From the API server to the ledger, as seen from here (the hops before are in {@code kubernetes}):
 *
 * <ol>
 *   <li>{@code LedgerLoop.accept}: an informer hands over a fact
 *   <li>{@code Inbox.put}: it waits in the order of arrival
 *   <li>{@code LedgerLoop.turn} drains the inbox
 *   <li>{@code Scheduler.apply} (core) changes the ledger
 * </ol>
 *
 * <p>From the ledger to the API server:
 *
 * <ol>
 *   <li>{@code Scheduler.scheduleOne} (core) assumes a placement and returns effects
 *   <li>{@code LedgerLoop.turn} publishes the snapshot, then dispatches the effects of {@code EffectQueue}
 *   <li>{@code BindDispatcher}, {@code WriteDispatcher} or {@code ReportDispatcher} sends, retries and awaits the result
 *   <li>{@code ApiServerClient}: implemented by {@code EffectWriter} (kubernetes), which encodes and sends the request
 * </ol>
 *
 * <p>The response returns by {@code Inbox.addResponse} to the same dispatcher. A bind in flight is in one book: {@code
 * BindsInFlight}.
 *
 * <p>Calls of other threads: {@code LoopClient} runs a command on the loop and waits for the reply, which comes after the
 * snapshot with its outcome is published. Readers need no command: {@code LedgerLoop.snapshot} and {@code
 * LedgerLoop.filterState}.
 */
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;
