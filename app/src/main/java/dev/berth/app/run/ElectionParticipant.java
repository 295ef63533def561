package dev.berth.app.run;

import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.config.MemberConfig;
import dev.berth.app.diagnostics.LeadershipStatus;
import dev.berth.engine.EngineSettings;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.leaderelection.LeaderCallbacks;
import dev.berth.kubernetes.leaderelection.LeaderElectionSettings;
import dev.berth.kubernetes.leaderelection.LeaderElector;
import dev.berth.kubernetes.leaderelection.Member;
import dev.berth.kubernetes.leaderelection.MemberRegistry;
import dev.berth.kubernetes.leaderelection.MemberRegistryListener;
import dev.berth.kubernetes.leaderelection.MemberRegistrySettings;
import dev.berth.kubernetes.time.Clocks;
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
 * One Berth among those of its cluster. It joins the members, takes part in the election, and as the leader serves the
 * configurations of all members. Engines are replaced on a thread of their own: closing one waits for its writes, and
 * the Lease must be renewed in between.
 */
final class ElectionParticipant {
    private static final String RESTART_ADVICE =
            "Restart Berth, or run it in a Deployment, which restarts it: the next process lists everything and continues";
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(3);
    private static final Logger LOG = LoggerFactory.getLogger(ElectionParticipant.class);

    /**
     * Two clocks.
     *
     * @param server the API server's clock, by which deadlines count
     * @param machine this machine's clock
     */
    record ClockPair(ServerClock server, InstantSource machine) {}

    private final Config config;
    private final InstantSource clock;
    private final InstantSource machineClock;
    private final MemberConfigs memberConfigs;
    private final ApiClient client;
    private final String identity = ProcessIdentity.generate();
    private final Consumer<String> statusListener;
    private final LeadershipStatus leadershipStatus;
    private final Consumer<Throwable> onFailure;
    private final MemberRegistry memberRegistry;
    private final YieldedNames yieldedNames;
    private final ExecutorService engineExecutor = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "berth-engine");
        thread.setDaemon(true);
        return thread;
    });
    private volatile LeaderElector election;
    private volatile SchedulerEngine engine;
    private volatile List<Member> knownMembers = List.of();
    // The following fields are confined to the thread that replaces engines.
    private Optional<String> replayPodsAfter = Optional.empty();
    private boolean leading;

    ElectionParticipant(
            ApiClient client,
            Config config,
            ClockPair clockPair,
            LeadershipStatus leadershipStatus,
            Consumer<String> statusListener,
            Consumer<Throwable> onFailure) {
        this.client = client;
        this.config = config;
        this.clock = clockPair.server();
        this.machineClock = clockPair.machine();
        this.leadershipStatus = leadershipStatus;
        this.statusListener = statusListener;
        this.onFailure = onFailure;
        this.memberConfigs = new MemberConfigs(config);
        LeaderElection electionConfig = config.leaderElection();
        this.memberRegistry = MemberRegistry.forApiServer(
                client,
                MemberRegistrySettings.of(
                        electionConfig.namespace(), electionConfig.name(), identity, electionConfig.retryPeriod()),
                MemberConfig.toJson(config),
                clocks(),
                clockPair.server()::serverTime,
                new MembershipListener());
        this.election = newElection();
        this.engine = newEngine(config);
        this.yieldedNames = new YieldedNames(
                client,
                electionConfig.retryPeriod(),
                clocks(),
                clockPair.server()::serverTime,
                () -> runOnEngineExecutor(this::applyMemberConfigs));
    }

    private SchedulerEngine newEngine(Config serving) {
        return new SchedulerEngine(
                serving,
                new SchedulerEngine.Dependencies(
                        client,
                        identity,
                        write -> election.holdsLeaseFor(write),
                        clock,
                        machineClock,
                        statusListener,
                        bug -> onFailure.accept(new IllegalStateException("the ledger's loop failed: " + bug, bug))));
    }

    /** The machine's own clock: a steady clock would hide that the machine slept. */
    private static Clocks clocks() {
        return new Clocks(InstantSource.system(), System::nanoTime);
    }

    private LeaderElector newElection() {
        LeaderElection electionConfig = config.leaderElection();
        LeaderElectionSettings electionSettings = new LeaderElectionSettings(
                electionConfig.namespace(),
                electionConfig.name(),
                identity,
                electionConfig.leaseDuration(),
                electionConfig.renewDeadline(),
                electionConfig.retryPeriod(),
                EngineSettings.DEFAULT.writeTimeout());
        return LeaderElector.forApiServer(
                client, electionSettings, clocks(), () -> engine.resumeVersion(), new ElectionListener());
    }

    /** The present engine. It is replaced whenever the served configuration changes. */
    SchedulerEngine engine() {
        return engine;
    }

    YieldedNames yieldedNames() {
        return yieldedNames;
    }

    void start() {
        engine.start();
        election.observe();
        memberRegistry.start();
    }

    /** Handles changes of the members. */
    private final class MembershipListener implements MemberRegistryListener {
        @Override
        public Optional<String> findConflict(Member other) {
            return memberConfigs.conflictWith(other);
        }

        @Override
        public void onMembersChanged(List<Member> all) {
            boolean first = knownMembers.isEmpty();
            knownMembers = all;
            if (first) {
                election.start();
            }
            runOnEngineExecutor(ElectionParticipant.this::applyMemberConfigs);
        }

        @Override
        public void onJoinBlocked(String why) {
            leadershipStatus.setWaitingToJoin(why);
            statusListener.accept("is waiting to join the other replicas of this cluster: " + why);
        }

        @Override
        public void onRejected(String why) {
            leadershipStatus.setWaitingToJoin(why);
            onFailure.accept(UserError.invalidSetting(why));
        }
    }

    /**
     * A standby reads nothing: its decisions as a leader are based on lists that were made after its election. Losing
     * the leadership ends the process, as in kube-scheduler: a restart rebuilds a correct ledger.
     */
    private final class ElectionListener implements LeaderCallbacks {
        private final LeaderElection lease = config.leaderElection();
        private String announcedHolder = "";

        @Override
        public void onStandby(String holder, boolean renews, Optional<Instant> renewed) {
            if (renews) {
                leadershipStatus.setStandby(holder);
                return;
            }
            leadershipStatus.setWaitingForExpiry(holder, renewed);
            if (!holder.equals(announcedHolder)) {
                announcedHolder = holder;
                statusListener.accept(
                        "is %s The Lease is %s/%s.".formatted(leadershipStatus, lease.namespace(), lease.name()));
            }
        }

        @Override
        public void onLeaseError(String problem, String why) {
            leadershipStatus.setLeaseFailing(problem, clock.instant(), why);
        }

        @Override
        public void onLeaseRecovered() {
            leadershipStatus.clearLeaseFailure();
        }

        @Override
        public void onStartedLeading(Optional<String> durableVersion) {
            leadershipStatus.setLeading();
            statusListener.accept("is the leader since %s (lease %s/%s, as %s)"
                    .formatted(
                            clock.instant().truncatedTo(ChronoUnit.SECONDS),
                            lease.namespace(),
                            lease.name(),
                            identity));
            memberRegistry
                    .onStartedLeading()
                    .thenRun(() -> runOnEngineExecutor(() -> {
                        leading = true;
                        replayPodsAfter = durableVersion;
                        applyMemberConfigs();
                    }));
        }

        @Override
        public void onNewLeader(String other) {
            announcedHolder = other;
            statusListener.accept(
                    "is standby: %s is the leader (lease %s/%s)".formatted(other, lease.namespace(), lease.name()));
        }

        @Override
        public boolean shouldYield(String before) {
            List<Member> candidates = knownMembers.stream()
                    .filter(member -> !member.identity().equals(before))
                    .toList();
            return memberConfigs.preferredLeader(candidates).isPresent();
        }

        @Override
        public void onStoppedLeading(String why) {
            leadershipStatus.setLost(why);
            onFailure.accept(new IllegalStateException("leadership by lease %s/%s is lost: %s. %s"
                    .formatted(lease.namespace(), lease.name(), why, RESTART_ADVICE)));
        }
    }

    private void runOnEngineExecutor(Runnable work) {
        try {
            engineExecutor.execute(work);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the engine is not replaced: this process is closing", closed);
        }
    }

    /**
     * Makes the present engine serve the configurations of all members, except the scheduler names that other schedulers
     * serve, or replaces it.
     */
    private void applyMemberConfigs() {
        if (!leading) {
            return;
        }
        Optional<Member> better = memberConfigs.preferredLeader(knownMembers);
        if (better.isPresent()) {
            yieldLeadershipTo(better.get());
            return;
        }
        Config union = yieldedNames.removeFrom(memberConfigs.merge(knownMembers));
        if (union.equals(engine.servedConfig())) {
            engine.startReading(replayPodsAfter);
        } else if (replaceEngine(union)) {
            announceServedNames(union);
            engine.startReading(replayPodsAfter);
        }
    }

    private void announceServedNames(Config union) {
        statusListener.accept(
                union.schedulerNames().isEmpty()
                        ? "serves no scheduler name now"
                        : "serves %s, %s"
                                .formatted(
                                        String.join(", ", union.schedulerNames()),
                                        union.yieldedNames().isEmpty()
                                                ? "the scheduler names of all replicas of this cluster"
                                                : "the scheduler names of this cluster that no other scheduler serves"));
        union.yieldedNames()
                .forEach((name, why) -> statusListener.accept("does not serve %s: %s".formatted(name, why)));
    }

    /** Callers of a member's HTTP APIs reach only that member: so it should lead, and this one becomes a standby. */
    private void yieldLeadershipTo(Member better) {
        statusListener.accept(
                "yields to %s, which serves an HTTP API that this replica does not serve".formatted(better));
        leading = false;
        memberRegistry.onStoppedLeading();
        yieldedNames.stop();
        if (replaceEngine(config)) {
            leadershipStatus.setStandby(better.identity());
            await(election.stop(), "the Lease could not be released: %s must wait until it expires".formatted(better));
            election = newElection();
            election.start();
        }
    }

    /** Returns whether the engine is replaced and the old one has no writes in flight. */
    private boolean replaceEngine(Config serving) {
        SchedulerEngine old = engine;
        engine = newEngine(serving).start();
        boolean clean = old.close();
        if (old.isReading()) {
            replayPodsAfter = old.resumeVersionOrStart();
        }
        if (!clean) {
            onFailure.accept(new IllegalStateException(
                    "the configuration of the members changed, but writes did not end in time. " + RESTART_ADVICE));
        }
        return clean;
    }

    /** The Lease is released after the last write has ended, so that a successor can take over at once. */
    void close() {
        stopEngineExecutor();
        if (engine.close()) {
            // In this order a successor finds no names of this Berth to serve.
            await(
                    memberRegistry.stop(),
                    "the member Lease could not be released: the scheduler names of this replica are served until the Lease expires");
            await(election.stop(), "the Lease could not be released: the next leader must wait until it expires");
        } else {
            LOG.warn("binds may still be in flight: the Lease is not released and expires");
        }
    }

    void kill() {
        engineExecutor.shutdownNow();
        engine.kill();
    }

    private void stopEngineExecutor() {
        engineExecutor.shutdown();
        try {
            if (!engineExecutor.awaitTermination(
                    EngineSettings.DEFAULT.drainTimeout().toSeconds() + 5, TimeUnit.SECONDS)) {
                LOG.warn(
                        "the restart of the engine for another configuration takes too long: Berth stops without waiting for it");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CompletionStage<Void> end, String otherwise) {
        try {
            end.toCompletableFuture().get(RELEASE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            LOG.warn("{} ({})", otherwise, RequestFailedException.messageOf(failed));
        } catch (TimeoutException unanswered) {
            LOG.warn("{} (the API server did not answer within {} s)", otherwise, RELEASE_TIMEOUT.toSeconds());
        }
    }
}
