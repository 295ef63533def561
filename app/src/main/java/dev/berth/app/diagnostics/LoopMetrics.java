package dev.berth.app.diagnostics;

import dev.berth.core.metrics.Histogram;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.queue.QueueState;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopClient;
import dev.berth.engine.LoopUnavailableException;
import dev.berth.engine.metrics.AttemptMetricsSnapshot;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the loop. Its counters are plain fields of its own thread. It copies them on request, but at most once a
 * second, because that takes time from scheduling. If the loop is too busy to answer in time, the last copy is shown.
 */
final class LoopMetrics implements MetricsApi.MetricsCollector {
    private static final Logger LOG = LoggerFactory.getLogger(LoopMetrics.class);
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(2);

    private final Supplier<LedgerLoop> loopSupplier;
    private final Supplier<DefaultPreemption.PreemptionStats> preemptionStats;
    private final CachedValue<Optional<Readings>> cachedValue;
    private volatile Optional<Readings> lastReadings = Optional.empty();

    private record Readings(
            Map<QueueState, Integer> pending,
            Map<QueueState, Map<String, Long>> incomingPods,
            AttemptMetricsSnapshot attempts,
            DefaultPreemption.PreemptionStats preemptionStats,
            long reportsLost,
            int invalidReservations) {}

    LoopMetrics(
            Supplier<LedgerLoop> loops,
            Supplier<DefaultPreemption.PreemptionStats> preemptionStats,
            InstantSource clock) {
        this.loopSupplier = loops;
        this.preemptionStats = preemptionStats;
        this.cachedValue = new CachedValue<>(this::readLoop, clock);
    }

    @Override
    public void collect(PrometheusText to) throws InterruptedException {
        Optional<Readings> fresh = cachedValue.get();
        fresh.ifPresent(readings -> lastReadings = fresh);
        to.gauge(
                        "berth_ledger_responsive",
                        "Whether the ledger's loop answered in time (1) or not, so the counts are older (0).")
                .add(fresh.isPresent() ? 1 : 0);
        to.gauge("berth_cache_synced", "Whether the cluster is listed completely, so Berth schedules pods.")
                .add(loopSupplier.get().isReady() ? 1 : 0);
        to.gauge("berth_ledger_queue_depth", "Facts and requests that wait for the ledger's loop.")
                .add(loopSupplier.get().inboxSize());
        to.gauge("berth_pending_writes", "Binds, objects, conditions and events that are not written yet.")
                .add(loopSupplier.get().pendingWrites() + loopSupplier.get().retryingWrites());
        to.gauge(
                        "berth_retrying_writes",
                        "Writes that failed, for example because they were denied, and wait for a retry.")
                .add(loopSupplier.get().retryingWrites());
        lastReadings.ifPresent(readings -> {
            to.counter("berth_dropped_events_total", "Events that could not be written and were dropped.")
                    .add(readings.reportsLost);
            to.gauge("berth_invalid_reservations", "Reservations whose specification is invalid.")
                    .add(readings.invalidReservations);
            queue(readings, to);
            attempts(readings.attempts, to);
            preemption(readings.preemptionStats, to);
        });
    }

    private Optional<Readings> readLoop() throws InterruptedException {
        try {
            LedgerLoop loop = loopSupplier.get();
            return Optional.of(new LoopClient(loop, REPLY_TIMEOUT)
                    .query(scheduler -> new Readings(
                            scheduler.queue().podCounts(),
                            scheduler.queue().incomingPodCounts(),
                            loop.attemptMetrics(),
                            preemptionStats.get(),
                            loop.droppedReports(),
                            scheduler.invalidObjects())));
        } catch (LoopUnavailableException unavailable) {
            LOG.debug("the loop did not report its metrics", unavailable);
            return Optional.empty();
        }
    }

    private static void queue(Readings readings, PrometheusText to) {
        PrometheusText.MetricFamily pending =
                to.gauge("scheduler_pending_pods", "Pods and reservations without a node, by queue.");
        for (QueueState queueState : QueueState.values()) {
            kubeSchedulerQueueName(queueState)
                    .ifPresent(queue -> pending.add(readings.pending.getOrDefault(queueState, 0), "queue", queue));
        }
        PrometheusText.MetricFamily incoming = to.counter(
                "scheduler_queue_incoming_pods_total", "Pods that were added to a queue, by queue and event.");
        readings.incomingPods.forEach((standing, events) -> kubeSchedulerQueueName(standing)
                .ifPresent(queue ->
                        events.forEach((event, count) -> incoming.add(count, "queue", queue, "event", event))));
    }

    /** In kube-scheduler's terms. */
    private static Optional<String> kubeSchedulerQueueName(QueueState queueState) {
        return switch (queueState) {
            case ACTIVE -> Optional.of("active");
            case BACKING_OFF -> Optional.of("backoff");
            case UNSCHEDULABLE -> Optional.of("unschedulable");
            case GATED -> Optional.of("gated");
            case IN_FLIGHT -> Optional.empty();
        };
    }

    private static void attempts(AttemptMetricsSnapshot attempts, PrometheusText to) {
        PrometheusText.MetricFamily total =
                to.counter("scheduler_schedule_attempts_total", "Attempts to schedule a pod, by result.");
        attempts.durations()
                .forEach((profile, results) -> results.forEach((result, histogram) ->
                        total.add(histogram.count(), "result", lowerCase(result), "profile", profile)));
        PrometheusText.HistogramFamily durations = to.histogram(
                "scheduler_scheduling_attempt_duration_seconds",
                "Duration of a scheduling attempt, until the pod was bound or rejected.");
        attempts.durations()
                .forEach((profile, results) -> results.forEach((result, histogram) ->
                        durations.add(histogram, "result", lowerCase(result), "profile", profile)));
        PrometheusText.HistogramFamily untilBound = to.histogram(
                "scheduler_pod_scheduling_sli_duration_seconds",
                "Time from when a pod could first be tried until it was bound, by the number of attempts.");
        attempts.untilBound()
                .forEach((tries, histogram) -> untilBound.add(histogram, "attempts", attemptsLabel(tries)));
        to.histogram("scheduler_pod_scheduling_attempts", "Number of attempts until a pod was bound.")
                .add(attempts.attemptsPerPod());
        PrometheusText.MetricFamily refused =
                to.gauge("scheduler_unschedulable_pods", "Unschedulable pods, by each plugin that rejected them.");
        attempts.unschedulablePods()
                .forEach(by -> refused.add(by.pods(), "plugin", by.plugin(), "profile", by.profile()));
    }

    private static void preemption(DefaultPreemption.PreemptionStats preemptionStats, PrometheusText to) {
        to.counter(
                        "scheduler_preemption_attempts_total",
                        "Unschedulable pods for which Berth looked for preemption victims.")
                .add(preemptionStats.attempts());
        Histogram victims = preemptionStats.victims();
        to.histogram("scheduler_preemption_victims", "Number of victims of one preemption.")
                .add(victims);
    }

    private static String attemptsLabel(int attempts) {
        return attempts < AttemptMetricsSnapshot.MAX_ATTEMPTS_BUCKET ? Integer.toString(attempts) : attempts + "+";
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
