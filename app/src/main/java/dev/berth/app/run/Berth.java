package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.diagnostics.DiagnosticsEndpoints;
import dev.berth.app.diagnostics.LeadershipStatus;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.ReservePool;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.filter.Veto;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.extender.Extender;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.kubeconfig.ClientConfig;
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
 * Berth at work on one cluster: reads, decides, writes, until it is closed. Closing stops deciding, sees what is on its
 * way to its end, then stops reading.
 */
public final class Berth implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(Berth.class);

    private final LeadershipStatus leadershipStatus = new LeadershipStatus();
    private final ApiClient client;
    private final ElectionParticipant electionParticipant;
    private final ReservePool reservePool = new CurrentPool();
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
        ByteBudget requests = new ByteBudget(config.doors().requestMemory());
        DiagnosticsEndpoints.MonitoredBerth monitoredBerth = new DiagnosticsEndpoints.MonitoredBerth(
                () -> electionParticipant.engine().loop(),
                client,
                leadershipStatus,
                config.leaderElection().name(),
                () -> electionParticipant.engine().preemptionStats(),
                () -> electionParticipant.engine().watchHealth(),
                clock,
                electionParticipant.kubeSchedulerConflictCheck(),
                requests);
        this.httpServers = startHttp(config, requests, DiagnosticsEndpoints.router(monitoredBerth, machineClock));
    }

    private HttpServers startHttp(Config config, ByteBudget requests, Router diagnostics) {
        try {
            return HttpServers.start(
                    config, requests, new HttpServers.Handlers(reservePool, new CurrentExtender(), diagnostics));
        } catch (UserError taken) {
            client.close();
            throw taken;
        }
    }

    /** Asks the engine that is there when somebody asks. */
    private final class CurrentPool implements ReservePool {
        @Override
        public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
            return electionParticipant.engine().reservePool().reserve(request);
        }

        @Override
        public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
            return electionParticipant.engine().reservePool().unreserve(request);
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
     * Starts it.
     *
     * @param statusListener told in words when it leads, behind whom it waits, and when everything is listed; on threads that must
     *     not be kept
     */
    public static Berth start(
            ClientConfig access, Config config, InstantSource clock, Consumer<String> statusListener) {
        Berth berth = new Berth(access, config, clock, statusListener);
        berth.electionParticipant.start();
        return berth;
    }

    /** Waits until everything was listed and so many nodes are known. */
    public void awaitReady(int nodes) throws InterruptedException {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        Optional<Throwable> why = Optional.of(new IllegalStateException("it has not begun"));
        while (why.isPresent()) {
            SchedulerEngine asked = electionParticipant.engine();
            why = awaitReady(asked, nodes, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (why.isPresent() && asked == electionParticipant.engine()) {
                throw UserError.failed("it could not be started: " + why.get().getMessage(), why.get());
            }
        }
    }

    /** Why the engine did not become ready: it may have been exchanged for another one meanwhile. */
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
                    "it could not be started: %s".formatted(failure.join().getMessage()));
        }
        return Optional.empty();
    }

    /** The state after the latest decision. */
    public Snapshot snapshot() {
        return electionParticipant.engine().loop().snapshot();
    }

    /** The pool that schedulers in this process take their room from. */
    public ReservePool reservePool() {
        return reservePool;
    }

    /** Where the Reserve API is, if it is open. */
    public Optional<String> globalReserveUrl() {
        return httpServers.globalReserveUrl();
    }

    /** Where the extender is, if it is open. */
    public Optional<String> extenderUrl() {
        return httpServers.extenderUrl();
    }

    /** Where its health and metrics are, if it tells them. */
    public Optional<String> diagnosticsUrl() {
        return httpServers.diagnosticsUrl();
    }

    /** Completes when Berth can no longer do its work, with the reason. */
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void close() {
        httpServers.close();
        electionParticipant.close();
        client.close();
    }

    /** Ends at once and without a word, as a crash does: what is on its way is cut off, and the lease is not let go. */
    public void kill() {
        client.close();
        electionParticipant.kill();
        httpServers.close();
    }
}
