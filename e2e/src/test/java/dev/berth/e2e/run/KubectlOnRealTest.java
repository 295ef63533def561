package dev.berth.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.run.Berth;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.kubectl.KubectlContract;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The first hour on a real control plane in which Berth stands in for kube-scheduler. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KubectlOnRealTest extends KubectlContract {
    private final RealCluster cluster = RealCluster.start(NodePool.of(3, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.controlPlane().kubectl();
    private Berth berth = start();

    @BeforeAll
    void awaitNodes() {
        awaitNodesReady();
    }

    @AfterAll
    void end() {
        berth.close();
        cluster.close();
    }

    @Override
    protected Kubectl kubectl() {
        return kubectl;
    }

    @Test
    void aSecondBerthTakesOverWhenTheFirstEnds() {
        Berth standby = start();
        berth.close();
        berth = standby;
        kubectl.run("create namespace handover").ok();
        kubectl.run("create deployment after --image=nginx --replicas=5 -n handover")
                .ok();
        Eventually.holds(() -> assertThat(kubectl.run("get deployment after -n handover --no-headers")
                        .ok()
                        .out())
                .matches("after +5/5 .*\\n"));
        kubectl.run("delete namespace handover --wait=false").ok();
    }

    @Test
    void theStandbyTakesOverWhenTheLeaseOfTheKilledLeaderExpires(@TempDir Path folder) throws IOException {
        // All Berths of a cluster have one Lease: the one of this class would lead.
        berth.close();
        try (LeaderTakeover takeover = new LeaderTakeover(cluster.controlPlane(), folder)) {
            takeover.awaitOneLeader();
            takeover.createPods();
            takeover.killLeader();
            takeover.changePodsWithoutLeader();
            takeover.assertStandbyTakesOver();
        } finally {
            berth = start();
        }
    }

    private Berth start() {
        ApiServerAccess access = cluster.controlPlane().access();
        return Berth.start(
                ClientConfig.withBearerToken(access.url(), access.caPem(), access.token()),
                Config.DEFAULT.withSchedulerNames(Set.of("default-scheduler")),
                InstantSource.system());
    }
}
