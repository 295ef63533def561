package dev.berth.bench.holds;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.Door;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.door.koordinator.KoordinatorDoor;
import dev.berth.core.door.koordinator.KoordinatorSettings;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Plugin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.SnapshotFilter;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.globalreserve.LedgerLoopReserveService;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Berth's loop on its thread, as in the product, with an API server that answers at once. */
final class LoopHarness {
    private static final int LARGEST_GROUP = 10_000;
    private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(4_999);
    private static final long QUIET_NANOS = 2_000_000;
    private static final InstantSource CLOCK = InstantSource.system();

    private final InstantApiServer instantApiServer = new InstantApiServer();
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final SnapshotFilter snapshotFilter;
    private final Duration limit;
    private long deadline;

    /** A load exceeded its time limit. */
    static final class TimeLimitExceeded extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** @param limit the time limit of the preparation from now on, and then of the load, by the wall clock */
    LoopHarness(Duration limit) {
        Ledger ledger = new Ledger();
        Scheduler scheduler = new Scheduler(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackoffPolicy.DEFAULT),
                Set.of(BenchmarkObjects.SCHEDULER),
                doors(),
                plugins());
        this.loop = new LedgerLoop(scheduler, instantApiServer, Leadership.ALWAYS, CLOCK, EngineSettings.DEFAULT);
        this.thread = new LoopThread(loop, EngineSettings.DEFAULT, bug -> bug.printStackTrace());
        this.snapshotFilter = new SnapshotFilter(loop.filterState());
        this.limit = limit;
        restartTimer();
        instantApiServer.connect(loop);
        thread.start();
    }

    private static List<Door> doors() {
        return List.of(
                new KoordinatorDoor(KoordinatorSettings.of(Set.of(BenchmarkObjects.SCHEDULER))),
                new GodelDoor(Duration.ofSeconds(60)),
                new GlobalReserveDoor(
                        new GlobalReserveSettings(Duration.ofSeconds(600), ANSWER_TIMEOUT, LARGEST_GROUP)));
    }

    private static List<Plugin> plugins() {
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        return List.of(nominatedNodes, new DefaultPreemption(Set.of(BenchmarkObjects.SCHEDULER), nominatedNodes));
    }

    /** Restarts the time limit. */
    void restartTimer() {
        deadline = System.nanoTime() + limit.toNanos();
    }

    InstantApiServer instantApiServer() {
        return instantApiServer;
    }

    void sendFact(Fact fact) throws InterruptedException {
        loop.accept(fact);
    }

    /** All objects are listed: from now on pods are scheduled. */
    void markListed() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
    }

    <T> T query(Function<Scheduler, T> question) throws TimeLimitExceeded, InterruptedException {
        return await(loop.submit(question));
    }

    /** Filters as the extender does: from the published state, on the caller's thread. */
    int filter(Pod pod, List<String> nodes) {
        return snapshotFilter.filter(loop.filterState(), pod, nodes).size();
    }

    CompletableFuture<Long> smallQuery() {
        return loop.submit(scheduler -> (long) scheduler.ledger().nodeCount());
    }

    ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
        return new LedgerLoopReserveService(loop, CLOCK, Duration.ofMinutes(2)).reserve(request);
    }

    /** The CPU time of the loop's thread in nanoseconds. */
    long loopCpuNanos() throws TimeLimitExceeded, InterruptedException {
        return query(scheduler -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    /** Waits until the loop has processed everything so far. */
    void awaitIdle() throws TimeLimitExceeded, InterruptedException {
        awaitCondition(() -> loop.inboxSize() == 0 && loop.pendingWrites() == 0);
        query(scheduler -> true);
    }

    /**
     * Waits until the loop has also done the work that it left for later turns.
     *
     * @return {@link #loopCpuNanos} at that time
     */
    long awaitQuiet() throws TimeLimitExceeded, InterruptedException {
        awaitIdle();
        long done = loopCpuNanos();
        TimeUnit.MILLISECONDS.sleep(50);
        long now = loopCpuNanos();
        while (now - done >= QUIET_NANOS) {
            if (remainingNanos() <= 0) {
                throw new TimeLimitExceeded();
            }
            done = now;
            TimeUnit.MILLISECONDS.sleep(50);
            now = loopCpuNanos();
        }
        return done;
    }

    void awaitCondition(BooleanSupplier condition) throws TimeLimitExceeded, InterruptedException {
        while (!condition.getAsBoolean()) {
            if (remainingNanos() <= 0) {
                throw new TimeLimitExceeded();
            }
            TimeUnit.MICROSECONDS.sleep(200);
        }
    }

    private <T> T await(CompletableFuture<T> answer) throws TimeLimitExceeded, InterruptedException {
        try {
            return answer.get(Math.max(1, remainingNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new TimeLimitExceeded();
        } catch (ExecutionException broken) {
            throw new IllegalStateException("the loop broke", broken);
        }
    }

    private long remainingNanos() {
        return deadline - System.nanoTime();
    }

    /** Writes in flight are not awaited: the next load has a harness of its own. */
    void stop() throws InterruptedException {
        thread.abandon();
        instantApiServer.stop();
    }
}
