package dev.berth.kubernetes.watch;

import dev.berth.core.queue.BackoffPolicy;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.time.GoDuration;
import dev.berth.kubernetes.time.JitteredBackoff;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the objects of a kind and then watches them for ever:
 *
 * <pre>
 *   list ──▶ watch ◀──┐ ended, broken, silent: from the last version
 *    ▲         │──────┘
 *    └─────────┘ the version is no longer known: at once, but after a pause where it was of the list just made
 * </pre>
 *
 * A list after the first tells the deletions that were missed by comparing with what is known. Nothing is told twice
 * out of order: of two attempts only the present one is listened to. Single-threaded: everything happens on the thread
 * of its timer, on which the source calls back as well.
 */
public final class Reflector<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    /** A server whose bookmarks do not reach the list's version will hardly send a better one next time. */
    private static final int MAX_STALLED_REPLAYS = 2;

    private static final int MAX_FAILED_REPLAYS = 10;

    private final String kind;
    private final ListerWatcher<T> listerWatcher;
    private final ResourceEventHandler<T> resourceEventHandler;
    private final TaskTimer timer;
    private final InstantSource clock;
    private final OutageLog outageLog;
    private final ReflectorSettings settings;
    private final JitteredBackoff backoff;
    private final WatchHealth health;
    private final KnownObjects<T> knownObjects;
    private final MissingKindLogLimiter missingKindLogLimiter = new MissingKindLogLimiter();
    private ListWatchAttempt attempt;
    private boolean synced;
    /** The watch after the latest list was refused at once, so that lists alone do not mean that it goes well. */
    private boolean watchRejectedAfterList;

    private boolean stopped;
    private String resourceVersion = "";
    /** From where the past is to be told before {@link ResourceEventHandler#onSynced}, where it was asked for. */
    private Optional<String> replayFrom = Optional.empty();
    /** Why the replay misses a deletion although it goes on; empty where it does not. */
    private String replayGap = "";

    public Reflector(
            String kind,
            ListerWatcher<T> listerWatcher,
            ResourceEventHandler<T> resourceEventHandler,
            Context context,
            ReflectorSettings settings) {
        this.kind = kind;
        this.listerWatcher = listerWatcher;
        this.resourceEventHandler = resourceEventHandler;
        this.health = new WatchHealth(kind);
        this.knownObjects = new KnownObjects<>(resourceEventHandler, health);
        this.timer = context.timer();
        this.clock = context.clock();
        this.outageLog = context.outageLog();
        this.settings = settings;
        this.backoff = new JitteredBackoff(
                new BackoffPolicy(settings.initialBackoff(), settings.maxBackoff()), context.random());
        this.attempt = idleAttempt();
    }

    /**
     * Time and chance, as a reflector finds them.
     *
     * @param outageLog shared by the reflectors of one API server
     */
    public record Context(TaskTimer timer, InstantSource clock, RandomGenerator random, OutageLog outageLog) {}

    /** How the list and the watch go. */
    public WatchHealth health() {
        return health;
    }

    public void start() {
        timer.schedule(Duration.ZERO, this::list);
    }

    /** Also tells the deletions between the version and the first list, if the server still knows them. */
    public void startWithReplay(String fromVersion) {
        timer.schedule(Duration.ZERO, () -> {
            replayFrom = Optional.of(fromVersion);
            list();
        });
    }

    /** Nothing is told any more once this has run, on the reflector's thread. */
    public void stop() {
        timer.schedule(Duration.ZERO, () -> {
            stopped = true;
            attempt.abandon();
        });
    }

    private void list() {
        ListAttempt listAttempt = new ListAttempt();
        begin(listAttempt);
        listAttempt.requestPage("");
    }

    private void watch() {
        watch(false);
    }

    private void watch(boolean afterList) {
        WatchAttempt watchAttempt = new WatchAttempt(resourceVersion, afterList);
        begin(watchAttempt);
        if (watchAttempt.isCurrent()) {
            watchAttempt.attach(listerWatcher.watch(resourceVersion, watchAttempt));
        }
    }

    private void replay(String fromVersion, String untilVersion, int stalls) {
        ReplayAttempt replayAttempt = new ReplayAttempt(fromVersion, untilVersion, stalls);
        begin(replayAttempt);
        if (replayAttempt.isCurrent()) {
            replayAttempt.attach(listerWatcher.replay(fromVersion, replayAttempt));
        }
    }

    private void begin(ListWatchAttempt next) {
        attempt.abandon();
        attempt = next;
        if (stopped) {
            next.abandon();
        } else {
            next.armIdleTimeout();
        }
    }

    private ListWatchAttempt idleAttempt() {
        return new ListWatchAttempt(timer, clock, settings.idleTimeout());
    }

    private void retryAfterBackoff(ListWatchFailure failure, Runnable next) {
        Duration ownDelay = backoff.next();
        Duration requestedDelay = failure.retryAfter().orElse(Duration.ZERO);
        Duration delay = requestedDelay.compareTo(ownDelay) > 0 ? requestedDelay : ownDelay;
        boolean serverUnavailable = failure.cause() == ListWatchFailure.FailureCause.SERVER_UNAVAILABLE;
        if (serverUnavailable) {
            outageLog.onFailure(kind, failure.message());
        } else {
            outageLog.onResponse(kind);
        }
        if (serverUnavailable
                || failure.cause() == ListWatchFailure.FailureCause.NOT_SERVED
                || !missingKindLogLimiter.shouldLog(failure, clock.instant())) {
            LOG.debug("{}: {}; again in {} ms", kind, failure.message(), delay.toMillis());
        } else {
            LOG.atWarn()
                    .addKeyValue("resource", kind)
                    .log("{}: {}; again in {} ms", kind, failure.message(), delay.toMillis());
        }
        switch (failure.cause()) {
            case NOT_INSTALLED -> health.recordMissingKind();
            case NOT_SERVED -> health.recordSuccess();
            case EXPIRED, RETRYABLE, SERVER_UNAVAILABLE -> health.recordFailure(failure.message());
        }
        ListWatchAttempt pausing = idleAttempt();
        begin(pausing);
        timer.schedule(delay, () -> {
            if (pausing.isCurrent()) {
                next.run();
            }
        });
    }

    private void completeList() {
        if (!watchRejectedAfterList) {
            backoff.reset();
        }
        notifySynced();
        resourceEventHandler.onResourceVersion(resourceVersion);
        watch(true);
    }

    private void notifySynced() {
        if (!synced) {
            synced = true;
            resourceEventHandler.onSynced();
        }
    }

    private final class ListAttempt extends ListWatchAttempt implements ListerWatcher.ListCallback<T> {
        private final Set<String> listedUids = new HashSet<>();
        private final boolean isRelist = !knownObjects.isEmpty();
        /** New ones wait for the end of those that were missed, whose names they may have. */
        private final List<ReadResult<T>> newObjects = new ArrayList<>();

        private ListAttempt() {
            super(timer, clock, settings.idleTimeout());
        }

        void requestPage(String continueToken) {
            if (isCurrent()) {
                attach(listerWatcher.list(continueToken, this));
            }
        }

        @Override
        public void onItem(ReadResult<T> item) {
            if (isCurrent()) {
                markActivity();
                listedUids.add(item.uid());
                if (isRelist && !knownObjects.has(item.uid())) {
                    newObjects.add(item);
                } else {
                    knownObjects.apply(item);
                }
            }
        }

        @Override
        public void onPageEnd(String listVersion, String continueToken) {
            if (!isCurrent()) {
                return;
            }
            if (!continueToken.isEmpty()) {
                requestPage(continueToken);
                return;
            }
            outageLog.onResponse(kind);
            if (health.watchStatus().kindMissing()) {
                LOG.info("{}: the API server has the definition now", kind);
            }
            health.recordKindServed();
            knownObjects.retainOnly(listedUids);
            newObjects.forEach(knownObjects::apply);
            resourceVersion = listVersion;
            Optional<String> fromVersion = replayFrom;
            replayFrom = Optional.empty();
            if (fromVersion.isPresent()) {
                replay(fromVersion.get(), listVersion, 0);
            } else {
                completeList();
            }
        }

        @Override
        public void onFailure(ListWatchFailure failure) {
            if (!isCurrent()) {
                return;
            }
            if (failure.meansNoObjects()) {
                knownObjects.retainOnly(listedUids);
                notifySynced();
            }
            retryAfterBackoff(failure, Reflector.this::list);
        }

        @Override
        void onIdle() {
            retryAfterBackoff(
                    ListWatchFailure.retryable(
                            "the list has been silent for " + GoDuration.format(settings.idleTimeout())),
                    Reflector.this::list);
        }
    }

    private final class WatchAttempt extends ListWatchAttempt implements ListerWatcher.WatchCallback<T> {
        private final Instant startedAt = clock.instant();
        private final String fromVersion;
        private final boolean afterList;

        private WatchAttempt(String from, boolean afterList) {
            super(timer, clock, settings.idleTimeout());
            this.fromVersion = from;
            this.afterList = afterList;
        }

        /** A watch that breaks at the same event again and again opens each time: it works once it stays open. */
        @Override
        public void onOpened() {
            outageLog.onResponse(kind);
            timer.schedule(settings.minWatchDuration(), () -> {
                if (isCurrent()) {
                    health.recordSuccess();
                }
            });
        }

        @Override
        public void onChanged(ReadResult<T> object) {
            if (isCurrent()) {
                knownObjects.apply(object);
                advanceTo(object.resourceVersion());
            }
        }

        /** Where it cannot be read what was deleted, a list tells what is left. */
        @Override
        public void onDeleted(ReadResult<T> object) {
            if (!isCurrent()) {
                return;
            }
            if (object.uid().isEmpty()) {
                knownObjects.apply(object);
                list();
                return;
            }
            knownObjects.remove(object.uid(), object.view());
            advanceTo(object.resourceVersion());
        }

        @Override
        public void onBookmark(String reached) {
            if (isCurrent()) {
                advanceTo(reached);
            }
        }

        private void advanceTo(String reached) {
            markActivity();
            health.recordSuccess();
            backoff.reset();
            watchRejectedAfterList = false;
            if (!reached.isEmpty()) {
                resourceVersion = reached;
                resourceEventHandler.onResourceVersion(reached);
            }
        }

        @Override
        public void onEnd() {
            if (!isCurrent()) {
                return;
            }
            if (endedImmediately()) {
                retryAfterBackoff(ListWatchFailure.retryable("the watch ended at once"), Reflector.this::watch);
            } else {
                watch();
            }
        }

        private boolean endedImmediately() {
            boolean early = clock.instant().isBefore(startedAt.plus(settings.minWatchDuration()));
            return early && resourceVersion.equals(fromVersion);
        }

        @Override
        public void onFailure(ListWatchFailure failure) {
            if (!isCurrent()) {
                return;
            }
            boolean expired = failure.cause() == ListWatchFailure.FailureCause.EXPIRED;
            if (!expired && !failure.meansNoObjects()) {
                retryAfterBackoff(failure, Reflector.this::watch);
                return;
            }
            watchRejectedAfterList = afterList && endedImmediately();
            if (watchRejectedAfterList) {
                retryAfterBackoff(failure, Reflector.this::list);
                return;
            }
            if (expired) {
                LOG.info(
                        "{}: version {} is no longer known ({}); listing again",
                        kind,
                        resourceVersion,
                        failure.message());
            }
            list();
        }

        @Override
        void onIdle() {
            LOG.warn(
                    "{}: the watch has been silent for {}; beginning another",
                    kind,
                    GoDuration.format(settings.idleTimeout()));
            health.recordFailure("the watch has been silent for " + GoDuration.format(settings.idleTimeout()));
            watch();
        }
    }

    /**
     * Tells the deletions of the past. Whatever else happened then is in the list already. The past is complete once
     * the server has shown or confirmed a version that is not before the list's. A watch that ends or falls silent
     * before that proves nothing: it is continued where it stopped, and when that does not help either, the history is
     * lost.
     */
    private final class ReplayAttempt extends ListWatchAttempt implements ListerWatcher.WatchCallback<T> {
        private final String fromVersion;
        private final String untilVersion;
        /** How often the replay stopped since it last made progress. */
        private final int stalls;

        private String reachedVersion;
        private TaskTimer.ScheduledTask replayIdleTask = TaskTimer.ScheduledTask.NONE;

        private ReplayAttempt(String fromVersion, String untilVersion, int stalls) {
            super(timer, clock, settings.idleTimeout());
            this.fromVersion = fromVersion;
            this.untilVersion = untilVersion;
            this.stalls = stalls;
            this.reachedVersion = fromVersion;
        }

        /** A slow server is not a silent past: the client gives up on its own when the server does not answer. */
        @Override
        void armIdleTimeout() {}

        @Override
        public void onOpened() {
            if (isCurrent()) {
                armReplayIdleTimeout();
            }
        }

        private void armReplayIdleTimeout() {
            replayIdleTask.cancel();
            replayIdleTask = timer.schedule(settings.replayIdleTimeout(), () -> {
                if (isCurrent()) {
                    onStall("the replay has been silent for " + GoDuration.format(settings.replayIdleTimeout()));
                }
            });
        }

        @Override
        void abandon() {
            replayIdleTask.cancel();
            super.abandon();
        }

        @Override
        public void onChanged(ReadResult<T> object) {
            if (isCurrent()) {
                advanceTo(object.resourceVersion());
            }
        }

        @Override
        public void onDeleted(ReadResult<T> object) {
            if (!isCurrent()) {
                return;
            }
            boolean fromVersion = ResourceVersions.isNotAfter(object.resourceVersion(), untilVersion);
            if (fromVersion && object.view().isPresent()) {
                resourceEventHandler.onUpsert(object.uid(), object.view().get());
                resourceEventHandler.onDelete(object.uid(), object.view());
            } else if ((fromVersion || object.resourceVersion().isEmpty())
                    && !object.problem().isEmpty()) {
                health.countUnreadableEvent();
                replayGap = "a deletion cannot be read: " + object.problem();
            }
            advanceTo(object.resourceVersion());
        }

        @Override
        public void onBookmark(String reached) {
            if (isCurrent()) {
                advanceTo(reached);
            }
        }

        /** What is newer than the list comes again in the watch that follows. */
        private void advanceTo(String reached) {
            if (!reached.isEmpty()) {
                reachedVersion = reached;
            }
            if (!ResourceVersions.isNotAfter(untilVersion, reached)) {
                armReplayIdleTimeout();
            } else if (replayGap.isEmpty()) {
                resourceEventHandler.onReplayComplete();
                completeList();
            } else {
                failReplay(replayGap);
            }
        }

        @Override
        public void onEnd() {
            if (isCurrent()) {
                onStall("the replay ended");
            }
        }

        @Override
        public void onFailure(ListWatchFailure failure) {
            if (!isCurrent()) {
                return;
            }
            if (failure.cause() == ListWatchFailure.FailureCause.EXPIRED) {
                failReplay(failure.message());
            } else if (stallsSoFar() >= MAX_FAILED_REPLAYS) {
                failReplay("%d attempts failed, at last: %s".formatted(stallsSoFar(), failure.message()));
            } else {
                retryAfterBackoff(failure, () -> replay(reachedVersion, untilVersion, stallsSoFar() + 1));
            }
        }

        /** Stops before a version that proves the replay complete. */
        private void onStall(String how) {
            if (stallsSoFar() >= MAX_STALLED_REPLAYS) {
                failReplay(
                        "%s at version %s, before version %s of the list".formatted(how, reachedVersion, untilVersion));
            } else {
                replay(reachedVersion, untilVersion, stallsSoFar() + 1);
            }
        }

        private int stallsSoFar() {
            return reachedVersion.equals(fromVersion) ? stalls : 0;
        }

        private void failReplay(String reason) {
            LOG.warn("{}: deletions after version {} cannot be replayed: {}", kind, reachedVersion, reason);
            resourceEventHandler.onReplayLost(reachedVersion);
            completeList();
        }
    }
}
