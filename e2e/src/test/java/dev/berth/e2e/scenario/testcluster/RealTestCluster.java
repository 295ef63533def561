package dev.berth.e2e.scenario.testcluster;

import dev.berth.app.run.Berth;
import dev.berth.e2e.run.ReadyBerth;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.time.InstantSource;

/** A real control plane with its controllers, where Berth is in kube-scheduler's place. */
public final class RealTestCluster implements TestCluster {
    private final RealCluster cluster = RealCluster.start(NodePool.of(0, "8", "32Gi", 110), InstantSource.system());
    private final HttpApi api = new HttpApi(cluster.controlPlane().access());
    private Berth berth;

    public RealTestCluster() throws InterruptedException {
        berth = ReadyBerth.start(cluster.controlPlane().access(), CONFIG, 0);
    }

    /** What can be stopped and started again. */
    public RealControlPlane plane() {
        return cluster.controlPlane();
    }

    @Override
    public HttpApi api() {
        return api;
    }

    @Override
    public Berth berth() {
        return berth;
    }

    @Override
    public void restartBerth() throws InterruptedException {
        berth.kill();
        berth = ReadyBerth.startAfterKill(cluster.controlPlane().access(), CONFIG, 0);
    }

    @Override
    public void close() {
        berth.close();
        cluster.close();
    }
}
