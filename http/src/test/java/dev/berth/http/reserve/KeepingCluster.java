package dev.berth.http.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.reserve.HoldSpec;
import dev.berth.core.door.reserve.HoldWrite;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.Whereabouts;
import dev.berth.engine.reserve.LocalReservePool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Berth's loop on a thread of its own, with an API server that keeps Hold objects. */
final class KeepingCluster implements Cluster, AutoCloseable {
    private final Map<String, HoldSpec> holds = new ConcurrentSkipListMap<>();
    private final ManualClock clock = new ManualClock();
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final LocalReservePool pool;
    private volatile Answer toCreations = new Answer.Done();
    private volatile CompletableFuture<Answer> withheld = CompletableFuture.completedFuture(new Answer.Done());

    KeepingCluster(Node... nodes) throws InterruptedException {
        Ledger ledger = new Ledger();
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("berth-scheduler"),
                List.of(new ReserveDoor(ReserveSettings.DEFAULT)));
        loop = new LedgerLoop(decider, this, Leadership.ALWAYS, clock, EngineSettings.DEFAULT);
        thread = new LoopThread(loop, EngineSettings.DEFAULT, bug -> {
            throw new IllegalStateException("the loop broke", bug);
        });
        pool = new LocalReservePool(loop, clock, Duration.ofSeconds(4));
        for (Node node : nodes) {
            loop.accept(new Fact.NodeSeen(node));
        }
        thread.start();
    }

    KeepingCluster listed() throws InterruptedException {
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
        return this;
    }

    LocalReservePool pool() {
        return pool;
    }

    /** As the caller who has just heard an answer sees it. */
    Snapshot snapshot() {
        return loop.snapshot();
    }

    List<String> objects() {
        return holds.values().stream().map(HoldSpec::words).toList();
    }

    void answerCreations(Answer answer) {
        toCreations = answer;
    }

    /** From now on creations are carried out, and their answer waits for {@link #answerWithheld}. */
    void withholdAnswers() {
        withheld = new CompletableFuture<>();
    }

    void answerWithheld() {
        withheld.complete(new Answer.Done());
    }

    /** A pool whose callers wait for so long at most. */
    LocalReservePool pool(Duration patience) {
        return new LocalReservePool(loop, clock, patience);
    }

    /** Holds the loop's thread in the middle of a turn until the gate opens; returns when it is held. */
    void holdLoop(CountDownLatch gate) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Boolean> turn = loop.submit(decider -> {
            held.countDown();
            return uninterruptibly(gate);
        });
        held.await();
        assertThat(turn).isNotCompleted();
    }

    private static boolean uninterruptibly(CountDownLatch gate) {
        try {
            return gate.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Lets the loop take in all that came before. */
    void turn() throws Exception {
        loop.submit(decider -> true).get(60, TimeUnit.SECONDS);
    }

    /** Turns until this holds. */
    void until(BooleanSupplier condition) throws Exception {
        while (!condition.getAsBoolean()) {
            turn();
        }
    }

    @Override
    public CompletionStage<Answer> write(Effect.Write write) {
        Answer answer = new Answer.Done();
        if (write instanceof HoldWrite.Create create) {
            answer = toCreations;
            if (answer instanceof Answer.Done) {
                holds.put(create.name(), create.spec());
                return withheld;
            }
        } else if (write instanceof HoldWrite.Shrink shrink) {
            holds.put(shrink.name(), shrink.spec());
        } else if (write instanceof HoldWrite.Delete delete) {
            holds.remove(delete.name());
        }
        return CompletableFuture.completedFuture(answer);
    }

    @Override
    public CompletionStage<Answer> bind(Effect.Bind bind) {
        return done();
    }

    @Override
    public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
        return done();
    }

    @Override
    public CompletionStage<Answer> announce(Effect.Announce announcement) {
        return done();
    }

    @Override
    public CompletionStage<Whereabouts> find(Effect.PodRef pod) {
        return CompletableFuture.completedFuture(new Whereabouts.Gone());
    }

    private static CompletionStage<Answer> done() {
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    @Override
    public void close() {
        thread.close();
    }
}
