package dev.berth.app.operation;

import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;

/** Whether this process leads. */
record RoleMetrics(Role role, String lease) implements MetricsApi.Source {
    @Override
    public void tell(Exposition to) {
        to.gauge(
                        "leader_election_master_status",
                        "Whether this process leads (1) or not (0), by the name of the Lease.")
                .is(role.leading() ? 1 : 0, "name", lease);
    }
}
