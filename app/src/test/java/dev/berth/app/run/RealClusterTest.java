package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.kubectl.KubectlContract;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RealClusterTest extends KubectlContract {
    private final RealCluster cluster = RealCluster.start(NodePlan.nodes(3, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.plane().kubectl();
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
    void aBerthThatIsKilledIsFollowedByTheOtherWhenItsLeaseIsOver(@TempDir Path folder) throws IOException {
        // All Berths of a cluster have one Lease: the one of this class would lead.
        berth.close();
        try (Takeover takeover = new Takeover(cluster.plane(), folder)) {
            takeover.twoReplicasOfWhichOneLeads();
            takeover.podsThatAreBeingPlaced();
            takeover.theLeaderIsKilled();
            takeover.podsComeAndGoWhileNobodyLeads();
            takeover.theOtherFollowsAndPlacesThemAll();
        } finally {
            berth = start();
        }
    }

    private Berth start() {
        Access access = cluster.plane().access();
        return Berth.start(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()),
                Config.DEFAULT.withSchedulerNames(Set.of("default-scheduler")),
                InstantSource.system());
    }
}
