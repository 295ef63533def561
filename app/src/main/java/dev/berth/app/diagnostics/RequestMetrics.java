package dev.berth.app.diagnostics;

import dev.berth.http.budget.ByteBudget;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;

/** Metrics of the memory of HTTP requests: its use, and the number of rejected requests. */
record RequestMetrics(ByteBudget budget) implements MetricsApi.MetricsCollector {
    @Override
    public void collect(PrometheusText to) {
        to.gauge("berth_http_request_memory_bytes", "Memory that HTTP requests use now.")
                .add(budget.used());
        to.gauge("berth_http_request_memory_limit_bytes", "Memory that all HTTP requests together may use.")
                .add(budget.bytes());
        to.counter(
                        "berth_http_requests_rejected_total",
                        "HTTP requests that got status 503 because that memory was in use.")
                .add(budget.rejections());
    }
}
