package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.operation.Operation;
import dev.berth.app.operation.Role;
import dev.berth.core.decision.Decider;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.Placer;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.reserve.LocalReservePool;
import dev.berth.http.Router;
import dev.berth.http.extender.LoopExtender;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.effects.ApiCluster;
import dev.berth.kubernetes.effects.ConditionBook;
import dev.berth.kubernetes.effects.EffectSettings;
import dev.berth.kubernetes.election.ElectionObserver;
import dev.berth.kubernetes.election.ElectionSettings;
import dev.berth.kubernetes.election.LeaseElection;
import dev.berth.kubernetes.feed.ClusterFeed;
import dev.berth.kubernetes.feed.FeedSettings;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.kubernetes.time.Clocks;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SplittableRandom;
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
    private static final Duration EVENT_WINDOW = Duration.ofMinutes(5);
    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    /** Longer than the door takes at the most, and shorter than known callers wait. */
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(4_500);

    private static final Duration LET_GO_WITHIN = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(Berth.class);

    private final InstantSource clock;
    private final Consumer<String> words;
    private final Optional<LeaseElection> election;
    private final Role role = new Role();
    private final ApiClient client;
    private final LedgerLoop loop;
    private final LoopThread thread;
    private final ClusterFeed feed;
    private final ReservePool pool;
    private final HttpDoors http;
    private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
    private final DurableVersion durable;
    private final CompletableFuture<Void> atWork;

    private Berth(ClusterAccess access, Config config, InstantSource machine, Consumer<String> words) {
        ServerClock serverClock = ServerClock.beside(machine);
        this.clock = serverClock;
        this.words = words;
        String identity = Identity.fresh();
        EngineSettings settings = EngineSettings.DEFAULT.withBindsInFlight(config.bindsInFlight());
        this.client = new ApiClient(access, Limits.DEFAULT, "berth");
        client.timedBy(serverClock);
        this.election = config.leaderElection().enabled()
                ? Optional.of(election(config, identity, settings))
                : Optional.empty();
        ConditionBook conditions = new ConditionBook();
        EffectSettings effects = new EffectSettings(settings.writeTimeout(), EVENT_WINDOW, identity);
        Ledger ledger = new Ledger();
        Doors doors = Doors.open(config, ledger);
        this.loop = new LedgerLoop(
                decider(config, ledger, doors),
                new ApiCluster(client, conditions, effects, clock, doors.forms()),
                election.<Leadership>map(it -> it).orElse(Leadership.ALWAYS),
                clock,
                settings);
        this.thread = new LoopThread(loop, settings, this::loopBroke);
        this.feed = new ClusterFeed(
                client,
                loop,
                conditions,
                FeedSettings.DEFAULT,
                ClusterFeed.surroundings(client, machine, new SplittableRandom()),
                doors.feeds());
        this.durable = new DurableVersion(feed::podsReached, loop::submitInOrder);
        this.pool = new LocalReservePool(loop, clock, ANSWER_WITHIN);
        this.atWork = loop.when(whatever -> true)
                .thenAccept(all -> words.accept(
                        "is at work: %d nodes are listed, and all that is on them".formatted(all.nodeCount())));
        Operation.Watched watched = new Operation.Watched(
                loop, client, role, config.leaderElection().name(), doors::toll, feed::watches, serverClock);
        this.http = openHttp(config, Operation.router(watched, machine));
    }

    private HttpDoors openHttp(Config config, Router operation) {
        try {
            LoopExtender extender = new LoopExtender(loop, ANSWER_WITHIN);
            return HttpDoors.open(config, new HttpDoors.Answers(pool, extender, operation));
        } catch (UserError taken) {
            client.close();
            throw taken;
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
        berth.thread.start();
        berth.election.ifPresentOrElse(LeaseElection::start, berth::leadAlone);
        return berth;
    }

    private void leadAlone() {
        role.leads();
        words.accept("leads without a lease: leaderElection.enabled is false");
        feed.start(Optional.empty());
    }

    private void loopBroke(Throwable bug) {
        broken.complete(new IllegalStateException("its ledger's loop broke: " + bug, bug));
    }

    /**
     * A standby reads nothing: what it decides on once it leads rests on lists made after it was elected. Losing the
     * lead ends the process, as it does kube-scheduler: starting anew is the way back to a ledger that is surely right.
     */
    private LeaseElection election(Config config, String identity, EngineSettings settings) {
        LeaderElection wanted = config.leaderElection();
        ElectionSettings terms = new ElectionSettings(
                wanted.namespace(),
                wanted.name(),
                identity,
                wanted.leaseDuration(),
                wanted.renewDeadline(),
                wanted.retryPeriod(),
                settings.writeTimeout());
        // The machine's own: a steady clock that waits for one put back would hide that the machine slept.
        Clocks clocks = new Clocks(InstantSource.system(), System::nanoTime);
        return LeaseElection.at(client, terms, clocks, () -> durable.renewed(), new ElectionObserver() {
            @Override
            public void leading(Optional<String> durableVersion) {
                role.leads();
                words.accept("leads since %s (lease %s/%s, as %s)"
                        .formatted(
                                clock.instant().truncatedTo(ChronoUnit.SECONDS),
                                wanted.namespace(),
                                wanted.name(),
                                identity));
                feed.start(durableVersion);
            }

            @Override
            public void otherLeads(String other) {
                role.waitsBehind(other);
                words.accept("waits: %s leads (lease %s/%s). It follows when that one ends"
                        .formatted(other, wanted.namespace(), wanted.name()));
            }

            @Override
            public void lost(String why) {
                role.lost(why);
                broken.complete(new IllegalStateException(
                        ("the lead by lease %s/%s is lost: %s. Start Berth anew, as a Deployment does by itself: the next"
                                        + " one reads everything and goes on")
                                .formatted(wanted.namespace(), wanted.name(), why)));
            }
        });
    }

    /** Waits until everything was listed and so many nodes are known. */
    public void awaitReady(int nodes) throws InterruptedException {
        CompletableFuture<Snapshot> ready = loop.when(cluster -> cluster.nodeCount() >= nodes);
        try {
            CompletableFuture.anyOf(ready, broken).get(START_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            ready.cancel(false);
            throw UserError.failed(
                    "%d of %d nodes are ready after %d s. The log may say why"
                            .formatted(snapshot().nodeCount(), nodes, START_WITHIN.toSeconds()),
                    late);
        } catch (ExecutionException ended) {
            throw UserError.failed("it could not be started: " + ended.getMessage(), ended);
        }
        if (broken.isDone()) {
            throw UserError.failed(
                    "it could not be started: %s".formatted(broken.join().getMessage()));
        }
    }

    /** The state after the latest decision. */
    public Snapshot snapshot() {
        return loop.snapshot();
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

    /** The lease is let go after the last write has ended, so that a successor can take over at once. */
    @Override
    public void close() {
        atWork.cancel(false);
        http.close();
        thread.close();
        feed.close();
        if (thread.endedCleanly()) {
            election.ifPresent(this::letGo);
        } else {
            LOG.warn("binds may still be on their way: the lease is kept until it ends by itself");
        }
        client.close();
    }

    /** Ends at once and without a word, as a crash does: what is on its way is cut off, and the lease is not let go. */
    public void abandon() {
        atWork.cancel(false);
        client.close();
        thread.abandon();
        feed.close();
        http.close();
    }

    private void letGo(LeaseElection standing) {
        try {
            standing.stop().toCompletableFuture().get(LET_GO_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unanswered) {
            LOG.warn("the lease could not be let go: a successor has to wait for its end", unanswered);
        }
    }

    static Decider decider(Config config, Ledger ledger, Doors doors) {
        return new Decider(
                ledger,
                new Placer(ledger, config.profiles(), doors.devices(), doors.volumes()),
                new SchedulingQueue(config.podBackOff()),
                config.schedulerNames(),
                doors.all());
    }
}
