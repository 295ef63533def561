package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import dev.berth.kubernetes.api.RequestCounter;

/** Metrics of requests to the API server. */
record ClientMetrics(RequestCounter requestCounter, String host) implements MetricsApi.MetricsCollector {
    @Override
    public void collect(PrometheusText to) {
        PrometheusText.MetricFamily requests = to.counter(
                "rest_client_requests_total",
                "Requests to the API server, by status code (<error> if no response came), method and host.");
        requestCounter.forEach((method, status, count) -> requests.add(
                count,
                "code",
                status == RequestCounter.NO_RESPONSE ? "<error>" : Integer.toString(status),
                "method",
                method,
                "host",
                host));
    }
}
