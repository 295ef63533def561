package dev.berth.app.run;

import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.diagnostics.DiagnosticsEndpoints;
import dev.berth.app.diagnostics.LeadershipStatus;
import dev.berth.client.ReservePool;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.filter.Veto;
import dev.berth.engine.globalreserve.LocalReservePool;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.extender.Extender;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Berth on one cluster: reads, schedules and writes until it is closed. Closing stops scheduling, waits for
 * writes in flight, then stops reading.
 */
public final class Berth implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(Berth.class);

    private final LeadershipStatus leadershipStatus = new LeadershipStatus();
    private final ApiClient client;
    private final ElectionParticipant electionParticipant;
    private final ReserveService reserveService = new CurrentReserveService();
    private final HttpServers httpServers;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private Berth(ClientConfig access, Config config, InstantSource machineClock, Consumer<String> statusListener) {
        ServerClock clock = ServerClock.following(machineClock);
        this.client = new ApiClient(access, ConnectionSettings.DEFAULT, "berth");
        client.setServerDateListener(clock);
        this.electionParticipant = new ElectionParticipant(
                client,
                config,
                new ElectionParticipant.ClockPair(clock, machineClock),
                leadershipStatus,
                statusListener,
                failure::complete);
        ByteBudget requests = new ByteBudget(config.http().requestMemory());
        DiagnosticsEndpoints.MonitoredBerth monitoredBerth = new DiagnosticsEndpoints.MonitoredBerth(
                () -> electionParticipant.engine().loop(),
                client,
                leadershipStatus,
                config.leaderElection().name(),
                () -> electionParticipant.engine().preemptionStats(),
                () -> electionParticipant.engine().reservations(),
                () -> electionParticipant.engine().watchHealth(),
                clock,
                () -> electionParticipant.yieldedNames().blockedNames(),
                requests);
        this.httpServers = startHttp(config, requests, DiagnosticsEndpoints.router(monitoredBerth, machineClock));
    }

    private HttpServers startHttp(Config config, ByteBudget requests, Router diagnostics) {
        try {
            return HttpServers.start(
                    config, requests, new HttpServers.Handlers(reserveService, new CurrentExtender(), diagnostics));
        } catch (UserError portInUse) {
            client.close();
            throw portInUse;
        }
    }

    /** Uses the engine that is present at the time of the call. */
    private final class CurrentReserveService implements ReserveService {
        @Override
        public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
            return electionParticipant.engine().reserveService().reserve(request);
        }

        @Override
        public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
            return electionParticipant.engine().reserveService().unreserve(request);
        }
    }

    private final class CurrentExtender implements Extender {
        @Override
        public Map<String, List<Veto>> filter(Pod pod, List<String> nodes) throws ExtenderUnavailable {
            return electionParticipant.engine().extender().filter(pod, nodes);
        }

        @Override
        public Optional<String> bind(PodUid pod, String node) throws ExtenderUnavailable, InterruptedException {
            return electionParticipant.engine().extender().bind(pod, node);
        }
    }

    public static Berth start(ClientConfig access, Config config, InstantSource clock) {
        return start(access, config, clock, LOG::debug);
    }

    /**
     * Starts Berth.
     *
     * @param statusListener receives messages when Berth becomes the leader, which process it waits for, and when all
     * objects are listed; it must not block
     */
    public static Berth start(
            ClientConfig access, Config config, InstantSource clock, Consumer<String> statusListener) {
        Berth berth = new Berth(access, config, clock, statusListener);
        berth.electionParticipant.start();
        return berth;
    }

    /** Waits until all objects are listed and so many nodes are known. */
    public void awaitReady(int nodes) throws InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        Optional<Throwable> why = Optional.of(new IllegalStateException("Berth has not started"));
        while (why.isPresent()) {
            SchedulerEngine engine = electionParticipant.engine();
            why = awaitReady(engine, nodes, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (why.isPresent() && engine == electionParticipant.engine()) {
                throw UserError.failed("Berth could not start: " + why.get().getMessage(), why.get());
            }
        }
    }

    /** Why the engine did not become ready: it may have been replaced in between. */
    private Optional<Throwable> awaitReady(SchedulerEngine engine, int nodes, Duration within)
            throws InterruptedException {
        CompletableFuture<Snapshot> ready = engine.loop().awaitSnapshot(cluster -> cluster.nodeCount() >= nodes);
        try {
            CompletableFuture.anyOf(ready, failure).get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            ready.cancel(false);
            throw UserError.failed(
                    "%d of %d nodes are ready after %d s. The log may say why"
                            .formatted(snapshot().nodeCount(), nodes, START_TIMEOUT.toSeconds()),
                    late);
        } catch (ExecutionException ended) {
            return Optional.of(ended);
        }
        if (failure.isDone()) {
            throw UserError.failed(
                    "Berth could not start: %s".formatted(failure.join().getMessage()));
        }
        return Optional.empty();
    }

    /** The state after the latest turn. */
    public Snapshot snapshot() {
        return electionParticipant.engine().loop().snapshot();
    }

    /** The reserve pool for schedulers in this process. */
    public ReservePool reservePool() {
        return new LocalReservePool(reserveService);
    }

    /** The URL of the Reserve API, if it is enabled. */
    public Optional<String> globalReserveUrl() {
        return httpServers.globalReserveUrl();
    }

    /** The URL of the extender, if it is enabled. */
    public Optional<String> extenderUrl() {
        return httpServers.extenderUrl();
    }

    /** The URL of health checks and metrics, if they are enabled. */
    public Optional<String> diagnosticsUrl() {
        return httpServers.diagnosticsUrl();
    }

    /** Completes with the reason if Berth cannot work any more. */
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void close() {
        httpServers.close();
        electionParticipant.close();
        client.close();
    }

    /** Ends at once, as a crash does: writes in flight are cut off, and the Lease is not released. */
    public void kill() {
        client.close();
        electionParticipant.kill();
        httpServers.close();
    }
}
