package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.globalreserve.LedgerLoopReserveService;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.LedgerLoopExtender;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.effects.ConditionDeduplicator;
import dev.berth.kubernetes.effects.EffectSettings;
import dev.berth.kubernetes.effects.EffectWriter;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.informer.ClusterInformers;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.InformerSettings;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.watch.WatchHealth;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A ledger with its informers, its scheduler and its writers, for one set of names, profiles and doors. A changed
 * configuration needs a new engine, which lists everything again, as at every start.
 */
final class SchedulerEngine {
    private static final Duration EVENT_AGGREGATION_WINDOW = Duration.ofMinutes(5);

    /** Longer than the door's own limit, and shorter than known callers wait. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(4_500);

    private final Config servedConfig;
    private final EnabledDoors doors;
    private final SchedulerPlugins plugins;
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final ClusterInformers informers;
    private final ReserveService reserveService;
    private final Extender extender;
    private final ResumeVersion resumeVersion;
    private final CompletableFuture<Void> readyMessage;
    private Optional<String> startedAfter = Optional.empty();
    private boolean reading;

    /**
     * The parts that successive engines of one process share.
     *
     * @param identity the name of this process in events
     * @param leadership decides whether anything may be written
     * @param clock the API server's clock
     * @param machineClock the clock of this machine
     * @param statusListener called when all objects are listed
     * @param onFailure called with a bug that ended the loop
     */
    record Dependencies(
            ApiClient client,
            String identity,
            Leadership leadership,
            InstantSource clock,
            InstantSource machineClock,
            Consumer<String> statusListener,
            Consumer<Throwable> onFailure) {}

    SchedulerEngine(Config servedConfig, Dependencies dependencies) {
        this.servedConfig = servedConfig;
        EngineSettings settings = EngineSettings.DEFAULT.withBindsInFlight(servedConfig.bindsInFlight());
        ConditionDeduplicator conditions = new ConditionDeduplicator();
        EffectSettings effects =
                new EffectSettings(settings.writeTimeout(), EVENT_AGGREGATION_WINDOW, dependencies.identity());
        Ledger ledger = new Ledger();
        this.doors = EnabledDoors.create(servedConfig, ledger);
        this.plugins = new SchedulerPlugins(servedConfig, ledger);
        this.loop = new LedgerLoop(
                newScheduler(servedConfig, ledger, doors, plugins),
                new EffectWriter(
                        dependencies.client(), conditions, effects, dependencies.clock(), writeEncoders(doors)),
                dependencies.leadership(),
                dependencies.clock(),
                settings);
        this.thread = new LoopThread(loop, settings, dependencies.onFailure());
        this.informers = new ClusterInformers(
                dependencies.client(),
                loop,
                conditions,
                informerSettings(servedConfig),
                ClusterInformers.reflectorContext(
                        dependencies.client(), dependencies.machineClock(), new SplittableRandom()),
                informers(doors, plugins));
        this.resumeVersion = new ResumeVersion(informers::podResourceVersion, loop::submitInOrder);
        this.reserveService = new LedgerLoopReserveService(loop, dependencies.clock(), ANSWER_TIMEOUT);
        this.extender = new LedgerLoopExtender(loop, ANSWER_TIMEOUT);
        this.readyMessage = loop.awaitSnapshot(snapshot -> true)
                .thenAccept(all -> dependencies
                        .statusListener()
                        .accept("is at work: %d nodes are listed, with their pods and holds"
                                .formatted(all.nodeCount())));
    }

    /** The priority of candidates has an annotation of its own, which is read only where the mode Cluster needs it. */
    private static InformerSettings informerSettings(Config config) {
        PreAllocationSettings preAllocation = config.doors().reservations().preAllocation();
        return preAllocation.clusterModeEnabled()
                ? InformerSettings.DEFAULT.withAnnotation(preAllocation.clusterPriorityAnnotationKey())
                : InformerSettings.DEFAULT;
    }

    static Scheduler newScheduler(Config config, Ledger ledger, EnabledDoors doors, SchedulerPlugins plugins) {
        List<FilterPlugin> filterPlugins = new ArrayList<>(plugins.filterPlugins());
        filterPlugins.addAll(doors.filterPlugins());
        return new Scheduler(
                ledger,
                new Placer(ledger, config.profiles(), filterPlugins),
                new SchedulingQueue(config.podBackOff()),
                config.schedulerNames(),
                doors.all(),
                plugins.all());
    }

    private static WriteEncoders writeEncoders(EnabledDoors doors) {
        WriteEncoders encoders = new WriteEncoders();
        SchedulerPlugins.addWriteEncoders(encoders);
        doors.addWriteEncoders(encoders);
        return encoders;
    }

    static ComponentInformers informers(EnabledDoors doors, SchedulerPlugins plugins) {
        ComponentInformers ofDoors = doors.informers();
        List<WatchedResource<?>> resources = new ArrayList<>(plugins.watchedResources());
        resources.addAll(ofDoors.resources());
        return new ComponentInformers(resources, ofDoors.nodeReaders());
    }

    SchedulerEngine start() {
        thread.start();
        return this;
    }

    Config servedConfig() {
        return servedConfig;
    }

    LedgerLoop loop() {
        return loop;
    }

    ReserveService reserveService() {
        return reserveService;
    }

    Extender extender() {
        return extender;
    }

    /** The state of the watch of each kind. */
    List<WatchHealth.WatchStatus> watchHealth() {
        return informers.watchStatuses();
    }

    /** The counts of preemption. Call this on the loop's thread. */
    DefaultPreemption.PreemptionStats preemptionStats() {
        return plugins.preemptionStats();
    }

    /** The Koordinator Reservations. Call this on the loop's thread. */
    List<Reservation> reservations() {
        return doors.reservations();
    }

    /** Starts to read, once. */
    synchronized void startReading(Optional<String> podsAfter) {
        if (!reading) {
            reading = true;
            startedAfter = podsAfter;
            informers.start(podsAfter);
        }
    }

    synchronized boolean isReading() {
        return reading;
    }

    /** The version up to which all pod events are written: see {@link ResumeVersion}. */
    Optional<String> resumeVersion() {
        return resumeVersion.advance();
    }

    /** The version at which a successor has to resume, even if nothing was durable here yet. */
    synchronized Optional<String> resumeVersionOrStart() {
        return resumeVersion.advance().or(() -> startedAfter);
    }

    /**
     * Stops scheduling, waits for writes in flight, then stops reading.
     *
     * @return whether no write is in flight any more
     */
    boolean close() {
        readyMessage.cancel(false);
        thread.close();
        informers.close();
        return thread.endedCleanly();
    }

    /** Ends at once, as a crash does. */
    void kill() {
        readyMessage.cancel(false);
        thread.abandon();
        informers.close();
    }
}
