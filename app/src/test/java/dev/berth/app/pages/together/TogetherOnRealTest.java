package dev.berth.app.pages.together;

import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.crd.Definition;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** On a real control plane, with Berth in kube-scheduler's place. */
@OnRealControlPlane
final class TogetherOnRealTest extends TogetherPage {
    TogetherOnRealTest() {
        super(TogetherOnRealTest::begin);
    }

    private static KilledBerth begin(Path folder) throws IOException {
        RealCluster cluster = RealCluster.start(NodePlan.nodes(3, "8", "32Gi", 110), InstantSource.system());
        Kubectl kubectl = cluster.plane().kubectl();
        for (Definition kind : Definition.values()) {
            kubectl.run("apply -f -", kind.yaml()).ok();
            kubectl.run("wait --for=condition=Established --timeout=30s crd/" + kind.objectName())
                    .ok();
        }
        Access access = cluster.plane().access();
        KilledBerth.Server server = new KilledBerth.Server(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()),
                cluster.plane().kubeconfig(),
                kubectl,
                cluster::close);
        return new KilledBerth(server, folder);
    }
}
