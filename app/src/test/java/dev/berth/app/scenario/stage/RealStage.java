package dev.berth.app.scenario.stage;

import dev.berth.app.run.Berth;
import dev.berth.app.run.ReadyBerth;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.time.InstantSource;

/** A real control plane with its controllers, where Berth is in kube-scheduler's place. */
public final class RealStage implements Stage {
    private final RealCluster cluster = RealCluster.start(NodePlan.nodes(0, "8", "32Gi", 110), InstantSource.system());
    private final Api api = new Api(cluster.plane().access());
    private Berth berth;

    public RealStage() throws InterruptedException {
        berth = ReadyBerth.start(cluster.plane().access(), CONFIG, 0);
    }

    /** What can be stopped and started again. */
    public RealControlPlane plane() {
        return cluster.plane();
    }

    @Override
    public Api api() {
        return api;
    }

    @Override
    public Berth berth() {
        return berth;
    }

    @Override
    public void restartBerth() throws InterruptedException {
        berth.abandon();
        berth = ReadyBerth.startAfterKill(cluster.plane().access(), CONFIG, 0);
    }

    @Override
    public void close() {
        berth.close();
        cluster.close();
    }
}
