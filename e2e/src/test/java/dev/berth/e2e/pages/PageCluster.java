package dev.berth.e2e.pages;

import dev.berth.app.config.Config;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.app.run.Berth;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.up.LocalCluster;
import java.util.Set;

/** A cluster of three nodes of 8 cpus and 32Gi in which Berth serves the scheduler names of all tools it replaces. */
public interface PageCluster extends AutoCloseable {
    Kubectl kubectl();

    /** Whether the server has the API group of kube-extended-resource's fork, and its field of containers. */
    boolean hasForkedApi();

    /** Berth as it runs now. */
    Berth berth();

    /** The doors but for those left out, with a Reserve API at any free port. */
    static DoorSettings doors(Set<DoorId> without) {
        return DoorSettings.DEFAULT
                .withGlobalReserveApi(GlobalReserveApiSettings.onPort(0))
                .withDisabled(without);
    }

    /** What Berth runs with: the names of all tools that it replaces. */
    static Config config(DoorSettings doors) {
        return Config.DEFAULT.withSchedulerNames(LocalCluster.SCHEDULER_NAMES).withDoors(doors);
    }

    /**
     * Ends Berth without a word to anybody, as kill -9 does, and starts another that knows nothing. The Lease is released
     * in between: the other need not wait for its end.
     */
    default void restartBerth() throws InterruptedException {
        restartBerth(() -> {});
    }

    /** The same, and something happens while there is no Berth. */
    void restartBerth(Runnable meanwhile) throws InterruptedException;

    @Override
    void close();
}
