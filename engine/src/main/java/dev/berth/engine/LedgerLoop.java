package dev.berth.engine;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Errand;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.queue.Wake;
import dev.berth.engine.meter.AttemptMeter;
import dev.berth.engine.meter.AttemptReadings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The one owner of the ledger. Everything reaches it through its inbox; each {@link #turn} takes in what has come,
 * decides on a batch of pods, publishes a snapshot and only then lets effects and answers out, so that whoever hears of
 * a decision finds it in the snapshot. A turn ends after some milliseconds and leaves the rest to the next one, so that
 * questions are answered soon whatever there is to do.
 *
 * <p>A turn needs no thread of its own: tests and simulations call it by hand, {@link LoopThread} for ever.
 */
public final class LedgerLoop implements FactSink {
    private static final int MOST_REPORTS_HELD_BACK = 20_000;
    private static final Duration GATHERING = Duration.ofMillis(2);
    /** By when, in parts of a turn, each piece of work ends; effects have their own time after that. */
    private static final int TAKEN_IN = 1;

    private static final int ADVANCED = 2;
    private static final int SETTLED = 3;
    private static final int DECIDED = 4;
    private static final int LET_OUT = 2;

    private final Decider decider;
    private final Leadership leadership;
    private final InstantSource clock;
    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outgoing outgoing = new Outgoing();

    private final Deadlines deadlines = new Deadlines();
    private final Binds binds;
    private final Reports reports;
    private final Writes writes;
    private final AttemptMeter attempts;
    private final Set<Source> awaited = EnumSet.allOf(Source.class);
    private final List<Reply> afterPublishing = new ArrayList<>();
    /** Who waits for binds that they wished. */
    private final Map<Effect.Bind, CompletableFuture<Optional<String>>> errands = new HashMap<>();

    /** Who waits for the cluster to be as they want it. */
    private final List<Wish> wishes = new ArrayList<>();

    private TurnTime time;
    private volatile Snapshot snapshot;
    private volatile boolean ready;
    private volatile int unfinished;
    private volatile int retrying;
    private volatile boolean deciding = true;
    private volatile Optional<IllegalStateException> ended = Optional.empty();

    private record Awaited(CompletableFuture<Optional<String>> end) {}

    private record Wish(Predicate<Snapshot> wanted, CompletableFuture<Snapshot> future) {
        private boolean overAt(Snapshot now) {
            if (!future.isDone() && wanted.test(now)) {
                future.complete(now);
            }
            return future.isDone();
        }
    }

    private record Reply(Runnable give, Consumer<IllegalStateException> refuse) {}

    public LedgerLoop(
            Decider decider, Cluster cluster, Leadership leadership, InstantSource clock, EngineSettings settings) {
        this.decider = decider;
        this.leadership = leadership;
        this.clock = clock;
        this.settings = settings;
        this.inbox = new Inbox(settings.inboxSize());
        this.time = TurnTime.begin(clock, settings.turnTime());
        this.binds = new Binds(cluster, inbox::answered, deadlines, clock, settings.writeTimeout(), outcomes());
        this.reports = new Reports(cluster, inbox::answered, deadlines, clock, audience(), settings);
        this.writes = new Writes(cluster, inbox::answered, deadlines, clock, terms());
        this.attempts = new AttemptMeter(decider.queue(), clock);
        decider.observedBy(attempts);
        this.snapshot = decider.ledger().snapshot();
    }

    @Override
    public void accept(Fact fact) throws InterruptedException {
        put(() -> learn(fact));
    }

    /**
     * A fact that breaks the loop is read again by the next process: the error names the object, so that an
     * operator knows which one to edit or to delete.
     */
    private void learn(Fact fact) {
        try {
            decider.learn(fact, clock.instant());
        } catch (RuntimeException bug) {
            throw new BrokenFact(fact, bug);
        }
    }

    @Override
    public void listed(Source source) throws InterruptedException {
        put(() -> {
            awaited.remove(source);
            if (awaited.isEmpty()) {
                settle(time.upTo(SETTLED));
            }
        });
    }

    /**
     * Some doors keep what was listed only when they settle: who asks must find it kept, so nothing is decided before that
     * is done, be it in several turns.
     */
    private void settle(Pace pace) {
        ready |= decider.settle(clock.instant(), pace);
    }

    /** What comes after the end is of no use to anybody, and must not keep its reader waiting for ever. */
    private void put(Runnable work) throws InterruptedException {
        if (ended.isEmpty()) {
            inbox.put(work);
        }
    }

    /**
     * Has the loop run a question or a command: after the facts that came before it, or before them where there are too
     * many for one turn. The future completes after the snapshot that contains the outcome is
     * published, on the loop's thread; exceptionally when the loop ends before that, or has ended.
     *
     * @throws RejectedExecutionException when the inbox is full: the caller is told, nothing is dropped silently
     */
    public <T> CompletableFuture<T> submit(Function<Decider, T> command) {
        CompletableFuture<T> future = new CompletableFuture<>();
        return offer(() -> run(command, future), future);
    }

    /**
     * The same for a question that must not be asked before all facts are taken in that were accepted before it, however
     * long that takes.
     *
     * @throws RejectedExecutionException when the inbox is full
     */
    public <T> CompletableFuture<T> submitInOrder(Function<Decider, T> command) {
        CompletableFuture<T> future = new CompletableFuture<>();
        return offer(inbox::askInOrder, () -> run(command, future), future);
    }

    /** Where something is put; says whether there was room. */
    private interface Lane {
        boolean offer(Runnable work, Consumer<IllegalStateException> refuse);
    }

    private <T> CompletableFuture<T> offer(Runnable work, CompletableFuture<T> future) {
        return offer(inbox::ask, work, future);
    }

    private <T> CompletableFuture<T> offer(Lane lane, Runnable work, CompletableFuture<T> future) {
        if (ended.isPresent()) {
            future.completeExceptionally(ended.get());
            return future;
        }
        if (!lane.offer(work, future::completeExceptionally)) {
            throw new RejectedExecutionException(
                    "the inbox is full (%d are waiting). Maybe come back later.".formatted(settings.inboxSize()));
        }
        // The loop may have ended between the question and the offer.
        ended.ifPresent(inbox::refuse);
        return future;
    }

    /**
     * Completes the future once the snapshot that contains what has happened so far is published; exceptionally when the
     * loop ends before that. To be called on the loop's thread alone, by a command or by what a door was given to call.
     */
    public <T> void answer(CompletableFuture<T> future, T outcome) {
        afterPublishing.add(new Reply(() -> future.complete(outcome), future::completeExceptionally));
    }

    /**
     * Has a pod of another scheduler bound to the node that this one chose.
     *
     * @return completes when it is known what became of it: empty when the pod is there, else in words why not;
     *     exceptionally when the loop ends before
     * @throws RejectedExecutionException when the inbox is full
     */
    public CompletableFuture<Optional<String>> bind(PodUid pod, String node) {
        return submit(present -> new Awaited(errand(pod, node))).thenCompose(Awaited::end);
    }

    private CompletableFuture<Optional<String>> errand(PodUid pod, String node) {
        if (!ready || !mayWrite()) {
            return CompletableFuture.completedFuture(Optional.of(
                    ready ? "this Berth may not lead any more: ask again" : "Berth is still reading the cluster"));
        }
        Errand errand = decider.bind(pod, node, clock.instant());
        if (errand instanceof Errand.Sent sent) {
            return errands.computeIfAbsent(sent.bind(), bind -> new CompletableFuture<>());
        }
        return CompletableFuture.completedFuture(
                errand instanceof Errand.Refused refused ? Optional.of(refused.words()) : Optional.empty());
    }

    /** Whoever wished the bind hears of it after it is published. */
    private void tell(Effect.Bind bind, Optional<String> why) {
        CompletableFuture<Optional<String>> waiting = errands.remove(bind);
        if (waiting != null) {
            afterPublishing.add(new Reply(() -> waiting.complete(why), waiting::completeExceptionally));
        }
    }

    /**
     * Completes once everything was listed and the published state is as wanted, on the loop's thread; exceptionally when
     * the loop ends before that. Who cancels it is forgotten.
     *
     * @param wanted asked after each turn until then, on the loop's thread
     * @throws RejectedExecutionException when the inbox is full
     */
    public CompletableFuture<Snapshot> when(Predicate<Snapshot> wanted) {
        CompletableFuture<Snapshot> future = new CompletableFuture<>();
        return offer(() -> wishes.add(new Wish(wanted, future)), future);
    }

    /** The state after the latest turn, for readers on any thread. */
    public Snapshot snapshot() {
        return snapshot;
    }

    /** Whether everything was listed, so that decisions rest on the whole cluster. */
    public boolean ready() {
        return ready;
    }

    /**
     * Takes in, decides, publishes, lets out.
     *
     * @return whether there is more to do at once
     */
    public boolean turn() {
        time = TurnTime.begin(clock, settings.turnTime());
        inbox.takeIn(time.upTo(TAKEN_IN));
        deadlines.run(clock.instant(), time.upTo(ADVANCED));
        decider.advance(clock.instant(), time.upTo(ADVANCED));
        if (awaited.isEmpty()) {
            settle(time.upTo(SETTLED));
        }
        decide(time.upToOrOneMore(DECIDED));
        outgoing.add(decider.takeEffects());
        publish();
        outgoing.letOut(this::letOut, time.more(LET_OUT));
        writes.send();
        if (roomForReports()) {
            reports.send();
        }
        unfinished = outgoing.size() + binds.inFlight() + writes.open() + reports.open();
        retrying = decider.retrying();
        return !inbox.isEmpty()
                || outgoing.size() > 0
                || (awaited.isEmpty() && decider.unsettled())
                || canDecide(bindsOnTheirWay());
    }

    /** Waits until something comes in or is due, at the longest for the given time. */
    void await(Duration longest) throws InterruptedException {
        Instant now = clock.instant();
        Duration pause = nextWake().map(wake -> Duration.between(now, wake)).orElse(longest);
        if (pause.compareTo(longest) > 0) {
            pause = longest;
        }
        if (pause.isNegative() || pause.isZero()) {
            return;
        }
        time = TurnTime.begin(clock, settings.turnTime());
        if (inbox.await(pause)) {
            gather();
        }
    }

    /**
     * A turn costs about as much for one answer as for twenty. While so many binds are on their way that the server is
     * busy, it loses nothing when the next ones are decided on a moment later.
     */
    private void gather() {
        if (binds.inFlight() > settings.bindsInFlight() / 4) {
            LockSupport.parkNanos(GATHERING.toNanos());
        }
    }

    /** When there will be something to do although nothing comes in. */
    public Optional<Instant> nextWake() {
        Optional<Instant> decisions = ready ? decider.nextWake() : decider.nextWakeWithoutDoors();
        return Wake.earlier(deadlines.next(), decisions);
    }

    /** No pod is decided on any more; what is on its way is carried to its end. */
    public void stopDeciding() {
        deciding = false;
        inbox.wake();
    }

    /** No turn will follow: whoever waits for an answer is told why there will be none. By the thread that turned. */
    void end(IllegalStateException why) {
        ended = Optional.of(why);
        afterPublishing.forEach(reply -> reply.refuse().accept(why));
        afterPublishing.clear();
        errands.values().forEach(waiting -> waiting.completeExceptionally(why));
        errands.clear();
        wishes.forEach(wish -> wish.future().completeExceptionally(why));
        wishes.clear();
        inbox.refuse(why);
    }

    /** How many binds and writes of doors are on their way: to be asked when the loop stands still. */
    int promisesInFlight() {
        return bindsOnTheirWay() + writes.inFlight();
    }

    /** How many writes were not at their end after the latest turn. Safe from any thread. */
    public int unfinished() {
        return unfinished;
    }

    /**
     * How many writes failed and wait for another try after the latest turn. They are not among {@link #unfinished}: a loop
     * that ends does not wait for them. Safe from any thread.
     */
    public int retrying() {
        return retrying;
    }

    /** How many facts, questions and commands wait to be taken in. Safe from any thread. */
    public int waiting() {
        return inbox.size();
    }

    /** What was counted of attempts to place pods. To be called on the loop's thread alone, by a question. */
    public AttemptReadings attempts() {
        return attempts.read();
    }

    /**
     * How many conditions and events could not be written and were given up. To be called on the loop's thread alone, by
     * a question.
     */
    public long reportsLost() {
        return reports.lost();
    }

    private <T> void run(Function<Decider, T> command, CompletableFuture<T> future) {
        try {
            answer(future, command.apply(decider));
        } catch (RuntimeException broken) {
            afterPublishing.add(new Reply(() -> future.completeExceptionally(broken), future::completeExceptionally));
        } catch (Error bug) {
            future.completeExceptionally(bug);
            throw bug;
        }
    }

    private boolean canDecide(int bindsInFlight) {
        return deciding
                && ready
                && decider.queue().hasActive()
                && bindsInFlight < settings.bindsInFlight()
                && mayWrite();
    }

    private boolean mayWrite() {
        return leadership.covers(settings.writeTimeout());
    }

    private Binds.Outcomes outcomes() {
        return new Binds.Outcomes() {
            @Override
            public boolean mayWrite() {
                return LedgerLoop.this.mayWrite();
            }

            @Override
            public Optional<Answer> shown(Effect.Bind bind) {
                return LedgerLoop.this.shown(bind);
            }

            @Override
            public void settled(Effect.Bind bind, Answer answer) {
                LedgerLoop.this.settled(bind, answer);
            }

            @Override
            public void withdrawn(Effect.Bind bind) {
                attempts.notBound(bind);
                decider.withdraw(bind, clock.instant());
                tell(bind, Optional.of("this Berth may not lead any more: ask again"));
            }
        };
    }

    private Optional<Answer> shown(Effect.Bind bind) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = decider.ledger().pod(uid);
        if (pod.isEmpty()) {
            return Optional.of(new Answer.Gone("the watch shows that it is gone"));
        }
        if (decider.ledger().assumption(uid).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                pod.get().nodeName().equals(Optional.of(bind.node()))
                        ? new Answer.Done()
                        : new Answer.Conflict("the watch shows it elsewhere or at its end"));
    }

    private Reports.Audience audience() {
        return new Reports.Audience() {
            /**
             * A pod that has found its place meanwhile must not be said to have none, and only the leader knows. What
             * was bound is a fact, whoever leads by now.
             */
            @Override
            public boolean wants(Effect effect) {
                return !(effect instanceof Effect.MarkUnscheduled mark)
                        || (decider.isUnplaced(mark.pod().uid()) && mayWrite());
            }

            @Override
            public void untold(Effect effect) {
                decider.untold(effect);
            }
        };
    }

    private Writes.Terms terms() {
        return new Writes.Terms() {
            @Override
            public boolean mayWrite() {
                return LedgerLoop.this.mayWrite();
            }

            @Override
            public int limit() {
                return settings.writesInFlight();
            }

            @Override
            public void settled(Effect.Write write, Outcome outcome) {
                decider.written(write, outcome, clock.instant());
            }
        };
    }

    /** Binds go first, but not for ever: people wait for what is told. */
    private boolean roomForReports() {
        return binds.inFlight() <= settings.bindsInFlight() / 8 || reports.open() > MOST_REPORTS_HELD_BACK;
    }

    private void decide(Pace pace) {
        for (int pods = 0; pods < settings.batch() && canDecide(bindsOnTheirWay()); pods++) {
            decider.next(clock.instant(), pace).ifPresent(outgoing::add);
            if (pace.timeIsUp()) {
                return;
            }
        }
    }

    /** Those that are about to be sent too. */
    private int bindsOnTheirWay() {
        return binds.inFlight() + outgoing.binds();
    }

    private void publish() {
        snapshot = decider.ledger().snapshot();
        afterPublishing.forEach(reply -> reply.give().run());
        afterPublishing.clear();
        if (ready && !wishes.isEmpty()) {
            wishes.removeIf(wish -> wish.overAt(snapshot));
        }
    }

    private void letOut(Effect effect) {
        if (effect instanceof Effect.Bind bind) {
            attempts.sent(bind);
            binds.send(bind);
        } else if (effect instanceof Effect.Write write) {
            writes.add(write);
        } else {
            reports.add(effect);
        }
    }

    private void settled(Effect.Bind bind, Answer answer) {
        tell(bind, failure(answer));
        if (!(answer instanceof Answer.Done)) {
            attempts.notBound(bind);
        }
        List<Effect> effects;
        if (answer instanceof Answer.Done) {
            attempts.bound(bind);
            effects = decider.bound(bind);
        } else if (answer instanceof Answer.Denied denied) {
            effects = decider.notBound(bind, Optional.of(bindFailure(bind, denied.message())), clock.instant());
        } else {
            effects = decider.notBound(bind, Optional.empty(), clock.instant());
        }
        effects.forEach(this::letOut);
    }

    private static Optional<String> failure(Answer answer) {
        if (answer instanceof Answer.Conflict conflict) {
            return Optional.of(conflict.message());
        } else if (answer instanceof Answer.Gone gone) {
            return Optional.of(gone.message());
        } else if (answer instanceof Answer.Denied denied) {
            return Optional.of(denied.message());
        } else if (answer instanceof Answer.Throttled throttled) {
            return Optional.of(throttled.message());
        } else if (answer instanceof Answer.Unknown unknown) {
            return Optional.of(unknown.message());
        }
        return Optional.empty();
    }

    private static String bindFailure(Effect.Bind bind, String message) {
        return "binding to node %s was refused: %s".formatted(bind.node(), message);
    }
}
