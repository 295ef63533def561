package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.FilterState;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.scheduling.TimeBudget;
import dev.berth.core.time.Instants;
import dev.berth.engine.metrics.AttemptMetrics;
import dev.berth.engine.metrics.AttemptMetricsSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The one owner of the ledger. Facts, responses and commands reach it through its inbox. Each {@link #turn} drains the
 * inbox, schedules a batch of pods, publishes a snapshot, and only then dispatches effects and replies: a caller that
 * has its reply finds the outcome in the snapshot. A turn ends after some milliseconds and leaves the rest to the next
 * turn, so that commands never wait long.
 *
 * <p>A turn needs no thread of its own: tests and simulations call it, {@link LoopThread} calls it in a loop.
 */
public final class LedgerLoop implements FactSink {
    static final String NOT_READY =
            "Berth is not ready: it has not listed the whole cluster yet, or another replica is the leader. Retry soon";

    private static final int MAX_REPORTS_WAITING = 20_000;
    private static final Duration BATCHING_DELAY = Duration.ofMillis(2);
    /** The end of each kind of work, in parts of a turn; effects have their own time after that. */
    private static final int INBOX_PART = 1;

    private static final int TIMERS_PART = 2;
    private static final int RECONCILE_PART = 3;
    private static final int SCHEDULING_PART = 4;
    private static final int DISPATCH_PARTS = 2;

    private final Scheduler scheduler;
    private final Leadership leadership;
    private final InstantSource clock;
    private final EngineSettings settings;
    private final Inbox inbox;
    private final EffectQueue effectQueue = new EffectQueue();

    private final DelayedTasks delayedTasks = new DelayedTasks();
    private final BindDispatcher bindDispatcher;
    private final ReportDispatcher reportDispatcher;
    private final WriteDispatcher writeDispatcher;
    private final AttemptMetrics attemptMetrics;
    private final Set<ListedKind> unlisted = EnumSet.allOf(ListedKind.class);
    private final BindsInFlight bindsInFlight = new BindsInFlight();
    private final ForeignBindRequests foreignBindRequests;
    private final DeferredReplies replies = new DeferredReplies();
    private final AwaitedSnapshots awaitedSnapshots = new AwaitedSnapshots();

    private TurnBudget turnBudget;
    private volatile FilterState published;
    private volatile boolean ready;
    private volatile int pendingWrites;
    private volatile int retryingWrites;
    private volatile boolean scheduling = true;
    private volatile Optional<IllegalStateException> ended = Optional.empty();

    /** The result of a bind comes later than the reply to the command that requested it. */
    private record PendingBind(CompletableFuture<Optional<String>> result) {}

    public LedgerLoop(
            Scheduler scheduler,
            ApiServerClient apiServerClient,
            Leadership leadership,
            InstantSource clock,
            EngineSettings settings) {
        this.scheduler = scheduler;
        this.leadership = leadership;
        this.clock = clock;
        this.settings = settings;
        this.inbox = new Inbox(settings.inboxSize());
        this.turnBudget = TurnBudget.start(clock, settings.turnTime());
        this.attemptMetrics = new AttemptMetrics(scheduler.queue(), clock);
        DispatchContext context =
                new DispatchContext(apiServerClient, inbox::addResponse, delayedTasks, clock, this::mayWrite);
        this.bindDispatcher = new BindDispatcher(
                context,
                bindsInFlight,
                settings.writeTimeout(),
                new BindResultHandler(scheduler, attemptMetrics, replies, clock, this::dispatch));
        this.foreignBindRequests = new ForeignBindRequests(scheduler, bindsInFlight, clock);
        this.reportDispatcher = new ReportDispatcher(context, reportListener(), settings);
        this.writeDispatcher = new WriteDispatcher(
                context,
                settings.writesInFlight(),
                (write, result) -> scheduler.onWriteResult(write, result, clock.instant()));
        scheduler.setObserver(attemptMetrics);
        this.published = scheduler.filterState();
    }

    @Override
    public void accept(Fact fact) throws InterruptedException {
        put(() -> apply(fact));
    }

    /**
     * A fact that ends the loop is read again by the next process: the error names the object, so that the operator knows
     * which object to edit or to delete.
     */
    private void apply(Fact fact) {
        try {
            scheduler.apply(fact, clock.instant());
        } catch (RuntimeException bug) {
            throw new FactProcessingException(fact, bug);
        }
    }

    @Override
    public void onListed(ListedKind listedKind) throws InterruptedException {
        put(() -> {
            unlisted.remove(listedKind);
            if (unlisted.isEmpty()) {
                reconcileComponents(turnBudget.untilEndOfPart(RECONCILE_PART));
            }
        });
    }

    /**
     * Some doors put the holds of listed objects when they reconcile. Berth is ready only after that, maybe some turns
     * later: a caller must find these holds.
     */
    private void reconcileComponents(TimeBudget timeBudget) {
        ready |= scheduler.reconcileComponents(clock.instant(), timeBudget);
    }

    /** After the end of the loop nothing drains the inbox: an informer must not wait for space in it. */
    private void put(Runnable work) throws InterruptedException {
        if (ended.isEmpty()) {
            inbox.put(work);
        }
    }

    /**
     * Runs a command on the loop's thread: after the facts that came before it, or before them if these take longer
     * than a turn. The future completes on the loop's thread, after the snapshot with the outcome is published;
     * exceptionally if the loop ends before that, or has ended.
     *
     * @throws RejectedExecutionException when the inbox is full
     */
    public <T> CompletableFuture<T> submit(Function<Scheduler, T> command) {
        CompletableFuture<T> future = new CompletableFuture<>();
        return offer(() -> run(command, future), future);
    }

    /**
     * The same for a command that must run after all facts that were accepted before it, even if that takes long.
     *
     * @throws RejectedExecutionException if the inbox is full
     */
    public <T> CompletableFuture<T> submitInOrder(Function<Scheduler, T> command) {
        CompletableFuture<T> future = new CompletableFuture<>();
        return offer(inbox::offerInOrder, () -> run(command, future), future);
    }

    /** One of the queues of the inbox. Returns whether there was space. */
    private interface InboxLane {
        boolean offer(Runnable work, Consumer<IllegalStateException> reject);
    }

    private <T> CompletableFuture<T> offer(Runnable work, CompletableFuture<T> future) {
        return offer(inbox::offer, work, future);
    }

    private <T> CompletableFuture<T> offer(InboxLane lane, Runnable work, CompletableFuture<T> future) {
        if (ended.isPresent()) {
            future.completeExceptionally(ended.get());
            return future;
        }
        if (!lane.offer(work, future::completeExceptionally)) {
            throw new RejectedExecutionException(
                    "the inbox is full (%d waiting): retry later".formatted(settings.inboxSize()));
        }
        // The loop may have ended between the check and the offer.
        ended.ifPresent(inbox::rejectAll);
        return future;
    }

    /**
     * Completes the future after the snapshot of this turn is published; exceptionally when the loop ends before that.
     * Call this on the loop's thread, from a command or from a callback of a component.
     */
    <T> void completeAfterPublish(CompletableFuture<T> future, T outcome) {
        replies.complete(future, outcome);
    }

    /**
     * Binds a pod of another scheduler to the node which that scheduler chose.
     *
     * @return completes when the result is known: empty when the pod is bound to the node, else why it is not;
     *     exceptionally when the loop ends before that
     * @throws RejectedExecutionException when the inbox is full
     */
    public CompletableFuture<Optional<String>> bindForeignPod(PodUid pod, String node) {
        return submit(same -> new PendingBind(sendForeignBind(pod, node))).thenCompose(PendingBind::result);
    }

    private CompletableFuture<Optional<String>> sendForeignBind(PodUid pod, String node) {
        if (!ready || !mayWrite()) {
            return CompletableFuture.completedFuture(
                    Optional.of(ready ? ForeignBindRequests.LEADERSHIP_LOST : NOT_READY));
        }
        return foreignBindRequests.bind(pod, node);
    }

    /**
     * Completes on the loop's thread once all objects are listed and the published snapshot meets the condition;
     * exceptionally when the loop ends before that. Cancelling the future ends the wait.
     *
     * @param condition tested after each turn until then, on the loop's thread
     * @throws RejectedExecutionException when the inbox is full
     */
    public CompletableFuture<Snapshot> awaitSnapshot(Predicate<Snapshot> condition) {
        CompletableFuture<Snapshot> future = new CompletableFuture<>();
        return offer(() -> awaitedSnapshots.add(condition, future), future);
    }

    /** The state after the latest turn, for readers on any thread. */
    public Snapshot snapshot() {
        return published.ledger();
    }

    /**
     * The state after the latest turn, with everything that filters read. Safe from any thread; its device filter is
     * for one thread at a time.
     */
    public FilterState filterState() {
        return published;
    }

    /** Whether all objects are listed, so that scheduling knows the whole cluster, and the loop has not ended. Safe from any thread. */
    public boolean isReady() {
        return ready && ended.isEmpty();
    }

    /**
     * Drains the inbox, schedules, publishes, dispatches.
     *
     * @return whether there is more work to do at once
     */
    public boolean turn() {
        turnBudget = TurnBudget.start(clock, settings.turnTime());
        inbox.drain(turnBudget.untilEndOfPart(INBOX_PART));
        delayedTasks.runDue(clock.instant(), turnBudget.untilEndOfPart(TIMERS_PART));
        scheduler.advance(clock.instant(), turnBudget.untilEndOfPart(TIMERS_PART));
        if (unlisted.isEmpty()) {
            reconcileComponents(turnBudget.untilEndOfPart(RECONCILE_PART));
        }
        schedulePods(turnBudget.untilEndOfPartOrOneMore(SCHEDULING_PART));
        effectQueue.add(scheduler.drainEffects());
        publish();
        effectQueue.dispatch(this::dispatch, turnBudget.forParts(DISPATCH_PARTS));
        writeDispatcher.send();
        if (maySendReports()) {
            reportDispatcher.send();
        }
        pendingWrites = effectQueue.size()
                + bindsInFlight.sent()
                + writeDispatcher.pendingCount()
                + reportDispatcher.pendingCount();
        retryingWrites = scheduler.retryingWrites();
        return !inbox.isEmpty()
                || effectQueue.size() > 0
                || (unlisted.isEmpty() && scheduler.needsReconcile())
                || canSchedule(bindsQueuedOrInFlight());
    }

    /** Waits until something arrives or is due, at most for the given time. */
    void await(Duration longest) throws InterruptedException {
        Instant now = clock.instant();
        Duration delay = nextWake().map(wake -> Duration.between(now, wake)).orElse(longest);
        if (delay.compareTo(longest) > 0) {
            delay = longest;
        }
        if (delay.isNegative() || delay.isZero()) {
            return;
        }
        turnBudget = TurnBudget.start(clock, settings.turnTime());
        if (inbox.await(delay)) {
            pauseToBatch();
        }
    }

    /**
     * A turn costs about as much for one response as for twenty. While many binds are in flight the server is busy, and
     * scheduling the next pods a moment later loses nothing.
     */
    private void pauseToBatch() {
        if (bindsInFlight.sent() > settings.bindsInFlight() / 4) {
            LockSupport.parkNanos(BATCHING_DELAY.toNanos());
        }
    }

    /** When work is due although nothing arrives. */
    public Optional<Instant> nextWake() {
        Optional<Instant> decisions = ready ? scheduler.nextWake() : scheduler.nextWakeWithoutComponents();
        return Instants.earliest(delayedTasks.next(), decisions);
    }

    /** Schedules no further pod; writes in flight are completed. */
    public void stopScheduling() {
        scheduling = false;
        inbox.wake();
    }

    /** No turn will follow: all waiting callers get this reason. Call this on the thread that called {@link #turn}. */
    void end(IllegalStateException why) {
        ended = Optional.of(why);
        replies.rejectAll(why);
        bindsInFlight.rejectAll(why);
        awaitedSnapshots.rejectAll(why);
        inbox.rejectAll(why);
    }

    /** The number of binds and writes of components in flight. Call this only while no turn runs. */
    int bindsAndWritesInFlight() {
        return bindsQueuedOrInFlight() + writeDispatcher.inFlight();
    }

    /** The number of writes that were pending after the latest turn. Safe from any thread. */
    public int pendingWrites() {
        return pendingWrites;
    }

    /**
     * The number of failed writes that waited for a retry after the latest turn. {@link #pendingWrites} does not count
     * them: a loop that ends does not wait for them. Safe from any thread.
     */
    public int retryingWrites() {
        return retryingWrites;
    }

    /** The number of facts and commands in the inbox. Safe from any thread. */
    public int inboxSize() {
        return inbox.size();
    }

    /** Call this on the loop's thread, from a command. */
    public AttemptMetricsSnapshot attemptMetrics() {
        return attemptMetrics.snapshot();
    }

    /** The number of conditions and events that were dropped. Call this on the loop's thread, from a command. */
    public long droppedReports() {
        return reportDispatcher.droppedCount();
    }

    private <T> void run(Function<Scheduler, T> command, CompletableFuture<T> future) {
        try {
            replies.complete(future, command.apply(scheduler));
        } catch (RuntimeException broken) {
            replies.fail(future, broken);
        } catch (Error bug) {
            future.completeExceptionally(bug);
            throw bug;
        }
    }

    private boolean canSchedule(int bindsInFlight) {
        return scheduling
                && ready
                && scheduler.queue().hasActive()
                && bindsInFlight < settings.bindsInFlight()
                && mayWrite();
    }

    private boolean mayWrite() {
        return leadership.holdsLeaseFor(settings.writeTimeout());
    }

    private ReportDispatcher.ReportListener reportListener() {
        return new ReportDispatcher.ReportListener() {
            /**
             * The condition of a pod that was scheduled in between would be wrong, and only the leader knows whether it
             * was. An event about a bind stays true after a change of leader.
             */
            @Override
            public boolean isStillTrue(Effect effect) {
                return !(effect instanceof Effect.MarkUnscheduled mark)
                        || (scheduler.isUnplaced(mark.pod().uid()) && mayWrite());
            }

            @Override
            public void onDropped(Effect effect) {
                scheduler.onReportDropped(effect);
            }
        };
    }

    /** Binds go first, but not forever: users wait for conditions and events. */
    private boolean maySendReports() {
        return bindsInFlight.sent() <= settings.bindsInFlight() / 8
                || reportDispatcher.pendingCount() > MAX_REPORTS_WAITING;
    }

    private void schedulePods(TimeBudget timeBudget) {
        for (int pods = 0; pods < settings.batch() && canSchedule(bindsQueuedOrInFlight()); pods++) {
            scheduler.scheduleOne(clock.instant(), timeBudget).ifPresent(effectQueue::add);
            if (timeBudget.isExhausted()) {
                return;
            }
        }
    }

    /** Including those that are about to be sent. */
    private int bindsQueuedOrInFlight() {
        return bindsInFlight.sent() + effectQueue.binds();
    }

    private void publish() {
        published = scheduler.filterState();
        replies.onPublished();
        if (ready) {
            awaitedSnapshots.onPublished(published.ledger());
        }
    }

    private void dispatch(Effect effect) {
        if (effect instanceof Effect.Bind bind) {
            bindsInFlight.get(bind).setAttempt(attemptMetrics.findAttempt(bind));
            bindDispatcher.send(bind);
        } else if (effect instanceof Effect.Write write) {
            writeDispatcher.add(write);
        } else {
            reportDispatcher.add(effect);
        }
    }
}
