package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.core.decision.Decider;
import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.reserve.LocalReservePool;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.LoopExtender;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.effects.ApiCluster;
import dev.berth.kubernetes.effects.ConditionBook;
import dev.berth.kubernetes.effects.EffectSettings;
import dev.berth.kubernetes.feed.ClusterFeed;
import dev.berth.kubernetes.feed.FeedSettings;
import dev.berth.kubernetes.watch.WatchHealth;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A ledger with all that reads into it, decides on it and writes from it, for one set of names, profiles and doors. What
 * is served changes by another engine, which reads everything again: that path is the one of every start.
 */
final class Engine {
    private static final Duration EVENT_WINDOW = Duration.ofMinutes(5);

    /** Longer than the door takes at the most, and shorter than known callers wait. */
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(4_500);

    private final Config serving;
    private final Doors doors;
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final ClusterFeed feed;
    private final ReservePool pool;
    private final Extender extender;
    private final DurableVersion durable;
    private final CompletableFuture<Void> atWork;
    private Optional<String> began = Optional.empty();
    private boolean reads;

    /**
     * What engines have in common that follow each other in one process.
     *
     * @param identity by what name events know this process
     * @param leads whether something may be written
     * @param clock the API server's
     * @param machine the clock of this machine
     * @param words told when everything is listed
     * @param broken told of a bug that ended the loop
     */
    record Surroundings(
            ApiClient client,
            String identity,
            Leadership leads,
            InstantSource clock,
            InstantSource machine,
            Consumer<String> words,
            Consumer<Throwable> broken) {}

    Engine(Config serving, Surroundings around) {
        this.serving = serving;
        EngineSettings settings = EngineSettings.DEFAULT.withBindsInFlight(serving.bindsInFlight());
        ConditionBook conditions = new ConditionBook();
        EffectSettings effects = new EffectSettings(settings.writeTimeout(), EVENT_WINDOW, around.identity());
        Ledger ledger = new Ledger();
        this.doors = Doors.open(serving, ledger);
        this.loop = new LedgerLoop(
                decider(serving, ledger, doors),
                new ApiCluster(around.client(), conditions, effects, around.clock(), doors.forms()),
                around.leads(),
                around.clock(),
                settings);
        this.thread = new LoopThread(loop, settings, around.broken());
        this.feed = new ClusterFeed(
                around.client(),
                loop,
                conditions,
                FeedSettings.DEFAULT,
                ClusterFeed.surroundings(around.client(), around.machine(), new SplittableRandom()),
                doors.feeds());
        this.durable = new DurableVersion(feed::podsReached, loop::submitInOrder);
        this.pool = new LocalReservePool(loop, around.clock(), ANSWER_WITHIN);
        this.extender = new LoopExtender(loop, ANSWER_WITHIN);
        this.atWork = loop.when(whatever -> true)
                .thenAccept(all -> around.words()
                        .accept("is at work: %d nodes are listed, and all that is on them".formatted(all.nodeCount())));
    }

    static Decider decider(Config config, Ledger ledger, Doors doors) {
        return new Decider(
                ledger,
                new Placer(ledger, config.profiles(), doors.devices(), doors.volumes()),
                new SchedulingQueue(config.podBackOff()),
                config.schedulerNames(),
                doors.all());
    }

    Engine start() {
        thread.start();
        return this;
    }

    Config serving() {
        return serving;
    }

    LedgerLoop loop() {
        return loop;
    }

    ReservePool pool() {
        return pool;
    }

    Extender extender() {
        return extender;
    }

    /** How the watch of each kind goes. */
    List<WatchHealth.State> watches() {
        return feed.watches();
    }

    /** What preemption did so far: to be asked by the thread that decides. */
    PreemptionDoor.Toll toll() {
        return doors.toll();
    }

    /** Begins to read, once. */
    synchronized void read(Optional<String> podsAfter) {
        if (!reads) {
            reads = true;
            began = podsAfter;
            feed.start(podsAfter);
        }
    }

    synchronized boolean reads() {
        return reads;
    }

    /** The version up to which all that happened to pods is written: see {@link DurableVersion}. */
    Optional<String> renewedVersion() {
        return durable.renewed();
    }

    /** Where a successor has to begin, be it before anything was durable here. */
    synchronized Optional<String> lastVersion() {
        return durable.renewed().or(() -> began);
    }

    /**
     * Stops deciding, waits for what is on its way, then stops reading.
     *
     * @return whether nothing of it is on its way any more
     */
    boolean close() {
        atWork.cancel(false);
        thread.close();
        feed.close();
        return thread.endedCleanly();
    }

    /** Ends at once, as a crash does. */
    void abandon() {
        atWork.cancel(false);
        thread.abandon();
        feed.close();
    }
}
