package dev.berth.app.diagnostics;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.engine.LedgerLoop;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.diagnostics.HealthApi;
import dev.berth.http.diagnostics.HealthCheck;
import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.NodeReservationsApi;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.leaderelection.SchedulerLeaseWatcher.BlockedName;
import dev.berth.kubernetes.watch.WatchHealth;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The health checks and metrics of a running Berth. */
public final class DiagnosticsEndpoints {
    private DiagnosticsEndpoints() {}

    /**
     * The parts that are monitored.
     *
     * @param loopSupplier returns the present loop, which is replaced whenever the served configuration changes
     * @param lease the name of the leader Lease
     * @param clock the API server's clock
     * @param blockedNames the scheduler names that Berth leaves to their own schedulers
     * @param reservations the Koordinator Reservations; called on the loop's thread
     * @param watches the state of the watch of each kind
     * @param preemptionStats the counts of preemption; called on the loop's thread
     */
    public record MonitoredBerth(
            Supplier<LedgerLoop> loopSupplier,
            ApiClient client,
            LeadershipStatus leadershipStatus,
            String lease,
            Supplier<DefaultPreemption.PreemptionStats> preemptionStats,
            Supplier<List<Reservation>> reservations,
            Supplier<List<WatchHealth.WatchStatus>> watches,
            ClockSkew clock,
            Supplier<Map<String, BlockedName>> blockedNames,
            ByteBudget requestBudget) {
        LedgerLoop loop() {
            return loopSupplier.get();
        }
    }

    public static Router router(MonitoredBerth berth, InstantSource clock) {
        HealthCheck ping = new HealthCheck("ping", () -> HealthStatus.healthy(""));
        HealthCheck loop =
                new HealthCheck("ledger-loop", new LoopCheck(() -> berth.loop().submit(scheduler -> true), clock));
        HealthCheck server =
                new HealthCheck("api-server", new CachedValue<>(new ApiServerCheck(berth.client())::run, clock)::get);
        HealthCheck election = new HealthCheck("leader-election", () -> electionResult(berth.leadershipStatus()));
        HealthCheck listed = new HealthCheck("cache-sync", () -> listedResult(berth));
        HealthCheck watches = new HealthCheck("watches", new WatchCheck(berth.watches()));
        HealthCheck skew = new HealthCheck(
                "clock", () -> HealthStatus.healthy(berth.clock().warning().orElse("")));
        HealthCheck schedulers =
                new HealthCheck("scheduler-leases", new SchedulerLeaseCheck(berth.blockedNames())::healthStatus);
        HealthCheck writes = new HealthCheck("writes", () -> writesResult(berth));
        HealthCheck leads = new HealthCheck("leader", () -> leaderResult(berth));
        Router router = new Router();
        new HealthApi("livez", List.of(ping, loop)).registerOn(router);
        new HealthApi("healthz", List.of(ping, loop)).registerOn(router);
        new HealthApi("readyz", List.of(ping, loop, server, election, listed, watches, skew, schedulers, writes))
                .registerOn(router);
        new HealthApi("leader", List.of(leads)).registerOn(router);
        new NodeReservationsApi(() -> berth.loop().snapshot()).registerOn(router);
        return metrics(berth, clock).registerOn(router);
    }

    private static MetricsApi metrics(MonitoredBerth berth, InstantSource clock) {
        return new MetricsApi(List.of(
                new LoopMetrics(berth.loopSupplier(), berth.preemptionStats(), clock),
                new LedgerMetrics(() -> berth.loop().snapshot()),
                new HeldResourcesMetrics(() -> berth.loop().snapshot()),
                new ReservationMetrics(berth.loopSupplier(), berth.reservations(), clock),
                new ClientMetrics(
                        berth.client().requestCounter(), berth.client().server()),
                new WatchMetrics(berth.watches()),
                new ClockMetrics(berth.clock()),
                new RequestMetrics(berth.requestBudget()),
                new LeadershipMetrics(berth.leadershipStatus(), berth.lease()),
                new ProcessMetrics()));
    }

    /** A standby is ready: it does what it is there for. */
    private static HealthStatus electionResult(LeadershipStatus leadershipStatus) {
        return leadershipStatus.isLeaderKnown()
                ? HealthStatus.healthy(leadershipStatus.toString())
                : HealthStatus.unhealthy(leadershipStatus.toString());
    }

    /** A standby reads nothing. */
    private static HealthStatus listedResult(MonitoredBerth berth) {
        if (berth.loop().isReady()) {
            return HealthStatus.healthy(
                    "%d nodes".formatted(berth.loop().snapshot().nodeCount()));
        }
        return berth.leadershipStatus().isLeading()
                ? HealthStatus.unhealthy("the cluster is still being listed")
                : HealthStatus.healthy("a standby lists nothing");
    }

    /** For information: Berth schedules as before, and the API server may deny the next Berth the same. */
    private static HealthStatus writesResult(MonitoredBerth berth) {
        int retrying = berth.loop().retryingWrites();
        return HealthStatus.healthy(
                retrying == 0
                        ? ""
                        : "%d writes failed and wait for a retry. The log and the events WriteDenied give the reason"
                                .formatted(retrying));
    }

    private static HealthStatus leaderResult(MonitoredBerth berth) {
        if (!berth.leadershipStatus().isLeading()) {
            return HealthStatus.unhealthy(berth.leadershipStatus().toString());
        }
        return listedResult(berth);
    }
}
