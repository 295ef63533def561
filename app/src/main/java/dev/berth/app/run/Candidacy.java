package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.config.Served;
import dev.berth.app.operation.DefaultScheduler;
import dev.berth.app.operation.Role;
import dev.berth.engine.EngineSettings;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.election.ElectionObserver;
import dev.berth.kubernetes.election.ElectionSettings;
import dev.berth.kubernetes.election.LeaseElection;
import dev.berth.kubernetes.election.Member;
import dev.berth.kubernetes.election.MemberObserver;
import dev.berth.kubernetes.election.MemberSettings;
import dev.berth.kubernetes.election.Members;
import dev.berth.kubernetes.http2.RequestFailed;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Berth among those of its cluster: it joins the members, stands for election, and while it leads it serves all that
 * the members are configured for. Engines are exchanged on a thread of their own: closing one waits for its writes, and
 * the Lease must be renewed meanwhile.
 */
final class Candidacy {
    private static final String RESTART =
            "Restart Berth, as a Deployment does by itself: the next process reads everything" + " and goes on";
    private static final Duration LET_GO_WITHIN = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    /**
     * Two clocks.
     *
     * @param server the API server's, by which deadlines count
     * @param machine that of this machine
     */
    record Time(ServerClock server, InstantSource machine) {}

    private final Config config;
    private final InstantSource clock;
    private final InstantSource machine;
    private final Membership membership;
    private final ApiClient client;
    private final String identity = Identity.fresh();
    private final Consumer<String> words;
    private final Role role;
    private final Consumer<Throwable> broken;
    private final Members members;
    private final DefaultScheduler defaultScheduler;
    private final ExecutorService exchange = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "berth-members");
        thread.setDaemon(true);
        return thread;
    });
    private volatile LeaseElection election;
    private volatile Engine engine;
    private volatile List<Member> known = List.of();
    // On the thread of the exchange alone, from here on.
    private Optional<String> podsAfter = Optional.empty();
    private boolean leads;

    Candidacy(
            ApiClient client, Config config, Time time, Role role, Consumer<String> words, Consumer<Throwable> broken) {
        this.client = client;
        this.config = config;
        this.clock = time.server();
        this.machine = time.machine();
        this.role = role;
        this.words = words;
        this.broken = broken;
        this.membership = new Membership(config);
        LeaderElection wanted = config.leaderElection();
        this.members = Members.at(
                client,
                MemberSettings.of(wanted.namespace(), wanted.name(), identity, wanted.retryPeriod()),
                Served.write(config),
                clocks(),
                time.server()::shown,
                new Peers());
        this.election = standing();
        this.engine = engine(config);
        this.defaultScheduler =
                new DefaultScheduler(client, () -> engine.serving().schedulerNames(), clock);
    }

    private Engine engine(Config serving) {
        return new Engine(
                serving,
                new Engine.Surroundings(
                        client,
                        identity,
                        write -> election.covers(write),
                        clock,
                        machine,
                        words,
                        bug -> broken.accept(new IllegalStateException("its ledger's loop broke: " + bug, bug))));
    }

    /** The machine's own: a steady clock that waits for one put back would hide that the machine slept. */
    private static Clocks clocks() {
        return new Clocks(InstantSource.system(), System::nanoTime);
    }

    private LeaseElection standing() {
        LeaderElection wanted = config.leaderElection();
        ElectionSettings terms = new ElectionSettings(
                wanted.namespace(),
                wanted.name(),
                identity,
                wanted.leaseDuration(),
                wanted.renewDeadline(),
                wanted.retryPeriod(),
                EngineSettings.DEFAULT.writeTimeout());
        return LeaseElection.at(client, terms, clocks(), () -> engine.renewedVersion(), new Election());
    }

    /** The engine that answers now. It is another one whenever what is served changes. */
    Engine engine() {
        return engine;
    }

    DefaultScheduler defaultScheduler() {
        return defaultScheduler;
    }

    void start() {
        engine.start();
        defaultScheduler.start(Timer.on(client.callThread()));
        election.watch();
        members.start();
    }

    /** What happens to the members. */
    private final class Peers implements MemberObserver {
        @Override
        public Optional<String> contradiction(Member other) {
            return membership.contradiction(other);
        }

        @Override
        public void members(List<Member> all) {
            boolean first = known.isEmpty();
            known = all;
            if (first) {
                election.start();
            }
            exchange(Candidacy.this::serve);
        }

        @Override
        public void cannotJoin(String why) {
            role.joins(why);
            words.accept("waits to join the Berths of this cluster: " + why);
        }

        @Override
        public void rejected(String why) {
            role.joins(why);
            broken.accept(UserError.setting(why));
        }
    }

    /**
     * A standby reads nothing: what it decides on once it leads rests on lists made after it was elected. Losing the
     * lead ends the process, as it does kube-scheduler: a restart is the way back to a ledger that is surely right.
     */
    private final class Election implements ElectionObserver {
        private final LeaderElection lease = config.leaderElection();
        private String announced = "";

        @Override
        public void standsBy(String holder, boolean renews, Optional<Instant> renewed) {
            if (renews) {
                role.waitsBehind(holder);
                return;
            }
            role.waitsFor(holder, renewed);
            if (!holder.equals(announced)) {
                announced = holder;
                words.accept("is %s The Lease is %s/%s.".formatted(role, lease.namespace(), lease.name()));
            }
        }

        @Override
        public void leaseFails(String problem, String why) {
            role.leaseFails(problem, clock.instant(), why);
        }

        @Override
        public void leaseWorks() {
            role.leaseWorks();
        }

        @Override
        public void leading(Optional<String> durableVersion) {
            role.leads();
            words.accept("leads since %s (lease %s/%s, as %s)"
                    .formatted(
                            clock.instant().truncatedTo(ChronoUnit.SECONDS),
                            lease.namespace(),
                            lease.name(),
                            identity));
            members.tookLead()
                    .thenRun(() -> exchange(() -> {
                        leads = true;
                        podsAfter = durableVersion;
                        serve();
                    }));
        }

        @Override
        public void otherLeads(String other) {
            announced = other;
            words.accept("is standby: %s leads (lease %s/%s)".formatted(other, lease.namespace(), lease.name()));
        }

        @Override
        public boolean defers(String before) {
            List<Member> candidates = known.stream()
                    .filter(member -> !member.identity().equals(before))
                    .toList();
            return membership.betterLeader(candidates).isPresent();
        }

        @Override
        public void lost(String why) {
            role.lost(why);
            broken.accept(new IllegalStateException("the lead by lease %s/%s is lost: %s. %s"
                    .formatted(lease.namespace(), lease.name(), why, RESTART)));
        }
    }

    private void exchange(Runnable work) {
        try {
            exchange.execute(work);
        } catch (RejectedExecutionException closed) {
            LOG.debug("nothing is exchanged any more", closed);
        }
    }

    /** Has the present engine serve what the members are configured for, or puts another in its place. */
    private void serve() {
        if (!leads) {
            return;
        }
        Optional<Member> better = membership.betterLeader(known);
        if (better.isPresent()) {
            yieldTo(better.get());
            return;
        }
        Config union = membership.union(known);
        if (union.equals(engine.serving())) {
            engine.read(podsAfter);
        } else if (replace(union)) {
            words.accept("serves %s: all that the Berths of this cluster are configured for"
                    .formatted(String.join(", ", union.schedulerNames())));
            engine.read(podsAfter);
        }
        defaultScheduler.look();
    }

    /** Callers of a member's HTTP doors reach that member alone: so it leads, and this one is ready to follow it. */
    private void yieldTo(Member better) {
        words.accept(
                "lets %s lead, which listens for HTTP callers that this one does not listen for".formatted(better));
        leads = false;
        members.gaveUpLead();
        if (replace(config)) {
            role.waitsBehind(better.identity());
            await(election.stop(), "the lease could not be let go: %s has to wait for its end".formatted(better));
            election = standing();
            election.start();
        }
    }

    /** Says whether there is another engine now, and nothing of the old one is on its way. */
    private boolean replace(Config serving) {
        Engine old = engine;
        engine = engine(serving).start();
        boolean clean = old.close();
        if (old.reads()) {
            podsAfter = old.lastVersion();
        }
        if (!clean) {
            broken.accept(new IllegalStateException(
                    "the configuration of the members changed, but writes did not end in time. " + RESTART));
        }
        return clean;
    }

    /** The lease is let go after the last write has ended, so that a successor can take over at once. */
    void close() {
        stopExchange();
        if (engine.close()) {
            // In this order a successor finds no names of this Berth to serve.
            await(
                    members.stop(),
                    "the member Lease could not be released: the scheduler names of this Berth are served until the Lease expires");
            await(election.stop(), "the lease could not be let go: a successor has to wait for its end");
        } else {
            LOG.warn("binds may still be on their way: the lease is kept until it ends by itself");
        }
    }

    void abandon() {
        exchange.shutdownNow();
        engine.abandon();
    }

    private void stopExchange() {
        exchange.shutdown();
        try {
            if (!exchange.awaitTermination(EngineSettings.DEFAULT.drainTimeout().toSeconds() + 5, TimeUnit.SECONDS)) {
                LOG.warn(
                        "the restart of the engine for another configuration takes too long: Berth ends without waiting for it");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CompletionStage<Void> end, String otherwise) {
        try {
            end.toCompletableFuture().get(LET_GO_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            LOG.warn("{} ({})", otherwise, RequestFailed.why(failed));
        } catch (TimeoutException unanswered) {
            LOG.warn("{} (the API server did not answer within {} s)", otherwise, LET_GO_WITHIN.toSeconds());
        }
    }
}
