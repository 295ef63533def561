package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.leaderelection.LeaseStore.LeaseResult;
import dev.berth.kubernetes.leaderelection.MemberStore.MemberListResult;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.Clocks.ClockReading;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this Berth's own Lease among those of all Berths of the cluster, and knows the other members. A Lease without a
 * holder is not active. A Lease with a holder is active until it has not changed for its duration, measured by this
 * process's ticker from the observed change. A Lease that this process has not observed to change is checked by its
 * renewTime, which members write by the API server's clock: a restarted Berth must not measure from its own start. The
 * leader deletes Leases that are not active any more.
 *
 * <p>A Berth whose configuration conflicts with a member does not join. The member may be dead although its Lease is
 * still active. So the Berth waits: if the Lease is renewed, the Berth is rejected; if it expires, the Berth joins. Two
 * Berths that join at the same moment do not know each other before: then the one with the higher slot leaves.
 *
 * <p>Single-threaded: everything happens on the timer's thread.
 */
public final class MemberRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(MemberRegistry.class);

    /** The maximum difference between two members' estimates of the API server's time. */
    private static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    private final MemberRegistrySettings settings;
    private final List<String> leaseNames;
    private final String configuration;
    private final MemberStore store;
    private final TaskTimer timer;
    private final Clocks clocks;
    private final Supplier<Optional<Instant>> serverTime;
    private final MemberRegistryListener listener;
    private final Map<String, ObservedLease> observedLeases = new HashMap<>();
    private Optional<Lease> ownLease = Optional.empty();
    private Optional<ClockReading> lastRenewal = Optional.empty();
    private Optional<ClockReading> lastListing = Optional.empty();
    /** When this Berth last became the leader. */
    private Optional<ClockReading> startedLeadingAt = Optional.empty();

    private List<Member> notifiedMembers = List.of();
    /** Why this Berth cannot join, as it was last reported. */
    private String reportedObstacle = "";

    private final LeaseErrorLog listErrorLog;
    private final LeaseErrorLog writeErrorLog;
    private CompletableFuture<Void> nextPollDone = new CompletableFuture<>();
    private boolean requestInFlight;
    private boolean stopped;
    private Runnable afterRequest = () -> {};
    private volatile boolean leading;
    private TaskTimer.ScheduledTask nextPoll = TaskTimer.ScheduledTask.NONE;

    /**
     * A Lease as this process observed it.
     *
     * @param changedAt when it was first observed, or last observed to change
     * @param alive whether it changed while this process listed the Leases without a gap
     */
    private record ObservedLease(Lease lease, ClockReading changedAt, boolean alive) {
        private ObservedLease observedAgain(Lease now, ClockReading at, boolean watched) {
            boolean same = now.fingerprint().equals(lease.fingerprint());
            return new ObservedLease(now, same ? changedAt : at, watched && (alive || !same));
        }

        private boolean isReleased() {
            return lease.holderIdentity().isEmpty();
        }
    }

    /**
     * The sources of time.
     *
     * @param serverTime the API server's clock; empty while it is not known
     * @param logSink receives failures
     */
    record RegistryTimeSources(
            TaskTimer timer, Clocks clocks, Supplier<Optional<Instant>> serverTime, LeaseErrorLog.LogSink logSink) {}

    MemberRegistry(
            MemberRegistrySettings settings,
            String configuration,
            MemberStore store,
            RegistryTimeSources registryTimeSources,
            MemberRegistryListener listener) {
        this.settings = settings;
        this.leaseNames = settings.leaseNames();
        this.configuration = configuration;
        this.store = store;
        this.timer = registryTimeSources.timer();
        this.clocks = registryTimeSources.clocks();
        this.serverTime = registryTimeSources.serverTime();
        this.listErrorLog = new LeaseErrorLog(registryTimeSources.logSink());
        this.writeErrorLog = new LeaseErrorLog(registryTimeSources.logSink());
        this.listener = listener;
    }

    /**
     * The members at the API server.
     *
     * @param serverTime the API server's clock; empty while it is not known
     */
    public static MemberRegistry forApiServer(
            ApiClient client,
            MemberRegistrySettings settings,
            String configuration,
            Clocks clocks,
            Supplier<Optional<Instant>> serverTime,
            MemberRegistryListener listener) {
        return new MemberRegistry(
                settings,
                configuration,
                new ApiMemberStore(client, settings),
                new RegistryTimeSources(
                        TaskTimer.onExecutor(client.callExecutor()), clocks, serverTime, LeaseErrorLog.LogSink.of(LOG)),
                listener);
    }

    public void start() {
        timer.schedule(Duration.ZERO, this::poll);
    }

    /**
     * This Berth is the leader: from now on it lists more often, and deletes Leases that are not active any more.
     * Members must renew again to count as alive: they may have died together with the former leader. Call this on the
     * timer's thread.
     *
     * @return completes when the members were listed again, or could not be listed, and the listener was called
     */
    public CompletionStage<Void> onStartedLeading() {
        leading = true;
        startedLeadingAt = Optional.of(clocks.now());
        CompletableFuture<Void> pollDone = new CompletableFuture<>();
        nextPollDone = pollDone;
        poll();
        return pollDone;
    }

    /** This Berth is not the leader any more. Safe from any thread. */
    public void onStoppedLeading() {
        leading = false;
    }

    /**
     * Ends the membership: the scheduler names of this Berth are not served any more, unless another member serves
     * them.
     */
    public CompletionStage<Void> stop() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        timer.schedule(Duration.ZERO, () -> {
            stopped = true;
            nextPoll.cancel();
            if (requestInFlight) {
                // A write in flight may create this Berth's Lease or change it once more.
                afterRequest = () -> releaseOwnLease(done);
            } else {
                releaseOwnLease(done);
            }
        });
        return done;
    }

    private void releaseOwnLease(CompletableFuture<Void> done) {
        if (ownLease.isEmpty()) {
            done.complete(null);
            return;
        }
        store.update(renewedLease(ownLease.get(), clocks.now()).withoutHolder())
                .thenAccept(leaseResult -> done.complete(null));
    }

    private void poll() {
        if (stopped) {
            return;
        }
        nextPoll.cancel();
        nextPoll = timer.schedule(
                leading || ownLease.isEmpty() ? settings.listPeriod() : settings.renewPeriod(), this::poll);
        if (!requestInFlight) {
            requestInFlight = true;
            store.list().thenAccept(found -> {
                onRequestDone();
                if (!stopped) {
                    onListResult(found);
                    nextPollDone.complete(null);
                }
            });
        }
    }

    private void onListResult(MemberListResult result) {
        if (result instanceof MemberListResult.Failed failed) {
            reportLeaseError(
                    listErrorLog,
                    "the member Leases in namespace %s cannot be listed: %s"
                            .formatted(settings.namespace(), failed.message()));
            return;
        }
        listErrorLog.logRecovery(
                "the member Leases in namespace %s can be listed again".formatted(settings.namespace()));
        ClockReading now = clocks.now();
        recordObservations(((MemberListResult.Found) result).leases(), now);
        // Also a Lease whose create was answered with an error or not at all.
        ownLease = bySlot().map(ObservedLease::lease)
                .filter(lease -> lease.holderIdentity().equals(settings.identity()))
                .findFirst();
        if (!blockedByConflict(now)) {
            if (ownLease.isEmpty()) {
                join(now);
            } else {
                reportedObstacle = "";
                renew(now);
                notifyListener(now);
                removeExpired(now);
            }
        }
    }

    private void recordObservations(List<Lease> leases, ClockReading now) {
        Set<String> names = leases.stream().map(Lease::name).collect(Collectors.toSet());
        observedLeases.keySet().retainAll(names);
        // After a gap between two lists, an observed change may be as old as the gap.
        Duration maxGap = settings.renewPeriod().multipliedBy(2);
        boolean watched = lastListing
                .filter(at -> now.maxElapsedSince(at).compareTo(maxGap) <= 0)
                .isPresent();
        lastListing = Optional.of(now);
        for (Lease lease : leases) {
            if (leaseNames.contains(lease.name())) {
                ObservedLease before = observedLeases.get(lease.name());
                observedLeases.put(
                        lease.name(),
                        before == null
                                ? new ObservedLease(lease, now, watched)
                                : before.observedAgain(lease, now, watched));
            }
        }
    }

    /** Returns whether this Berth must wait or leave because of a conflicting member. */
    private boolean blockedByConflict(ClockReading now) {
        for (ObservedLease observedLease : activeLeases(now)) {
            Member other = toMember(observedLease);
            Optional<String> conflict =
                    other.identity().equals(settings.identity()) ? Optional.empty() : listener.findConflict(other);
            if (conflict.isEmpty()
                    || ownLease.filter(lease -> slot(lease) < other.slot()).isPresent()) {
                continue;
            }
            if (observedLease.alive()) {
                leave(conflict.get());
                return true;
            }
            if (ownLease.isEmpty()) {
                reportJoinBlocked(
                        "%s. Berth waits until the Lease of %s shows whether that replica still runs, until %s at the latest"
                                .formatted(conflict.get(), other, expiryOf(observedLease)));
                return true;
            }
        }
        return false;
    }

    private void leave(String conflict) {
        stopped = true;
        nextPoll.cancel();
        ownLease.ifPresent(store::delete);
        ownLease = Optional.empty();
        listener.onRejected(conflict);
    }

    private void join(ClockReading now) {
        Optional<Lease> available = freeLease(now);
        if (available.isEmpty()) {
            reportJoinBlocked("all %d member Leases are in use (%s/%s to %s). Stop a replica of Berth"
                    .formatted(
                            leaseNames.size(),
                            settings.namespace(),
                            leaseNames.get(0),
                            leaseNames.get(leaseNames.size() - 1)));
            return;
        }
        Lease ours = renewedLease(available.get(), now);
        CompletionStage<LeaseResult> written =
                ours.resourceVersion().isEmpty() ? store.create(ours) : store.update(ours);
        requestInFlight = true;
        written.thenAccept(leaseResult -> {
            onWriteResult(leaseResult, now);
            onRequestDone();
            if (ownLease.isPresent()) {
                poll();
            }
        });
    }

    /** The Lease of a member that ended, else a new one, else an inactive one, whose holder may come back. */
    private Optional<Lease> freeLease(ClockReading now) {
        Optional<Lease> ended = bySlot().filter(ObservedLease::isReleased)
                .map(ObservedLease::lease)
                .findFirst();
        Optional<Lease> unused = leaseNames.stream()
                .filter(slot -> !observedLeases.containsKey(slot))
                .findFirst()
                .map(slot -> Lease.newLease(settings.namespace(), slot));
        Optional<Lease> expired = bySlot().filter(observedLease -> !isActive(observedLease, now))
                .map(ObservedLease::lease)
                .findFirst();
        return ended.or(() -> unused).or(() -> expired);
    }

    private void renew(ClockReading now) {
        if (lastRenewal
                .filter(at -> now.elapsedSince(at).compareTo(settings.renewPeriod()) < 0)
                .isEmpty()) {
            requestInFlight = true;
            store.update(renewedLease(ownLease.orElseThrow(), now)).thenAccept(leaseResult -> {
                onWriteResult(leaseResult, now);
                onRequestDone();
            });
        }
    }

    private void onRequestDone() {
        requestInFlight = false;
        if (stopped) {
            afterRequest.run();
        }
    }

    /** Other members compare the renewTime with the API server's clock. */
    private Lease renewedLease(Lease lease, ClockReading now) {
        return lease.renewedAsMember(settings, configuration, serverTime.get().orElse(now.wallTime()));
    }

    private void onWriteResult(LeaseResult leaseResult, ClockReading sent) {
        if (leaseResult instanceof LeaseResult.Found found) {
            ownLease = Optional.of(found.lease());
            lastRenewal = Optional.of(sent);
            observedLeases.put(found.lease().name(), new ObservedLease(found.lease(), clocks.now(), true));
            writeErrorLog.logRecovery("the member Lease of this process in namespace %s can be written again"
                    .formatted(settings.namespace()));
        } else if (leaseResult instanceof LeaseResult.Failed failed) {
            reportLeaseError(
                    writeErrorLog,
                    "the member Lease of this process in namespace %s cannot be written: %s"
                            .formatted(settings.namespace(), failed.message()));
        }
        // Another Berth was faster, or deleted the Lease: the next list shows it.
    }

    private void notifyListener(ClockReading now) {
        List<Member> members = activeLeases(now).stream().map(this::toMember).toList();
        if (!members.equals(notifiedMembers)) {
            notifiedMembers = members;
            listener.onMembersChanged(members);
        }
    }

    private void removeExpired(ClockReading now) {
        if (leading) {
            bySlot().filter(observedLease -> !isActive(observedLease, now))
                    .map(ObservedLease::lease)
                    .forEach(lease -> {
                        LOG.info("removing the Lease {}: its replica has stopped", lease.name());
                        store.delete(lease);
                    });
        }
    }

    private List<ObservedLease> activeLeases(ClockReading now) {
        return bySlot().filter(observedLease -> isActive(observedLease, now))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private boolean isActive(ObservedLease observedLease, ClockReading now) {
        Lease lease = observedLease.lease();
        return !observedLease.isReleased()
                && now.elapsedSince(observedLease.changedAt()).compareTo(lease.leaseDuration()) < 0
                && (observedLease.alive() || !isExpiredByServerClock(lease));
    }

    /** When the Lease becomes inactive, unless its holder renews it. */
    private Instant expiryOf(ObservedLease observedLease) {
        Duration leaseDuration = observedLease.lease().leaseDuration();
        Instant expiryByObservation = observedLease.changedAt().wallTime().plus(leaseDuration);
        return observedLease
                .lease()
                .renewTime()
                .map(renewTime -> renewTime.plus(leaseDuration).plus(CLOCK_MARGIN))
                .filter(expiryByObservation::isAfter)
                .orElse(expiryByObservation)
                .truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * By the API server's clock. A renewTime in the future proves nothing: the next renewal shows whether the member
     * runs.
     */
    private boolean isExpiredByServerClock(Lease lease) {
        Optional<Duration> age =
                serverTime.get().flatMap(now -> lease.renewTime().map(renewTime -> Duration.between(renewTime, now)));
        return age.filter(it -> it.compareTo(lease.leaseDuration().plus(CLOCK_MARGIN)) > 0
                        || it.plus(CLOCK_MARGIN).isNegative())
                .isPresent();
    }

    private boolean isAlive(ObservedLease observedLease) {
        return observedLease.alive()
                && startedLeadingAt
                        .filter(at -> observedLease.changedAt().elapsedSince(at).isNegative())
                        .isEmpty();
    }

    private Stream<ObservedLease> bySlot() {
        return leaseNames.stream().filter(observedLeases::containsKey).map(observedLeases::get);
    }

    private Member toMember(ObservedLease observedLease) {
        Lease lease = observedLease.lease();
        return new Member(
                lease.name(), slot(lease), lease.holderIdentity(), lease.memberConfiguration(), isAlive(observedLease));
    }

    private int slot(Lease lease) {
        return leaseNames.indexOf(lease.name());
    }

    private void reportLeaseError(LeaseErrorLog errorLog, String conflict) {
        if (ownLease.isEmpty()) {
            reportJoinBlocked(conflict);
        } else {
            errorLog.logIfNew(conflict);
        }
    }

    /** Reported once, until the reason changes. */
    private void reportJoinBlocked(String conflict) {
        if (!conflict.equals(reportedObstacle)) {
            reportedObstacle = conflict;
            listener.onJoinBlocked(conflict);
        }
    }
}
