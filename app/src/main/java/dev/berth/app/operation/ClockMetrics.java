package dev.berth.app.operation;

import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;

/** How the clock of this machine stands to that of the API server. */
record ClockMetrics(ServerSkew clock) implements MetricsApi.Source {
    private static final double MILLIS = 1e3;

    @Override
    public void tell(Exposition to) {
        Exposition.Metric skew = to.gauge(
                "berth_clock_skew_seconds",
                "How far the API server's clock is ahead of this machine's; negative where it is behind.");
        skew.is(clock.skew().map(ahead -> ahead.toMillis() / MILLIS).orElse(0.0));
    }
}
