package dev.berth.app.diagnostics;

import dev.berth.http.budget.ByteBudget;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;

/** The memory of requests over HTTP: how much they take, and how often a request was refused for lack of it. */
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
