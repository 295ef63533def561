package dev.berth.app.pages;

import dev.berth.app.run.Berth;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.crd.Definition;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.RealCluster;
import java.time.InstantSource;

/** A real control plane with simulated kubelets and Berth in kube-scheduler's place. */
final class RealPageCluster implements PageCluster {
    private static final int NODES = 3;

    private final RealCluster cluster =
            RealCluster.start(NodePlan.nodes(NODES, "8", "32Gi", 110), InstantSource.system());
    private Berth berth;

    RealPageCluster() throws InterruptedException {
        for (Definition kind : Definition.values()) {
            kubectl().run("apply -f -", kind.yaml()).ok();
            kubectl()
                    .run("wait --for=condition=Established --timeout=30s crd/" + kind.objectName())
                    .ok();
        }
        berth = start();
    }

    @Override
    public Kubectl kubectl() {
        return cluster.plane().kubectl();
    }

    @Override
    public Berth berth() {
        return berth;
    }

    @Override
    public void restartBerth() throws InterruptedException {
        berth.abandon();
        berth = start();
    }

    @Override
    public void close() {
        berth.close();
        cluster.close();
    }

    private Berth start() throws InterruptedException {
        Access access = cluster.plane().access();
        Berth started = Berth.start(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()),
                PageCluster.config(),
                InstantSource.system());
        started.awaitReady(NODES);
        return started;
    }
}
