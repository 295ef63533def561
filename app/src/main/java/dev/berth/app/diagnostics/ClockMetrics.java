package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;

/** Metrics of the difference between this machine's clock and the API server's. */
record ClockMetrics(ClockSkew clock) implements MetricsApi.MetricsCollector {
    private static final double MILLIS = 1e3;

    @Override
    public void collect(PrometheusText to) {
        PrometheusText.MetricFamily skew = to.gauge(
                "berth_clock_skew_seconds",
                "How far the API server's clock is ahead of this machine's; negative if it is behind.");
        skew.add(clock.skew().map(ahead -> ahead.toMillis() / MILLIS).orElse(0.0));
    }
}
