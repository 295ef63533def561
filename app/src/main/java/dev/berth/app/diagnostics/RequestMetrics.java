package dev.berth.app.diagnostics;

import dev.berth.http.budget.ByteBudget;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;

/** Metrics of the memory of HTTP requests: its use, and the number of rejected requests. */
record RequestMetrics(ByteBudget budget) implements MetricsApi.MetricsCollector {
    @Override
    public void collect(PrometheusText to) {
        to.gauge("berth_http_request_memory_bytes", "Memory that requests over HTTP take at this moment.")
                .add(budget.used());
        to.gauge("berth_http_request_memory_limit_bytes", "Memory that all requests over HTTP together may take.")
                .add(budget.bytes());
        to.counter(
                        "berth_http_requests_rejected_total",
                        "Requests over HTTP that were answered with 503 for lack of memory.")
                .add(budget.rejections());
    }
}
