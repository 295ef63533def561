package dev.berth.app.operation;

import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.meter.Histogram;
import dev.berth.core.queue.Standing;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.meter.AttemptReadings;
import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the loop counts. Its counters are plain fields of its own thread: it copies them when somebody asks, but not more
 * often than once a second, for that takes time from deciding. A loop that is too busy to answer in time is shown as it
 * was last.
 */
final class LoopMetrics implements MetricsApi.Source {
    private static final Logger LOG = LoggerFactory.getLogger(LoopMetrics.class);
    private static final long ANSWER_WITHIN_MILLIS = 2_000;

    private final Supplier<LedgerLoop> loops;
    private final Supplier<PreemptionDoor.Toll> toll;
    private final Lately<Optional<Readings>> lately;
    private volatile Optional<Readings> last = Optional.empty();

    private record Readings(
            Map<Standing, Integer> pending,
            Map<Standing, Map<String, Long>> arrivals,
            AttemptReadings attempts,
            PreemptionDoor.Toll toll,
            long reportsLost,
            int invalidReservations) {}

    LoopMetrics(Supplier<LedgerLoop> loops, Supplier<PreemptionDoor.Toll> toll, InstantSource clock) {
        this.loops = loops;
        this.toll = toll;
        this.lately = new Lately<>(this::read, clock);
    }

    @Override
    public void tell(Exposition to) throws InterruptedException {
        Optional<Readings> fresh = lately.ask();
        fresh.ifPresent(readings -> last = fresh);
        to.gauge(
                        "berth_loop_answers",
                        "Whether the ledger's loop answered in time (1), or is shown as it was before (0).")
                .is(fresh.isPresent() ? 1 : 0);
        to.gauge("berth_listed", "Whether the cluster was listed as a whole, so that pods are decided on.")
                .is(loops.get().ready() ? 1 : 0);
        to.gauge("berth_inbox", "Facts, questions and commands that wait for the ledger's loop.")
                .is(loops.get().waiting());
        to.gauge("berth_unfinished_writes", "Binds, objects, conditions and events that are not written yet.")
                .is(loops.get().unfinished() + loops.get().retrying());
        to.gauge("berth_retrying_writes", "Writes that failed, were denied for example, and wait for another try.")
                .is(loops.get().retrying());
        last.ifPresent(readings -> {
            to.counter("berth_reports_lost_total", "Conditions and events that could not be written and were given up.")
                    .is(readings.reportsLost);
            to.gauge("berth_invalid_reservations", "Reservations whose specification is malformed.")
                    .is(readings.invalidReservations);
            queue(readings, to);
            attempts(readings.attempts, to);
            preemption(readings.toll, to);
        });
    }

    private Optional<Readings> read() throws InterruptedException {
        try {
            LedgerLoop loop = loops.get();
            return Optional.of(loop.submit(decider -> new Readings(
                            decider.queue().counts(),
                            decider.queue().arrivals(),
                            loop.attempts(),
                            toll.get(),
                            loop.reportsLost(),
                            decider.invalid()))
                    .get(ANSWER_WITHIN_MILLIS, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException | ExecutionException | TimeoutException silent) {
            LOG.debug("the loop says nothing of itself", silent);
            return Optional.empty();
        }
    }

    private static void queue(Readings readings, Exposition to) {
        Exposition.Metric pending = to.gauge(
                "scheduler_pending_pods",
                "Pods and reservations that seek a place, by where they wait; those being placed are not among them.");
        for (Standing standing : Standing.values()) {
            name(standing).ifPresent(queue -> pending.is(readings.pending.getOrDefault(standing, 0), "queue", queue));
        }
        Exposition.Metric incoming = to.counter(
                "scheduler_queue_incoming_pods_total",
                "Pods that came to wait somewhere, by where and what brought them.");
        readings.arrivals.forEach((standing, events) -> name(standing)
                .ifPresent(
                        queue -> events.forEach((event, count) -> incoming.is(count, "queue", queue, "event", event))));
    }

    /** As kube-scheduler calls it. */
    private static Optional<String> name(Standing standing) {
        return switch (standing) {
            case ACTIVE -> Optional.of("active");
            case BACKING_OFF -> Optional.of("backoff");
            case WAITING -> Optional.of("unschedulable");
            case GATED -> Optional.of("gated");
            case IN_FLIGHT -> Optional.empty();
        };
    }

    private static void attempts(AttemptReadings attempts, Exposition to) {
        Exposition.Metric total =
                to.counter("scheduler_schedule_attempts_total", "Attempts to place a pod, by how they ended.");
        attempts.durations()
                .forEach((profile, results) -> results.forEach((result, histogram) ->
                        total.is(histogram.count(), "result", word(result), "profile", profile)));
        Exposition.Histograms durations = to.histogram(
                "scheduler_scheduling_attempt_duration_seconds",
                "How long an attempt took, from its beginning until the pod was bound or refused.");
        attempts.durations()
                .forEach((profile, results) -> results.forEach(
                        (result, histogram) -> durations.is(histogram, "result", word(result), "profile", profile)));
        Exposition.Histograms untilBound = to.histogram(
                "scheduler_pod_scheduling_sli_duration_seconds",
                "From when a pod could first be tried until it was bound, by the number of attempts.");
        attempts.untilBound().forEach((tries, histogram) -> untilBound.is(histogram, "attempts", count(tries)));
        to.histogram("scheduler_pod_scheduling_attempts", "How many attempts a pod took until it was bound.")
                .is(attempts.tries());
        Exposition.Metric refused = to.gauge(
                "scheduler_unschedulable_pods", "Pods that wait after a refusal, by each plugin that refused them.");
        attempts.refused().forEach(by -> refused.is(by.pods(), "plugin", by.plugin(), "profile", by.profile()));
    }

    private static void preemption(PreemptionDoor.Toll toll, Exposition to) {
        to.counter(
                        "scheduler_preemption_attempts_total",
                        "Refused pods for which pods of less priority were looked for.")
                .is(toll.attempts());
        Histogram victims = toll.victims();
        to.histogram("scheduler_preemption_victims", "How many pods had to go for one that was given their place.")
                .is(victims);
    }

    private static String count(int attempts) {
        return attempts < AttemptReadings.MOST_ATTEMPTS ? Integer.toString(attempts) : attempts + "+";
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
