package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.time.GoDuration;
import dev.berth.kubernetes.time.Pauses;
import dev.berth.kubernetes.time.Timer;
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
    private static final int MOST_ENDED_REPLAYS = 2;

    private static final int MOST_FAILED_REPLAYS = 10;

    private final String kind;
    private final Source<T> source;
    private final Listener<T> listener;
    private final Timer timer;
    private final InstantSource clock;
    private final OutageLog outages;
    private final ReflectorSettings settings;
    private final Pauses pauses;
    private final WatchHealth health;
    private final Roll<T> roll;
    private final AbsenceReminder absence = new AbsenceReminder();
    private Attempt attempt;
    private boolean listedOnce;
    /** The watch after the latest list was refused at once, so that lists alone do not mean that it goes well. */
    private boolean listedInVain;

    private boolean stopped;
    private String version = "";
    /** From where the past is to be told before {@link Listener#listed}, where it was asked for. */
    private Optional<String> history = Optional.empty();
    /** Why the replay misses a deletion although it goes on; empty where it does not. */
    private String historyGap = "";

    public Reflector(
            String kind,
            Source<T> source,
            Listener<T> listener,
            Surroundings surroundings,
            ReflectorSettings settings) {
        this.kind = kind;
        this.source = source;
        this.listener = listener;
        this.health = new WatchHealth(kind);
        this.roll = new Roll<>(listener, health);
        this.timer = surroundings.timer();
        this.clock = surroundings.clock();
        this.outages = surroundings.outages();
        this.settings = settings;
        this.pauses = new Pauses(settings.firstPause(), settings.longestPause(), surroundings.random());
        this.attempt = pause();
    }

    /**
     * Time and chance, as a reflector finds them.
     *
     * @param outages shared by the reflectors of one API server
     */
    public record Surroundings(Timer timer, InstantSource clock, RandomGenerator random, OutageLog outages) {}

    /** How the list and the watch go. */
    public WatchHealth health() {
        return health;
    }

    public void start() {
        timer.after(Duration.ZERO, this::list);
    }

    /** Also tells the deletions between the version and the first list, if the server still knows them. */
    public void startAfter(String past) {
        timer.after(Duration.ZERO, () -> {
            history = Optional.of(past);
            list();
        });
    }

    /** Nothing is told any more once this has run, on the reflector's thread. */
    public void stop() {
        timer.after(Duration.ZERO, () -> {
            stopped = true;
            attempt.abandon();
        });
    }

    private void list() {
        Listing listing = new Listing();
        begin(listing);
        listing.more("");
    }

    private void watch() {
        watch(false);
    }

    private void watch(boolean afterList) {
        Watching watching = new Watching(version, afterList);
        begin(watching);
        if (watching.present()) {
            watching.call(source.watch(version, watching));
        }
    }

    private void watchHistory(String past, String upTo, int stops) {
        Replaying replaying = new Replaying(past, upTo, stops);
        begin(replaying);
        if (replaying.present()) {
            replaying.call(source.replay(past, replaying));
        }
    }

    private void begin(Attempt next) {
        attempt.abandon();
        attempt = next;
        if (stopped) {
            next.abandon();
        } else {
            next.armSilence();
        }
    }

    private Attempt pause() {
        return new Attempt(timer, clock, settings.silence());
    }

    private void afterPause(Failure failure, Runnable next) {
        Duration own = pauses.next();
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        Duration pause = asked.compareTo(own) > 0 ? asked : own;
        boolean away = failure.kind() == Failure.Kind.AWAY;
        if (away) {
            outages.failed(kind, failure.message());
        } else {
            outages.answered(kind);
        }
        if (away || failure.kind() == Failure.Kind.NOT_OFFERED || !absence.due(failure, clock.instant())) {
            LOG.debug("{}: {}; again in {} ms", kind, failure.message(), pause.toMillis());
        } else {
            LOG.atWarn()
                    .addKeyValue("kind", kind)
                    .log("{}: {}; again in {} ms", kind, failure.message(), pause.toMillis());
        }
        switch (failure.kind()) {
            case ABSENT -> health.missing();
            case NOT_OFFERED -> health.works();
            case EXPIRED, BROKEN, AWAY -> health.failed(failure.message());
        }
        Attempt pausing = pause();
        begin(pausing);
        timer.after(pause, () -> {
            if (pausing.present()) {
                next.run();
            }
        });
    }

    private void listed() {
        if (!listedInVain) {
            pauses.reset();
        }
        listedAtFirst();
        listener.reached(version);
        watch(true);
    }

    private void listedAtFirst() {
        if (!listedOnce) {
            listedOnce = true;
            listener.listed();
        }
    }

    private final class Listing extends Attempt implements Source.ListListener<T> {
        private final Set<String> found = new HashSet<>();
        private final boolean again = !roll.isEmpty();
        /** New ones wait for the end of those that were missed, whose names they may have. */
        private final List<Seen<T>> fresh = new ArrayList<>();

        private Listing() {
            super(timer, clock, settings.silence());
        }

        void more(String continueToken) {
            if (present()) {
                call(source.list(continueToken, this));
            }
        }

        @Override
        public void item(Seen<T> item) {
            if (present()) {
                heard();
                found.add(item.uid());
                if (again && !roll.has(item.uid())) {
                    fresh.add(item);
                } else {
                    roll.tell(item);
                }
            }
        }

        @Override
        public void end(String listVersion, String continueToken) {
            if (!present()) {
                return;
            }
            if (!continueToken.isEmpty()) {
                more(continueToken);
                return;
            }
            outages.answered(kind);
            if (health.state().missing()) {
                LOG.info("{}: the API server has the definition now", kind);
            }
            health.defined();
            roll.keepOnly(found);
            fresh.forEach(roll::tell);
            version = listVersion;
            Optional<String> past = history;
            history = Optional.empty();
            if (past.isPresent()) {
                watchHistory(past.get(), listVersion, 0);
            } else {
                listed();
            }
        }

        @Override
        public void failed(Failure failure) {
            if (!present()) {
                return;
            }
            if (failure.meansNone()) {
                roll.keepOnly(found);
                listedAtFirst();
            }
            afterPause(failure, Reflector.this::list);
        }

        @Override
        void silent() {
            afterPause(
                    Failure.broken("the list has been silent for " + GoDuration.format(settings.silence())),
                    Reflector.this::list);
        }
    }

    private final class Watching extends Attempt implements Source.WatchListener<T> {
        private final Instant since = clock.instant();
        private final String from;
        private final boolean afterList;

        private Watching(String from, boolean afterList) {
            super(timer, clock, settings.silence());
            this.from = from;
            this.afterList = afterList;
        }

        /** A watch that breaks at the same event again and again opens each time: it works once it stays open. */
        @Override
        public void opened() {
            outages.answered(kind);
            timer.after(settings.tooShort(), () -> {
                if (present()) {
                    health.works();
                }
            });
        }

        @Override
        public void changed(Seen<T> object) {
            if (present()) {
                roll.tell(object);
                advance(object.version());
            }
        }

        /** Where it cannot be read what was deleted, a list tells what is left. */
        @Override
        public void deleted(Seen<T> object) {
            if (!present()) {
                return;
            }
            if (object.uid().isEmpty()) {
                roll.tell(object);
                list();
                return;
            }
            roll.gone(object.uid(), object.view());
            advance(object.version());
        }

        @Override
        public void bookmark(String reached) {
            if (present()) {
                advance(reached);
            }
        }

        private void advance(String reached) {
            heard();
            health.works();
            pauses.reset();
            listedInVain = false;
            if (!reached.isEmpty()) {
                version = reached;
                listener.reached(reached);
            }
        }

        @Override
        public void end() {
            if (!present()) {
                return;
            }
            if (endedAtOnce()) {
                afterPause(Failure.broken("the watch ended at once"), Reflector.this::watch);
            } else {
                watch();
            }
        }

        private boolean endedAtOnce() {
            boolean early = clock.instant().isBefore(since.plus(settings.tooShort()));
            return early && version.equals(from);
        }

        @Override
        public void failed(Failure failure) {
            if (!present()) {
                return;
            }
            boolean expired = failure.kind() == Failure.Kind.EXPIRED;
            if (!expired && !failure.meansNone()) {
                afterPause(failure, Reflector.this::watch);
                return;
            }
            listedInVain = afterList && endedAtOnce();
            if (listedInVain) {
                afterPause(failure, Reflector.this::list);
                return;
            }
            if (expired) {
                LOG.info("{}: version {} is no longer known ({}); listing again", kind, version, failure.message());
            }
            list();
        }

        @Override
        void silent() {
            LOG.warn(
                    "{}: the watch has been silent for {}; beginning another",
                    kind,
                    GoDuration.format(settings.silence()));
            health.failed("the watch has been silent for " + GoDuration.format(settings.silence()));
            watch();
        }
    }

    /**
     * Tells the deletions of the past. Whatever else happened then is in the list already. The past is complete once
     * the server has shown or confirmed a version that is not before the list's. A watch that ends or falls silent
     * before that proves nothing: it is continued where it stopped, and when that does not help either, the history is
     * lost.
     */
    private final class Replaying extends Attempt implements Source.WatchListener<T> {
        private final String past;
        private final String upTo;
        /** How often the replay stopped since it last made progress. */
        private final int stops;

        private String at;
        private Timer.Task quiet = Timer.Task.NONE;

        private Replaying(String past, String upTo, int stops) {
            super(timer, clock, settings.silence());
            this.past = past;
            this.upTo = upTo;
            this.stops = stops;
            this.at = past;
        }

        /** A slow server is not a silent past: the client gives up on its own when the server does not answer. */
        @Override
        void armSilence() {}

        @Override
        public void opened() {
            if (present()) {
                awaitQuiet();
            }
        }

        private void awaitQuiet() {
            quiet.cancel();
            quiet = timer.after(settings.historyQuiet(), () -> {
                if (present()) {
                    stopped("the replay has been silent for " + GoDuration.format(settings.historyQuiet()));
                }
            });
        }

        @Override
        void abandon() {
            quiet.cancel();
            super.abandon();
        }

        @Override
        public void changed(Seen<T> object) {
            if (present()) {
                go(object.version());
            }
        }

        @Override
        public void deleted(Seen<T> object) {
            if (!present()) {
                return;
            }
            boolean past = Versions.notAfter(object.version(), upTo);
            if (past && object.view().isPresent()) {
                listener.seen(object.uid(), object.view().get());
                listener.gone(object.uid(), object.view());
            } else if ((past || object.version().isEmpty()) && !object.problem().isEmpty()) {
                health.unreadableEvent();
                historyGap = "a deletion cannot be read: " + object.problem();
            }
            go(object.version());
        }

        @Override
        public void bookmark(String reached) {
            if (present()) {
                go(reached);
            }
        }

        /** What is newer than the list comes again in the watch that follows. */
        private void go(String reached) {
            if (!reached.isEmpty()) {
                at = reached;
            }
            if (!Versions.notAfter(upTo, reached)) {
                awaitQuiet();
            } else if (historyGap.isEmpty()) {
                listener.historyTold();
                listed();
            } else {
                lost(historyGap);
            }
        }

        @Override
        public void end() {
            if (present()) {
                stopped("the replay ended");
            }
        }

        @Override
        public void failed(Failure failure) {
            if (!present()) {
                return;
            }
            if (failure.kind() == Failure.Kind.EXPIRED) {
                lost(failure.message());
            } else if (soFar() >= MOST_FAILED_REPLAYS) {
                lost("%d attempts failed, at last: %s".formatted(soFar(), failure.message()));
            } else {
                afterPause(failure, () -> watchHistory(at, upTo, soFar() + 1));
            }
        }

        /** Stops before a version that proves the replay complete. */
        private void stopped(String how) {
            if (soFar() >= MOST_ENDED_REPLAYS) {
                lost("%s at version %s, before version %s of the list".formatted(how, at, upTo));
            } else {
                watchHistory(at, upTo, soFar() + 1);
            }
        }

        private int soFar() {
            return at.equals(past) ? stops : 0;
        }

        private void lost(String why) {
            LOG.warn("{}: deletions after version {} cannot be replayed: {}", kind, at, why);
            listener.historyLost(at);
            listed();
        }
    }
}
