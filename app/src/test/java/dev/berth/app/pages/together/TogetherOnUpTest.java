package dev.berth.app.pages.together;

import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** On the server that {@code berth up} starts, whose own Berth makes room for the one that is killed. */
@OnRealControlPlane
final class TogetherOnUpTest extends TogetherPage {
    TogetherOnUpTest() {
        super(TogetherOnUpTest::begin);
    }

    private static KilledBerth begin(Path folder) throws IOException, InterruptedException {
        LocalCluster.Running running =
                LocalCluster.start(LocalCluster.Plan.of(3, new NodeSize("8", "32Gi", 110)), InstantSource.system());
        running.berth().close();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), running.kubeconfig());
        ClusterAccess access = ClusterAccess.byToken(
                URI.create(running.url()),
                running.server().authorityPem(),
                running.server().token());
        Kubectl kubectl = new Kubectl(Programs.find().command("kubectl"), kubeconfig, folder);
        return new KilledBerth(new KilledBerth.Server(access, kubeconfig, kubectl, running::close), folder);
    }
}
