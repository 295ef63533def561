package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.operation.Operation;
import dev.berth.app.operation.Role;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.filter.Veto;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.extender.Extender;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.http2.Limits;
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
    private static final Duration START_WITHIN = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(Berth.class);

    private final Role role = new Role();
    private final ApiClient client;
    private final Candidacy candidacy;
    private final ReservePool pool = new CurrentPool();
    private final HttpDoors http;
    private final CompletableFuture<Throwable> broken = new CompletableFuture<>();

    private Berth(ClusterAccess access, Config config, InstantSource machine, Consumer<String> words) {
        ServerClock clock = ServerClock.beside(machine);
        this.client = new ApiClient(access, Limits.DEFAULT, "berth");
        client.timedBy(clock);
        this.candidacy =
                new Candidacy(client, config, new Candidacy.Time(clock, machine), role, words, broken::complete);
        ByteBudget requests = new ByteBudget(config.doors().requestMemory());
        Operation.Watched watched = new Operation.Watched(
                () -> candidacy.engine().loop(),
                client,
                role,
                config.leaderElection().name(),
                () -> candidacy.engine().toll(),
                () -> candidacy.engine().watches(),
                clock,
                candidacy.defaultScheduler(),
                requests);
        this.http = openHttp(config, requests, Operation.router(watched, machine));
    }

    private HttpDoors openHttp(Config config, ByteBudget requests, Router operation) {
        try {
            return HttpDoors.open(config, requests, new HttpDoors.Answers(pool, new CurrentExtender(), operation));
        } catch (UserError taken) {
            client.close();
            throw taken;
        }
    }

    /** Asks the engine that is there when somebody asks. */
    private final class CurrentPool implements ReservePool {
        @Override
        public ReserveAnswer reserve(ReserveRequest request) throws InterruptedException {
            return candidacy.engine().pool().reserve(request);
        }

        @Override
        public ReserveAnswer unreserve(ReserveRequest request) throws InterruptedException {
            return candidacy.engine().pool().unreserve(request);
        }
    }

    private final class CurrentExtender implements Extender {
        @Override
        public Map<String, List<Veto>> vetoes(Pod pod, List<String> nodes) throws NoAnswer, InterruptedException {
            return candidacy.engine().extender().vetoes(pod, nodes);
        }

        @Override
        public Optional<String> bind(PodUid pod, String node) throws NoAnswer, InterruptedException {
            return candidacy.engine().extender().bind(pod, node);
        }
    }

    public static Berth start(ClusterAccess access, Config config, InstantSource clock) {
        return start(access, config, clock, LOG::debug);
    }

    /**
     * Starts it.
     *
     * @param words told in words when it leads, behind whom it waits, and when everything is listed; on threads that must
     *     not be kept
     */
    public static Berth start(ClusterAccess access, Config config, InstantSource clock, Consumer<String> words) {
        Berth berth = new Berth(access, config, clock, words);
        berth.candidacy.start();
        return berth;
    }

    /** Waits until everything was listed and so many nodes are known. */
    public void awaitReady(int nodes) throws InterruptedException {
        long end = System.nanoTime() + START_WITHIN.toNanos();
        Optional<Throwable> why = Optional.of(new IllegalStateException("it has not begun"));
        while (why.isPresent()) {
            Engine asked = candidacy.engine();
            why = awaitReady(asked, nodes, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (why.isPresent() && asked == candidacy.engine()) {
                throw UserError.failed("it could not be started: " + why.get().getMessage(), why.get());
            }
        }
    }

    /** Why the engine did not become ready: it may have been exchanged for another one meanwhile. */
    private Optional<Throwable> awaitReady(Engine engine, int nodes, Duration within) throws InterruptedException {
        CompletableFuture<Snapshot> ready = engine.loop().when(cluster -> cluster.nodeCount() >= nodes);
        try {
            CompletableFuture.anyOf(ready, broken).get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            ready.cancel(false);
            throw UserError.failed(
                    "%d of %d nodes are ready after %d s. The log may say why"
                            .formatted(snapshot().nodeCount(), nodes, START_WITHIN.toSeconds()),
                    late);
        } catch (ExecutionException ended) {
            return Optional.of(ended);
        }
        if (broken.isDone()) {
            throw UserError.failed(
                    "it could not be started: %s".formatted(broken.join().getMessage()));
        }
        return Optional.empty();
    }

    /** The state after the latest decision. */
    public Snapshot snapshot() {
        return candidacy.engine().loop().snapshot();
    }

    /** The pool that schedulers in this process take their room from. */
    public ReservePool pool() {
        return pool;
    }

    /** Where the Reserve API is, if it is open. */
    public Optional<String> reserveUrl() {
        return http.reserveUrl();
    }

    /** Where the extender is, if it is open. */
    public Optional<String> extenderUrl() {
        return http.extenderUrl();
    }

    /** Where its health and metrics are, if it tells them. */
    public Optional<String> operationUrl() {
        return http.operationUrl();
    }

    /** Completes when Berth can no longer do its work, with the reason. */
    public CompletableFuture<Throwable> broken() {
        return broken;
    }

    @Override
    public void close() {
        http.close();
        candidacy.close();
        client.close();
    }

    /** Ends at once and without a word, as a crash does: what is on its way is cut off, and the lease is not let go. */
    public void abandon() {
        client.close();
        candidacy.abandon();
        http.close();
    }
}
