package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.List;
import java.util.function.Supplier;

/** Metrics of the watches. */
record WatchMetrics(Supplier<List<WatchHealth.WatchStatus>> watches) implements MetricsApi.MetricsCollector {
    @Override
    public void collect(PrometheusText to) {
        List<WatchHealth.WatchStatus> now = watches.get();
        PrometheusText.MetricFamily failing = to.gauge(
                "berth_watch_failing",
                "Whether the list or watch of a kind failed three times in a row (1) or not (0).");
        now.forEach(kind -> failing.add(kind.isFailing() ? 1 : 0, "resource", kind.kind()));
        PrometheusText.MetricFamily failures =
                to.counter("berth_watch_failures_total", "Lists and watches that failed, by the kind of object.");
        now.forEach(kind -> failures.add(kind.failures(), "resource", kind.kind()));
        PrometheusText.MetricFamily missing = to.gauge(
                "berth_crd_missing", "Whether the CustomResourceDefinition of a kind is not installed (1) or is (0).");
        now.forEach(kind -> missing.add(kind.kindMissing() ? 1 : 0, "resource", kind.kind()));
        PrometheusText.MetricFamily unreadable = to.gauge(
                "berth_unreadable_objects",
                "Objects that Berth cannot read: each stays in effect as it was last read.");
        now.forEach(kind -> unreadable.add(kind.unreadableObjects(), "resource", kind.kind()));
        PrometheusText.MetricFamily events = to.counter(
                "berth_watch_decode_errors_total",
                "List items and watch events that could not be read and were skipped.");
        now.forEach(kind -> events.add(kind.unreadableEvents(), "resource", kind.kind()));
    }
}
