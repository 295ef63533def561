package dev.berth.bench.holds;

import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.ComebackDoor;
import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.door.reservation.ReservationDoor;
import dev.berth.core.door.reservation.ReservationSettings;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.reserve.LocalReservePool;
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

/** Berth's loop on its thread, as the process has it, beside an API server that answers at once. */
final class Stage {
    private static final int LARGEST_GROUP = 10_000;
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(4_999);
    private static final long QUIET_NANOS = 2_000_000;
    private static final InstantSource CLOCK = InstantSource.system();

    private final Api api = new Api();
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final Duration limit;
    private long deadline;

    /** A load took more time than it is given. */
    static final class TooSlow extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** @param limit how long the preparation may take from now on, and then the load, by the wall clock */
    Stage(Duration limit) {
        Ledger ledger = new Ledger();
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of(Objects.SCHEDULER),
                doors());
        this.loop = new LedgerLoop(decider, api, Leadership.ALWAYS, CLOCK, EngineSettings.DEFAULT);
        this.thread = new LoopThread(loop, EngineSettings.DEFAULT, bug -> bug.printStackTrace());
        this.limit = limit;
        begin();
        api.shownTo(loop);
        thread.start();
    }

    private static List<Door> doors() {
        return List.of(
                new ReservationDoor(ReservationSettings.of(Set.of(Objects.SCHEDULER))),
                new ComebackDoor(Duration.ofSeconds(60)),
                new ReserveDoor(new ReserveSettings(Duration.ofSeconds(600), ANSWER_WITHIN, LARGEST_GROUP)),
                new PreemptionDoor(Set.of(Objects.SCHEDULER)));
    }

    /** The time begins to count anew. */
    void begin() {
        deadline = System.nanoTime() + limit.toNanos();
    }

    Api api() {
        return api;
    }

    void tell(Fact fact) throws InterruptedException {
        loop.accept(fact);
    }

    /** Everything was listed: from now on pods are decided on. */
    void listed() throws InterruptedException {
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
    }

    <T> T ask(Function<Decider, T> question) throws TooSlow, InterruptedException {
        return await(loop.submit(question));
    }

    CompletableFuture<Long> question() {
        return loop.submit(decider -> (long) decider.ledger().nodeCount());
    }

    ReserveAnswer reserve(ReserveRequest request) throws InterruptedException {
        return new LocalReservePool(loop, CLOCK, Duration.ofMinutes(2)).reserve(request);
    }

    /** How long the loop's thread has worked, in nanoseconds. */
    long worked() throws TooSlow, InterruptedException {
        return ask(decider -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    /** Waits until the loop has nothing more to do for what was told so far. */
    void idle() throws TooSlow, InterruptedException {
        until(() -> loop.waiting() == 0 && loop.unfinished() == 0);
        ask(decider -> true);
    }

    /**
     * Waits until the loop has also done what it left to later turns.
     *
     * @return what {@link #worked} was when it had
     */
    long quiet() throws TooSlow, InterruptedException {
        idle();
        long done = worked();
        TimeUnit.MILLISECONDS.sleep(50);
        long now = worked();
        while (now - done >= QUIET_NANOS) {
            if (left() <= 0) {
                throw new TooSlow();
            }
            done = now;
            TimeUnit.MILLISECONDS.sleep(50);
            now = worked();
        }
        return done;
    }

    void until(BooleanSupplier condition) throws TooSlow, InterruptedException {
        while (!condition.getAsBoolean()) {
            if (left() <= 0) {
                throw new TooSlow();
            }
            TimeUnit.MICROSECONDS.sleep(200);
        }
    }

    private <T> T await(CompletableFuture<T> answer) throws TooSlow, InterruptedException {
        try {
            return answer.get(Math.max(1, left()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new TooSlow();
        } catch (ExecutionException broken) {
            throw new IllegalStateException("the loop broke", broken);
        }
    }

    private long left() {
        return deadline - System.nanoTime();
    }

    /** Nothing is carried to its end: the next load has a stage of its own. */
    void end() throws InterruptedException {
        thread.abandon();
        api.stop();
    }
}
