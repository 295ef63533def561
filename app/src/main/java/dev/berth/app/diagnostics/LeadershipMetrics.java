package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;

/** Metrics of this process's leadership. */
record LeadershipMetrics(LeadershipStatus leadershipStatus, String lease) implements MetricsApi.MetricsCollector {
    @Override
    public void collect(PrometheusText to) {
        to.gauge(
                        "leader_election_master_status",
                        "Whether this process leads (1) or not (0), by the name of the Lease.")
                .add(leadershipStatus.isLeading() ? 1 : 0, "name", lease);
    }
}
