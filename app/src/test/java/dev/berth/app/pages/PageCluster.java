package dev.berth.app.pages;

import dev.berth.testkit.controlplane.Kubectl;

/** A cluster of three nodes of 8 cpus and 32Gi in which Berth serves the scheduler names of all tools it replaces. */
interface PageCluster extends AutoCloseable {
    Kubectl kubectl();

    /** Ends Berth without a word to anybody, as kill -9 does, and starts another that knows nothing. */
    void restartBerth() throws InterruptedException;

    @Override
    void close();
}
