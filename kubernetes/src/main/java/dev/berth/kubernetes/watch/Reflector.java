package dev.berth.kubernetes.watch;

import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.time.Durations;
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
 * Lists the objects of a kind and then watches them forever:
 *
 * <pre>
 *   list ──▶ watch ◀──┐ ended, failed, idle: again from the last version
 *    ▲         │──────┘
 *    └─────────┘ the version expired: list at once, but after a back-off if it is the version of the last list
 * </pre>
 *
 * Each later list is compared with the known objects, to find missed deletions. Events are passed on in order: callbacks
 * of former attempts are ignored. Single-threaded: everything happens on the thread of its timer, on which the callbacks
 * come as well.
 */
public final class Reflector<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
    /** A server whose bookmarks do not reach the list's version is unlikely to send a better one next time. */
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
    /** The watch after the latest list was rejected at once, so a successful list alone does not mean recovery. */
    private boolean watchRejectedAfterList;

    private boolean stopped;
    private String resourceVersion = "";
    /** The version from which deletions are replayed before {@link ResourceEventHandler#onSynced}, if requested. */
    private Optional<String> replayFrom = Optional.empty();
    /** Why the replay misses a deletion although it continues; empty if it misses none. */
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
        this.knownObjects = new KnownObjects<>(health);
        this.timer = context.timer();
        this.clock = context.clock();
        this.outageLog = context.outageLog();
        this.settings = settings;
        this.backoff = new JitteredBackoff(
                new BackoffPolicy(settings.initialBackoff(), settings.maxBackoff()), context.random());
        this.attempt = idleAttempt();
    }

    /**
     * The environment of a reflector.
     *
     * @param outageLog shared by the reflectors of one API server
     */
    public record Context(TaskTimer timer, InstantSource clock, RandomGenerator random, OutageLog outageLog) {}

    /** The state of the list and the watch. */
    public WatchHealth health() {
        return health;
    }

    public void start() {
        timer.schedule(Duration.ZERO, this::list);
    }

    /** Also replays the deletions between the version and the first list, if the server still knows them. */
    public void startWithReplay(String fromVersion) {
        timer.schedule(Duration.ZERO, () -> {
            replayFrom = Optional.of(fromVersion);
            list();
        });
    }

    /** After this has run, on the reflector's thread, the handler is not called any more. */
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

    private void notifyChanged(ReadResult<T> object) {
        switch (knownObjects.apply(object)) {
            case UPSERTED ->
                resourceEventHandler.onUpsert(object.uid(), object.view().orElseThrow());
            case DELETED -> resourceEventHandler.onDelete(object.uid(), Optional.empty());
            case UNREADABLE -> resourceEventHandler.onUnreadable(object.objectReference(), object.problem());
            case NONE -> {}
        }
    }

    private void notifyDeleted(String uid, Optional<T> last) {
        if (knownObjects.remove(uid)) {
            resourceEventHandler.onDelete(uid, last);
        }
    }

    private void notifyAllDeletedExcept(Set<String> found) {
        knownObjects.removeAllExcept(found).forEach(uid -> resourceEventHandler.onDelete(uid, Optional.empty()));
    }

    private void retryAfterBackoff(ListWatchFailure failure, Runnable next) {
        Duration delay = Durations.longer(failure.retryAfter().orElse(Duration.ZERO), backoff.next());
        boolean serverUnavailable = failure.cause() == ListWatchFailure.FailureCause.SERVER_UNAVAILABLE;
        if (serverUnavailable) {
            outageLog.onFailure(kind, failure.message());
        } else {
            outageLog.onResponse(kind);
        }
        if (serverUnavailable
                || failure.cause() == ListWatchFailure.FailureCause.NOT_SERVED
                || !missingKindLogLimiter.shouldLog(failure, clock.instant())) {
            LOG.debug("{}: {}; retry in {} ms", kind, failure.message(), delay.toMillis());
        } else {
            LOG.atWarn()
                    .addKeyValue("resource", kind)
                    .log("{}: {}; retry in {} ms", kind, failure.message(), delay.toMillis());
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
        /** New objects wait until the missed deletions are passed on, because they may have the same names. */
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
                    notifyChanged(item);
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
                LOG.info("{}: the CustomResourceDefinition is installed now", kind);
            }
            health.recordKindServed();
            notifyAllDeletedExcept(listedUids);
            newObjects.forEach(Reflector.this::notifyChanged);
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
                notifyAllDeletedExcept(listedUids);
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

        /** A watch that breaks at the same event again and again opens each time: it works only once it stays open. */
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
                notifyChanged(object);
                advanceTo(object.resourceVersion());
            }
        }

        /** If the deleted object cannot be identified, a new list shows what is left. */
        @Override
        public void onDeleted(ReadResult<T> object) {
            if (!isCurrent()) {
                return;
            }
            if (object.uid().isEmpty()) {
                notifyChanged(object);
                list();
                return;
            }
            notifyDeleted(object.uid(), object.view());
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
                        "{}: resource version {} is too old ({}); listing again",
                        kind,
                        resourceVersion,
                        failure.message());
            }
            list();
        }

        @Override
        void onIdle() {
            LOG.warn(
                    "{}: the watch has been silent for {}; starting another watch",
                    kind,
                    GoDuration.format(settings.idleTimeout()));
            health.recordFailure("the watch has been silent for " + GoDuration.format(settings.idleTimeout()));
            watch();
        }
    }

    /**
     * Replays past deletions. Other past events are already in the list. The replay is complete once the server has
     * shown or confirmed a version that is not before the list's version. A watch that ends or is idle before that
     * proves nothing: it is continued where it stopped. If that does not help either, the history is lost.
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

        /**
         * A slow server does not mean that there are no events: the client times out by itself if the server does not
         * answer.
         */
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
            boolean beforeList = ResourceVersions.isNotAfter(object.resourceVersion(), untilVersion);
            if (beforeList && object.view().isPresent()) {
                resourceEventHandler.onUpsert(object.uid(), object.view().get());
                resourceEventHandler.onDelete(object.uid(), object.view());
            } else if ((beforeList || object.resourceVersion().isEmpty())
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

        /** Events that are newer than the list come again in the watch that follows. */
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
                failReplay("%d attempts failed; the last error: %s".formatted(stallsSoFar(), failure.message()));
            } else {
                retryAfterBackoff(failure, () -> replay(reachedVersion, untilVersion, stallsSoFar() + 1));
            }
        }

        /** The replay stopped before a version that proves it complete. */
        private void onStall(String reason) {
            if (stallsSoFar() >= MAX_STALLED_REPLAYS) {
                failReplay("%s at version %s, before version %s of the list"
                        .formatted(reason, reachedVersion, untilVersion));
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
