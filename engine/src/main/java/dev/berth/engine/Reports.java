package dev.berth.engine;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.reconcile.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conditions and events on their way. They give way to binds: an event sent between two binds costs the API server the
 * better part of a bind, sent afterwards it costs nobody anything. While the server takes nothing they wait, in bounded
 * number. A condition is sent until it is written, or no longer true; when it is sent again is {@link Policy#CONDITION}.
 * Events are given up by {@link Policy#EVENT}; what is given up is counted and logged, and whoever wanted it told hears of
 * it. Owned by the loop.
 */
final class Reports {
    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    /** How often the server may fail on one event before it is the event's fault. */
    private static final int MOST_FAILURES = 8;
    /** How often the server may be too busy for one event: a quarter of an hour. */
    private static final int MOST_PAUSES = 100;

    private final Cluster cluster;
    private final Consumer<Runnable> inbox;
    private final Deadlines deadlines;
    private final InstantSource clock;
    private final Audience audience;
    private final int inFlightLimit;
    private final Marks marks = new Marks();
    private final Announcements announcements;
    private final Losses losses = new Losses();
    private final Losses denials = new Losses("are sent again later");
    private Instant resumeAt = Instant.MIN;
    private int busyRounds;
    private int inFlight;
    private long added;

    /**
     * One thing to tell.
     *
     * @param order in which it came
     * @param failures how often nobody could say what became of it, or it met another write
     * @param pauses how often the server was too busy for it
     */
    record Report(Effect effect, long order, int failures, int pauses) {
        private Report failedOnce() {
            return new Report(effect, order, failures + 1, pauses);
        }

        private Report pausedOnce() {
            return new Report(effect, order, failures, pauses + 1);
        }

        /** This one in the place of an older one that came to nothing as often as that says. */
        Report after(Report older) {
            return new Report(effect, order, older.failures, older.pauses);
        }
    }

    /** Reports of one kind that are not written yet, and which of them may go out. */
    interface Line {
        void add(Report report);

        /** The oldest that may go out now. */
        Optional<Report> first();

        void sent(Report report);

        /** When what is denied is sent again. */
        Policy policy();

        /** Whether each of them is given up some day, though it may still be true. */
        boolean givesUp();

        /** It comes back from its way and waits for {@link #resume}. */
        void putOff(Report report);

        /** It was denied and waits for {@link #resume}: until then it is not open. */
        void deny(Report report);

        void resume(Report report);

        /** It is written, or given up. */
        void ended(Report report);

        /** How many are not at their end, those on their way not counted. */
        int size();
    }

    /** For whom reports are made. */
    interface Audience {
        /** Whether it is still true, and ours to tell. */
        boolean wants(Effect effect);

        /** It was not told, and is not tried again. */
        void untold(Effect effect);
    }

    Reports(
            Cluster cluster,
            Consumer<Runnable> inbox,
            Deadlines deadlines,
            InstantSource clock,
            Audience audience,
            EngineSettings settings) {
        this.cluster = cluster;
        this.inbox = inbox;
        this.deadlines = deadlines;
        this.clock = clock;
        this.audience = audience;
        this.inFlightLimit = settings.reportsInFlight();
        this.announcements = new Announcements(
                settings.announcementsWaiting(),
                oldest -> lost(oldest, "%d newer events wait already".formatted(settings.announcementsWaiting())));
    }

    void add(Effect effect) {
        Report report = new Report(effect, added++, 0, 0);
        line(report).add(report);
    }

    /** How many are not yet written. */
    int open() {
        return marks.size() + announcements.size() + inFlight;
    }

    /** How many were given up so far. */
    long lost() {
        return losses.count();
    }

    /** Sends what there is room for. */
    void send() {
        while (inFlight < inFlightLimit && !clock.instant().isBefore(resumeAt)) {
            Optional<Report> next = next();
            if (next.isEmpty()) {
                break;
            }
            send(next.get());
        }
        losses.words(clock.instant()).ifPresent(LOG::warn);
        denials.words(clock.instant()).ifPresent(LOG::warn);
    }

    private Optional<Report> next() {
        return Stream.of(marks.first(), announcements.first())
                .flatMap(Optional::stream)
                .min(Comparator.comparingLong(Report::order));
    }

    private void send(Report report) {
        line(report).sent(report);
        if (!audience.wants(report.effect())) {
            line(report).ended(report);
            audience.untold(report.effect());
            return;
        }
        inFlight++;
        write(report.effect())
                .whenComplete(
                        (answer, broken) -> inbox.accept(() -> answered(report, Binds.orUnknown(answer, broken))));
    }

    private CompletionStage<Answer> write(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            return cluster.mark(mark);
        }
        if (effect instanceof Effect.Announce announcement) {
            return cluster.announce(announcement);
        }
        throw new IllegalArgumentException("effect (%s) is no report".formatted(effect));
    }

    private void answered(Report report, Answer answer) {
        inFlight--;
        Line line = line(report);
        if (answer instanceof Answer.Throttled throttled) {
            slowDown();
            Report next = report.pausedOnce();
            again(next, throttled.after(), throttled.message(), !line.givesUp() || next.pauses() < MOST_PAUSES);
        } else if (answer instanceof Answer.Unknown unknown) {
            failed(report, Duration.ZERO, unknown.message());
        } else if (answer instanceof Answer.Conflict conflict) {
            Report next = report.failedOnce();
            Optional<Duration> pause = line.policy().after(Outcome.Kind.CONFLICT, next.failures());
            failed(report, pause.orElse(Duration.ZERO), conflict.message());
        } else if (answer instanceof Answer.Denied denied) {
            busyRounds = 0;
            denied(report.failedOnce(), denied.message());
        } else {
            busyRounds = 0;
            line.ended(report);
        }
    }

    private void failed(Report report, Duration atLeast, String why) {
        Report next = report.failedOnce();
        again(next, atLeast, why, !line(next).givesUp() || next.failures() < MOST_FAILURES);
    }

    private void denied(Report report, String why) {
        Line line = line(report);
        Optional<Duration> pause = line.policy().after(Outcome.Kind.DENIED, report.failures());
        if (pause.isEmpty()) {
            line.ended(report);
            lost(report, why);
            return;
        }
        denials.add(report.effect(), why);
        line.deny(report);
        deadlines.at(clock.instant().plus(pause.get()), () -> line.resume(report));
    }

    private void again(Report report, Duration atLeast, String why, boolean mayTryAgain) {
        if (!mayTryAgain) {
            line(report).ended(report);
            lost(report, why);
            return;
        }
        Duration own = Binds.doubling(report.failures() + report.pauses());
        line(report).putOff(report);
        deadlines.at(
                clock.instant().plus(atLeast.compareTo(own) > 0 ? atLeast : own),
                () -> line(report).resume(report));
    }

    /** A busy server is left alone by all, each time longer; answers to what was sent before are no further reason. */
    private void slowDown() {
        Instant now = clock.instant();
        if (!now.isBefore(resumeAt)) {
            busyRounds++;
            resumeAt = now.plus(Binds.doubling(busyRounds));
            deadlines.at(resumeAt, () -> {});
        }
    }

    private void lost(Report report, String why) {
        losses.add(report.effect(), why);
        audience.untold(report.effect());
    }

    private Line line(Report report) {
        return report.effect() instanceof Effect.MarkUnscheduled ? marks : announcements;
    }
}
