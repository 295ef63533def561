package dev.berth.app.operation;

import dev.berth.http.budget.ByteBudget;
import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;

/** The memory of requests over HTTP: how much they take, and how often a request was refused for lack of it. */
record RequestMetrics(ByteBudget budget) implements MetricsApi.Source {
    @Override
    public void tell(Exposition to) {
        to.gauge("berth_request_memory_bytes", "Memory that requests over HTTP take at this moment.")
                .is(budget.used());
        to.gauge("berth_request_memory_limit_bytes", "Memory that all requests over HTTP together may take.")
                .is(budget.bytes());
        to.counter(
                        "berth_requests_over_memory_total",
                        "Requests over HTTP that were answered with 503 for lack of memory.")
                .is(budget.refusals());
    }
}
