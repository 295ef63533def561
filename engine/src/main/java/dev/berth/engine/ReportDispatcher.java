package dev.berth.engine;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.reconcile.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends conditions and events. Binds go first: an event between two binds costs the API server almost as much as a
 * bind, and after the binds it delays nothing. While the server is throttled or down, a bounded number of reports
 * waits. A condition is retried by {@link RetryPolicy#CONDITION} until it is written or no longer true. An event is
 * dropped by {@link RetryPolicy#EVENT}. Dropped reports are counted, logged and passed to the listener. Owned by the
 * loop.
 */
final class ReportDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(ReportDispatcher.class);
    /** After so many failures of one event, the event itself is probably the cause. */
    private static final int MAX_FAILURES = 8;
    /** The server may throttle one event so often: for about a quarter of an hour. */
    private static final int MAX_THROTTLES = 100;

    private final DispatchContext context;
    private final ReportListener listener;
    private final int inFlightLimit;
    private final ConditionQueue conditions = new ConditionQueue();
    private final EventQueue events;
    private final UnwrittenReportLog droppedLog = new UnwrittenReportLog();
    private final UnwrittenReportLog deniedLog = new UnwrittenReportLog("are sent again later");
    private Instant resumeAt = Instant.MIN;
    private int busyRounds;
    private int inFlight;
    private long added;

    /**
     * A condition or an event.
     *
     * @param order the order of arrival
     * @param failures the number of unknown results and conflicts
     * @param throttles the number of throttled attempts
     */
    record Report(Effect effect, long order, int failures, int throttles) {
        private Report failedOnce() {
            return new Report(effect, order, failures + 1, throttles);
        }

        private Report throttledOnce() {
            return new Report(effect, order, failures, throttles + 1);
        }

        /** This report in place of an older one, with the counts of the older one. */
        Report withCountsOf(Report older) {
            return new Report(effect, order, older.failures, older.throttles);
        }
    }

    /** Reports of one kind that are not written yet, and which of them may be sent. */
    interface ReportQueue {
        void add(Report report);

        /** The oldest that may be sent now. */
        Optional<Report> peek();

        void markSent(Report report);

        /** When a denied report is sent again. */
        RetryPolicy retryPolicy();

        /** Whether a report may be dropped although it may still be true. */
        boolean mayDrop();

        /** The report was not written and waits for {@link #resume}. */
        void postpone(Report report);

        /** The report was denied and waits for {@link #resume}; until then it does not count as pending. */
        void postponeDenied(Report report);

        void resume(Report report);

        /** The report is written or dropped. */
        void complete(Report report);

        /** The number of reports that are not written yet, without those in flight. */
        int size();
    }

    /** The source of reports. */
    interface ReportListener {
        /** Whether the report is still true, and this process may write it. */
        boolean isStillTrue(Effect effect);

        /** The report was not written and is not retried. */
        void onDropped(Effect effect);
    }

    ReportDispatcher(DispatchContext context, ReportListener listener, EngineSettings settings) {
        this.context = context;
        this.listener = listener;
        this.inFlightLimit = settings.reportsInFlight();
        this.events = new EventQueue(
                settings.eventsWaiting(),
                oldest -> drop(oldest, "%d newer events wait already".formatted(settings.eventsWaiting())));
    }

    void add(Effect effect) {
        Report report = new Report(effect, added++, 0, 0);
        queueOf(report).add(report);
    }

    /** The number of reports that are not written yet. */
    int pendingCount() {
        return conditions.size() + events.size() + inFlight;
    }

    /** The number of reports that were dropped so far. */
    long droppedCount() {
        return droppedLog.count();
    }

    /** Sends up to the limit. */
    void send() {
        while (inFlight < inFlightLimit && !context.clock().instant().isBefore(resumeAt)) {
            Optional<Report> next = next();
            if (next.isEmpty()) {
                break;
            }
            send(next.get());
        }
        droppedLog.pollMessage(context.clock().instant()).ifPresent(LOG::warn);
        deniedLog.pollMessage(context.clock().instant()).ifPresent(LOG::warn);
    }

    private Optional<Report> next() {
        return Stream.of(conditions.peek(), events.peek())
                .flatMap(Optional::stream)
                .min(Comparator.comparingLong(Report::order));
    }

    private void send(Report report) {
        queueOf(report).markSent(report);
        if (!listener.isStillTrue(report.effect())) {
            queueOf(report).complete(report);
            listener.onDropped(report.effect());
            return;
        }
        inFlight++;
        write(report.effect())
                .whenComplete((writeResponse, broken) -> context.inbox()
                        .accept(() -> onResponse(report, BindDispatcher.orUnknown(writeResponse, broken))));
    }

    private CompletionStage<WriteResponse> write(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            return context.apiServerClient().markUnscheduled(mark);
        }
        if (effect instanceof Effect.RecordEvent event) {
            return context.apiServerClient().recordEvent(event);
        }
        throw new IllegalArgumentException("effect (%s) is neither a condition nor an event".formatted(effect));
    }

    private void onResponse(Report report, WriteResponse writeResponse) {
        inFlight--;
        ReportQueue queue = queueOf(report);
        if (writeResponse instanceof WriteResponse.Throttled throttled) {
            slowDown();
            Report next = report.throttledOnce();
            retryOrDrop(
                    next,
                    throttled.retryAfter(),
                    throttled.message(),
                    !queue.mayDrop() || next.throttles() < MAX_THROTTLES);
        } else if (writeResponse instanceof WriteResponse.Unknown unknown) {
            failed(report, Duration.ZERO, unknown.message());
        } else if (writeResponse instanceof WriteResponse.Conflict conflict) {
            Report next = report.failedOnce();
            Optional<Duration> delay = queue.retryPolicy().retryDelay(WriteResult.ResultKind.CONFLICT, next.failures());
            failed(report, delay.orElse(Duration.ZERO), conflict.message());
        } else if (writeResponse instanceof WriteResponse.Denied denied) {
            busyRounds = 0;
            denied(report.failedOnce(), denied.message());
        } else if (writeResponse instanceof WriteResponse.Succeeded
                || writeResponse instanceof WriteResponse.NotFound) {
            busyRounds = 0;
            queue.complete(report);
        } else {
            throw new IllegalStateException("unknown response (%s)".formatted(writeResponse));
        }
    }

    private void failed(Report report, Duration atLeast, String why) {
        Report next = report.failedOnce();
        retryOrDrop(next, atLeast, why, !queueOf(next).mayDrop() || next.failures() < MAX_FAILURES);
    }

    private void denied(Report report, String why) {
        ReportQueue queue = queueOf(report);
        Optional<Duration> delay = queue.retryPolicy().retryDelay(WriteResult.ResultKind.DENIED, report.failures());
        if (delay.isEmpty()) {
            queue.complete(report);
            drop(report, why);
            return;
        }
        deniedLog.add(report.effect(), why);
        queue.postponeDenied(report);
        context.delayedTasks().schedule(context.clock().instant().plus(delay.get()), () -> queue.resume(report));
    }

    private void retryOrDrop(Report report, Duration atLeast, String why, boolean mayTryAgain) {
        if (!mayTryAgain) {
            queueOf(report).complete(report);
            drop(report, why);
            return;
        }
        Duration delay = RetryDelays.atLeast(atLeast, report.failures() + report.throttles());
        queueOf(report).postpone(report);
        context.delayedTasks()
                .schedule(
                        context.clock().instant().plus(delay),
                        () -> queueOf(report).resume(report));
    }

    /** A throttled response delays all reports, each round longer; responses to earlier sends do not count again. */
    private void slowDown() {
        Instant now = context.clock().instant();
        if (!now.isBefore(resumeAt)) {
            busyRounds++;
            resumeAt = now.plus(RetryDelays.after(busyRounds));
            context.delayedTasks().schedule(resumeAt, () -> {});
        }
    }

    private void drop(Report report, String why) {
        droppedLog.add(report.effect(), why);
        listener.onDropped(report.effect());
    }

    private ReportQueue queueOf(Report report) {
        return report.effect() instanceof Effect.MarkUnscheduled ? conditions : events;
    }
}
