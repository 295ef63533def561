package dev.berth.http.globalreserve;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.globalreserve.StoredHoldSpec;
import dev.berth.core.door.globalreserve.StoredHoldWrite;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.engine.globalreserve.LedgerLoopReserveService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Berth's loop on a thread of its own, with an API server that keeps Hold objects. */
final class FakeReserveCluster implements ApiServerClient, AutoCloseable {
    private final Map<String, StoredHoldSpec> holds = new ConcurrentSkipListMap<>();
    private final ManualClock clock = new ManualClock();
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final LedgerLoopReserveService pool;
    private volatile WriteResponse answerToCreates = new WriteResponse.Succeeded();
    private volatile CompletableFuture<WriteResponse> delayedAnswer =
            CompletableFuture.completedFuture(new WriteResponse.Succeeded());

    FakeReserveCluster(Node... nodes) throws InterruptedException {
        Ledger ledger = new Ledger();
        Scheduler scheduler = aScheduler(ledger)
                .serving("berth-scheduler")
                .withDoors(new GlobalReserveDoor(GlobalReserveSettings.DEFAULT))
                .build();
        loop = new LedgerLoop(scheduler, this, Leadership.ALWAYS, clock, EngineSettings.DEFAULT);
        thread = new LoopThread(loop, EngineSettings.DEFAULT, bug -> {
            throw new IllegalStateException("the loop broke", bug);
        });
        pool = new LedgerLoopReserveService(loop, clock, Duration.ofSeconds(4));
        for (Node node : nodes) {
            loop.accept(new Fact.NodeUpserted(node));
        }
        thread.start();
    }

    FakeReserveCluster listed() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
        return this;
    }

    LedgerLoopReserveService pool() {
        return pool;
    }

    /** As the caller sees it after the response. */
    Snapshot snapshot() {
        return loop.snapshot();
    }

    List<String> objects() {
        return holds.values().stream().map(StoredHoldSpec::summary).toList();
    }

    void answerCreatesWith(WriteResponse writeResponse) {
        answerToCreates = writeResponse;
    }

    /** From now on creations are carried out, and their answer waits for {@link #completeDelayedAnswers}. */
    void delayAnswers() {
        delayedAnswer = new CompletableFuture<>();
    }

    void completeDelayedAnswers() {
        delayedAnswer.complete(new WriteResponse.Succeeded());
    }

    /** A pool whose callers wait for so long at most. */
    LedgerLoopReserveService pool(Duration timeout) {
        return new LedgerLoopReserveService(loop, clock, timeout);
    }

    /** Holds the loop's thread in the middle of a turn until the gate opens; returns when it is held. */
    void blockLoop(CountDownLatch gate) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Boolean> turn = loop.submit(scheduler -> {
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
    void runTurn() throws Exception {
        loop.submit(scheduler -> true).get(60, TimeUnit.SECONDS);
    }

    /** Turns until this holds. */
    void runUntil(BooleanSupplier condition) throws Exception {
        while (!condition.getAsBoolean()) {
            runTurn();
        }
    }

    @Override
    public CompletionStage<WriteResponse> write(Effect.Write write) {
        WriteResponse writeResponse = new WriteResponse.Succeeded();
        if (write instanceof StoredHoldWrite.Create create) {
            writeResponse = answerToCreates;
            if (writeResponse instanceof WriteResponse.Succeeded) {
                holds.put(create.name(), create.spec());
                return delayedAnswer;
            }
        } else if (write instanceof StoredHoldWrite.Update update) {
            holds.put(update.name(), update.spec());
        } else if (write instanceof StoredHoldWrite.Delete delete) {
            holds.remove(delete.name());
        }
        return CompletableFuture.completedFuture(writeResponse);
    }

    @Override
    public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
        return done();
    }

    @Override
    public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
        return done();
    }

    @Override
    public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent announcement) {
        return done();
    }

    @Override
    public CompletionStage<PodLookupResult> findPod(Effect.PodRef pod) {
        return CompletableFuture.completedFuture(new PodLookupResult.NotFound());
    }

    private static CompletionStage<WriteResponse> done() {
        return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
    }

    @Override
    public void close() {
        thread.close();
    }
}
