package dev.berth.app.operation;

import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;
import dev.berth.kubernetes.api.Traffic;

/** What was asked of the API server. */
record ClientMetrics(Traffic traffic, String host) implements MetricsApi.Source {
    @Override
    public void tell(Exposition to) {
        Exposition.Metric requests = to.counter(
                "rest_client_requests_total",
                "Requests to the API server, by status code, or <error> where none came, method and host.");
        traffic.forEach((method, status, count) -> requests.is(
                count,
                "code",
                status == Traffic.NO_ANSWER ? "<error>" : Integer.toString(status),
                "method",
                method,
                "host",
                host));
    }
}
