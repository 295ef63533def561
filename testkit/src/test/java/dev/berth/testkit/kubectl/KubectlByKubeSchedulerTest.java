package dev.berth.testkit.kubectl;

import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The first hour on real controllers and the real kube-scheduler: where this fails, the hour is wrong. */
@OnRealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KubectlByKubeSchedulerTest extends KubectlContract {

    // A cluster of its own: a drained node would be missed by others.
    private final RealCluster cluster = RealCluster.start(NodePool.of(3, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.controlPlane().kubectl();

    @BeforeAll
    void awaitNodes() {
        cluster.controlPlane().startKubeScheduler(RealControlPlane::defaultSchedulerConfiguration);
        awaitNodesReady();
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    @Override
    protected Kubectl kubectl() {
        return kubectl;
    }
}
