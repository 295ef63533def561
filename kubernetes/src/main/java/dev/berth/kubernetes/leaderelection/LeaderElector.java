package dev.berth.kubernetes.leaderelection;

import dev.berth.engine.Leadership;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.leaderelection.LeaseStore.LeaseResult;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.Clocks.ClockReading;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election by a Lease, as in kube-scheduler: the holder of the Lease is the leader until it has not renewed the
 * Lease for its duration. For its own Lease a process counts from before a renewal was sent; for other holders from
 * when a change was observed. So no two processes can both be certain to lead, even if their clocks differ. Time is
 * measured by the monotonic ticker, because a wall clock that is set forward would end a valid Lease. If the wall clock
 * shows more elapsed time than the ticker, the machine may have slept. So for its own Lease a leader uses the larger of
 * the two.
 *
 * <p>Single-threaded except for {@link #holdsLeaseFor}: everything happens on the timer's thread.
 */
public final class LeaderElector implements Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);
    private static final int RELEASE_ATTEMPTS = 3;
    /** A running candidate reads the Lease once in a retry period, and a leader renews it as often. */
    private static final int YIELD_RETRY_PERIODS = 3;

    private final LeaderElectionSettings settings;
    private final LeaseStore store;
    private final TaskTimer timer;
    private final Clocks clocks;
    private final Supplier<Optional<String>> resumeVersion;
    private final LeaderCallbacks callbacks;
    private Optional<Lease> observedLease = Optional.empty();
    private String observedFingerprint = "";
    private Optional<ClockReading> observedAt = Optional.empty();
    /** Whether the Lease was observed to change. A Lease that was only read may belong to a process that has ended. */
    private boolean changeObserved;

    private String lastHolder = "";
    private String otherLeader = "";
    /** The last report about the holder that this process waits for. */
    private String reportedStandby = "";

    private String lastError = "";
    private final LeaseErrorLog leaseErrorLog;
    private boolean leading;
    /** Whether this process may take the Lease. Otherwise it only measures how long the Lease has not changed. */
    private boolean candidate;

    private boolean stopped;
    private boolean requestInFlight;
    private boolean retriedAfterConflict;
    /** Handles a response that arrives after the stop. */
    private Consumer<LeaseResult> afterStop = leaseResult -> {};

    private TaskTimer.ScheduledTask nextPoll = TaskTimer.ScheduledTask.NONE;
    private TaskTimer.ScheduledTask renewDeadlineTask = TaskTimer.ScheduledTask.NONE;
    private TaskTimer.ScheduledTask startLeadingTask = TaskTimer.ScheduledTask.NONE;
    /** The term that certainly belongs to this process. Readable from any thread. */
    private volatile Optional<LeadershipTerm> term = Optional.empty();

    private volatile boolean stopping;

    /**
     * One term of leadership.
     *
     * @param grace the time after the election in which nothing is written yet
     * @param renewedAt when the latest renewal was sent
     */
    private record LeadershipTerm(
            ClockReading acquiredAt, Duration grace, ClockReading renewedAt, Duration leaseDuration) {
        private LeadershipTerm withRenewal(ClockReading sent) {
            return new LeadershipTerm(acquiredAt, grace, sent, leaseDuration);
        }

        private boolean holdsLeaseFor(Duration write, ClockReading now) {
            return now.elapsedSince(acquiredAt).compareTo(grace) >= 0
                    && now.maxElapsedSince(renewedAt).plus(write).compareTo(leaseDuration) < 0;
        }
    }

    LeaderElector(
            LeaderElectionSettings settings,
            LeaseStore store,
            ElectorTimeSources electorTimeSources,
            Supplier<Optional<String>> resumeVersion,
            LeaderCallbacks callbacks) {
        this.leaseErrorLog = new LeaseErrorLog(electorTimeSources.logSink());
        this.settings = settings;
        this.store = store;
        this.timer = electorTimeSources.timer();
        this.clocks = electorTimeSources.clocks();
        this.resumeVersion = resumeVersion;
        this.callbacks = callbacks;
    }

    record ElectorTimeSources(TaskTimer timer, Clocks clocks, LeaseErrorLog.LogSink logSink) {}

    /**
     * An election at the API server.
     *
     * @param resumeVersion read at each renewal, and stored in the Lease for a successor
     */
    public static LeaderElector forApiServer(
            ApiClient client,
            LeaderElectionSettings settings,
            Clocks clocks,
            Supplier<Optional<String>> resumeVersion,
            LeaderCallbacks callbacks) {
        return new LeaderElector(
                settings,
                new ApiLeaseStore(client, settings),
                new ElectorTimeSources(
                        TaskTimer.onExecutor(client.callExecutor()), clocks, LeaseErrorLog.LogSink.of(LOG)),
                resumeVersion,
                callbacks);
    }

    /** Reads the Lease without being a candidate, so that its expiry is measured from now on. */
    public void observe() {
        timer.schedule(Duration.ZERO, this::poll);
    }

    public void start() {
        timer.schedule(Duration.ZERO, () -> {
            candidate = true;
            nextPoll.cancel();
            poll();
        });
    }

    @Override
    public boolean holdsLeaseFor(Duration write) {
        Optional<LeadershipTerm> currentTerm = term;
        return !stopping && currentTerm.isPresent() && currentTerm.get().holdsLeaseFor(write, clocks.now());
    }

    /**
     * Ends the candidacy and releases the Lease if this process holds it, so that a successor need not wait. Call this
     * only after all writes have ended.
     *
     * @return completes when the Lease is released, or could not be released
     */
    public CompletionStage<Void> stop() {
        stopping = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        timer.schedule(Duration.ZERO, () -> {
            stopped = true;
            nextPoll.cancel();
            renewDeadlineTask.cancel();
            startLeadingTask.cancel();
            leading = false;
            term = Optional.empty();
            if (observedLease.filter(this::isOurs).isPresent() || !requestInFlight) {
                observedLease.ifPresentOrElse(
                        lease -> release(lease, RELEASE_ATTEMPTS, done), () -> done.complete(null));
            } else {
                // The request in flight may acquire the Lease.
                afterStop = leaseResult -> release(leaseResult, RELEASE_ATTEMPTS, done);
            }
        });
        return done;
    }

    private boolean isOurs(Lease lease) {
        return lease.holderIdentity().equals(settings.identity());
    }

    private void release(LeaseResult leaseResult, int tries, CompletableFuture<Void> done) {
        if (leaseResult instanceof LeaseResult.Found found) {
            release(found.lease(), tries, done);
        } else if (leaseResult instanceof LeaseResult.Failed && tries > 0) {
            // It may have been written although no response came.
            store.read().thenAccept(again -> release(again, tries - 1, done));
        } else {
            done.complete(null);
        }
    }

    /** A renewal may be in flight: then the Lease has changed, and is read again before it is released. */
    private void release(Lease lease, int tries, CompletableFuture<Void> done) {
        if (tries == 0 || !isOurs(lease)) {
            done.complete(null);
            return;
        }
        Lease released = lease.withResumeVersion(resumeVersion.get())
                .released(clocks.now().wallTime());
        store.update(released).thenAccept(leaseResult -> {
            if (leaseResult instanceof LeaseResult.Conflict) {
                store.read().thenAccept(again -> release(again, tries - 1, done));
            } else {
                done.complete(null);
            }
        });
    }

    private void poll() {
        if (stopped) {
            return;
        }
        nextPoll = timer.schedule(settings.retryPeriod(), this::poll);
        if (requestInFlight) {
            return;
        }
        retriedAfterConflict = false;
        // After a failure it is read first: it may have been deleted, or written although no response came.
        if (leading && observedLease.isPresent() && lastError.isEmpty()) {
            acquireOrRenew(observedLease.get());
        } else {
            send(store.read(), this::onReadResult);
        }
    }

    /** One request at a time: a late response must not be taken for the response of the next request. */
    private void send(CompletionStage<LeaseResult> request, Consumer<LeaseResult> then) {
        requestInFlight = true;
        request.thenAccept(leaseResult -> {
            requestInFlight = false;
            if (stopped) {
                afterStop.accept(leaseResult);
            } else {
                then.accept(leaseResult);
            }
        });
    }

    private void onReadResult(LeaseResult leaseResult) {
        if (leaseResult instanceof LeaseResult.Found found) {
            onLeaseRead(found.lease());
        } else if (!candidate) {
            // A process that waits to join reports the error itself.
            return;
        } else if (leaseResult instanceof LeaseResult.NotFound) {
            Lease fresh = Lease.newLease(settings.namespace(), settings.name());
            ClockReading sent = clocks.now();
            Lease ours = fresh.heldBy(settings.identity(), settings.leaseDuration(), sent.wallTime())
                    .withResumeVersion(resumeVersion.get());
            send(store.create(ours), created -> onWriteResult(created, sent, fresh));
        } else if (leaseResult instanceof LeaseResult.Failed failed) {
            reportLeaseError("read", failed.message());
        }
    }

    private void reportLeaseError(String verb, String reason) {
        lastError = reason;
        String problem = "lease (%s/%s) cannot be %s".formatted(settings.namespace(), settings.name(), verb);
        if (leaseErrorLog.logIfNew("%s: %s".formatted(problem, reason)) && !leading) {
            reportedStandby = "";
            callbacks.onLeaseError(problem, reason);
        }
    }

    private void reportLeaseRecovery() {
        lastError = "";
        String recoveredMessage =
                "lease (%s/%s) can be read and written again".formatted(settings.namespace(), settings.name());
        if (leaseErrorLog.logRecovery(recoveredMessage) && !leading) {
            callbacks.onLeaseRecovered();
        }
    }

    private void onLeaseRead(Lease lease) {
        observedLease = Optional.of(lease);
        ClockReading now = clocks.now();
        if (!lease.fingerprint().equals(observedFingerprint)) {
            changeObserved = !observedFingerprint.isEmpty();
            observedFingerprint = lease.fingerprint();
            observedAt = Optional.of(now);
        }
        if (!candidate) {
            return;
        }
        String holder = lease.holderIdentity();
        boolean isOurs = isOurs(lease);
        if (leading && !isOurs) {
            stopLeading(holder.isEmpty() ? "no process holds the lease" : "%s holds the lease".formatted(holder));
            return;
        }
        boolean isExpired = now.elapsedSince(observedAt.orElse(now)).compareTo(lease.leaseDuration()) >= 0;
        boolean isFree = holder.isEmpty() || isExpired;
        if (isOurs || (isFree && !yieldsTo(lease, now))) {
            // The error is over only after a write: a Lease that can be read may still be forbidden to write.
            acquireOrRenew(lease);
            return;
        }
        reportLeaseRecovery();
        if (!isFree) {
            standBy(lease, now.elapsedSince(observedAt.orElse(now)));
        }
    }

    private void standBy(Lease lease, Duration unchanged) {
        lastHolder = lease.holderIdentity();
        boolean isRenewing =
                changeObserved && unchanged.compareTo(settings.retryPeriod().multipliedBy(YIELD_RETRY_PERIODS)) < 0;
        String now = lastHolder + (isRenewing ? " renews" : " is silent");
        if (!now.equals(reportedStandby)) {
            reportedStandby = now;
            callbacks.onStandby(lastHolder, isRenewing, lease.renewTime());
        }
        if (isRenewing && !lastHolder.equals(otherLeader)) {
            otherLeader = lastHolder;
            callbacks.onNewLeader(lastHolder);
        }
    }

    /** Yields a free Lease to a candidate with precedence, but not for long: that candidate may have ended. */
    private boolean yieldsTo(Lease lease, ClockReading now) {
        boolean isReleased = lease.holderIdentity().isEmpty();
        Duration freeFor =
                now.elapsedSince(observedAt.orElse(now)).minus(isReleased ? Duration.ZERO : lease.leaseDuration());
        return freeFor.compareTo(settings.retryPeriod().multipliedBy(YIELD_RETRY_PERIODS)) < 0
                && callbacks.shouldYield(isReleased ? lastHolder : lease.holderIdentity());
    }

    private void acquireOrRenew(Lease from) {
        ClockReading sent = clocks.now();
        Lease ours = from.heldBy(settings.identity(), settings.leaseDuration(), sent.wallTime());
        // The predecessor's resume version is kept until this process has read it.
        Lease updated = leading ? ours.withResumeVersion(resumeVersion.get()) : ours;
        send(store.update(updated), leaseResult -> onWriteResult(leaseResult, sent, from));
    }

    private void onWriteResult(LeaseResult leaseResult, ClockReading sent, Lease from) {
        if (leaseResult instanceof LeaseResult.Found found) {
            observedLease = Optional.of(found.lease());
            observedFingerprint = found.lease().fingerprint();
            observedAt = Optional.of(clocks.now());
            onAcquiredOrRenewed(sent, from);
        } else if (leaseResult instanceof LeaseResult.Failed failed) {
            reportLeaseError("written", failed.message());
        } else {
            // A different process wrote or deleted the Lease. One retry is enough: a server that always answers so must
            // not be flooded.
            lastError = "another process changes it at every attempt";
            if (!retriedAfterConflict) {
                retriedAfterConflict = true;
                send(store.read(), this::onReadResult);
            }
        }
    }

    private void onAcquiredOrRenewed(ClockReading sent, Lease from) {
        ClockReading now = clocks.now();
        reportLeaseRecovery();
        renewDeadlineTask.cancel();
        Duration left = settings.renewDeadline().minus(now.elapsedSince(sent));
        renewDeadlineTask = timer.schedule(
                left.isNegative() ? Duration.ZERO : left,
                () -> stopLeading("it could not be renewed for %d ms%s"
                        .formatted(
                                settings.renewDeadline().toMillis(),
                                lastError.isEmpty() ? "" : "; the last error is: " + lastError)));
        if (leading) {
            term = term.map(before -> before.withRenewal(sent));
            return;
        }
        leading = true;
        lastHolder = "";
        otherLeader = "";
        // A predecessor that released the Lease, or was this process itself, has no writes in flight. Any other
        // predecessor may have some for a while.
        boolean predecessorMayStillWrite =
                !from.holderIdentity().isEmpty() && !from.holderIdentity().equals(settings.identity());
        Duration wait = predecessorMayStillWrite ? settings.grace() : Duration.ZERO;
        term = Optional.of(new LeadershipTerm(now, wait, sent, settings.leaseDuration()));
        LOG.debug("{} acquired lease {}/{}", settings.identity(), settings.namespace(), settings.name());
        // So the lists that follow contain the last writes of the predecessor.
        startLeadingTask = timer.schedule(wait, () -> callbacks.onStartedLeading(from.resumeVersion()));
    }

    private void stopLeading(String reason) {
        if (!leading) {
            return;
        }
        leading = false;
        // From now on its state of the cluster may be wrong: it must not lead again with that state.
        stopped = true;
        term = Optional.empty();
        nextPoll.cancel();
        renewDeadlineTask.cancel();
        startLeadingTask.cancel();
        LOG.warn("{} is no longer the leader: {}", settings.identity(), reason);
        callbacks.onStoppedLeading(reason);
    }
}
