package dev.berth.app.pages;

import dev.berth.app.config.Config;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.app.run.Berth;
import dev.berth.app.up.LocalCluster;
import dev.berth.testkit.controlplane.Kubectl;

/** A cluster of three nodes of 8 cpus and 32Gi in which Berth serves the scheduler names of all tools it replaces. */
interface PageCluster extends AutoCloseable {
    Kubectl kubectl();

    /** Berth as it runs now. */
    Berth berth();

    /** What Berth runs with: the names of all tools that it replaces, and a Reserve API at any free port. */
    static Config config() {
        return Config.DEFAULT
                .alone()
                .withSchedulerNames(LocalCluster.SCHEDULER_NAMES)
                .withReserveApi(ReserveApiSettings.at(0));
    }

    /** Ends Berth without a word to anybody, as kill -9 does, and starts another that knows nothing. */
    void restartBerth() throws InterruptedException;

    @Override
    void close();
}
