package dev.berth.app.operation;

import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.engine.LedgerLoop;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.operation.Check;
import dev.berth.http.operation.Check.Finding;
import dev.berth.http.operation.HealthApi;
import dev.berth.http.operation.MetricsApi;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.watch.WatchHealth;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Puts together what can be asked of a Berth that runs. */
public final class Operation {
    private Operation() {}

    /**
     * The Berth that is asked.
     *
     * @param loops the loop that decides now; it is another one whenever what Berth serves changes
     * @param lease the name of the Lease by which replicas elect their leader
     * @param clock the API server's
     * @param defaultScheduler whether a kube-scheduler runs that may serve the same name
     * @param watches how the watch of each kind goes
     * @param toll what preemption did; asked on the loop's thread
     */
    public record Watched(
            Supplier<LedgerLoop> loops,
            ApiClient client,
            Role role,
            String lease,
            Supplier<PreemptionDoor.Toll> toll,
            Supplier<List<WatchHealth.State>> watches,
            ServerSkew clock,
            DefaultScheduler defaultScheduler,
            ByteBudget requests) {
        LedgerLoop loop() {
            return loops.get();
        }
    }

    public static Router router(Watched berth, InstantSource clock) {
        Check ping = new Check("ping", () -> Finding.well(""));
        Check loop = new Check("loop", new LoopCheck(() -> berth.loop().submit(decider -> true), clock));
        Check server = new Check("api-server", new Lately<>(new ServerCheck(berth.client())::ask, clock)::ask);
        Check election = new Check("election", () -> election(berth.role()));
        Check listed = new Check("listed", () -> listed(berth));
        Check watches = new Check("watches", new WatchCheck(berth.watches()));
        Check skew =
                new Check("clock", () -> Finding.well(berth.clock().complaint().orElse("")));
        Check schedulers =
                new Check("default-scheduler", () -> berth.defaultScheduler().finding());
        Check writes = new Check("writes", () -> writes(berth));
        Check leads = new Check("leads", () -> leads(berth));
        Router router = new Router();
        new HealthApi("livez", List.of(ping, loop)).addTo(router);
        new HealthApi("healthz", List.of(ping, loop)).addTo(router);
        new HealthApi("readyz", List.of(ping, loop, server, election, listed, watches, skew, schedulers, writes))
                .addTo(router);
        new HealthApi("leader", List.of(leads)).addTo(router);
        return metrics(berth, clock).addTo(router);
    }

    private static MetricsApi metrics(Watched berth, InstantSource clock) {
        return new MetricsApi(List.of(
                new LoopMetrics(berth.loops(), berth.toll(), clock),
                new LedgerMetrics(() -> berth.loop().snapshot()),
                new ClientMetrics(berth.client().traffic(), berth.client().server()),
                new WatchMetrics(berth.watches()),
                new ClockMetrics(berth.clock()),
                new RequestMetrics(berth.requests()),
                new RoleMetrics(berth.role(), berth.lease()),
                new ProcessMetrics()));
    }

    /** One that waits behind a leader does what it is there for. */
    private static Finding election(Role role) {
        return role.known() ? Finding.well(role.toString()) : Finding.ill(role.toString());
    }

    /** One that waits reads nothing. */
    private static Finding listed(Watched berth) {
        if (berth.loop().ready()) {
            return Finding.well("%d nodes".formatted(berth.loop().snapshot().nodeCount()));
        }
        return berth.role().leading()
                ? Finding.ill("the cluster is still being listed")
                : Finding.well("not before it leads");
    }

    /** For information: Berth decides as before, and the API server may deny the next Berth the same. */
    private static Finding writes(Watched berth) {
        int retrying = berth.loop().retrying();
        return Finding.well(
                retrying == 0
                        ? ""
                        : "%d writes failed and wait for another try; the log and the events WriteDenied say why"
                                .formatted(retrying));
    }

    private static Finding leads(Watched berth) {
        if (!berth.role().leading()) {
            return Finding.ill(berth.role().toString());
        }
        return listed(berth);
    }
}
