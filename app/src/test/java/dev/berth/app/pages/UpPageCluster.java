package dev.berth.app.pages;

import dev.berth.app.run.Berth;
import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** What {@code berth up} starts. */
final class UpPageCluster implements PageCluster {
    private static final int NODES = 3;

    private final LocalCluster.Running running;
    private final Kubectl kubectl;
    private Berth berth;

    UpPageCluster(Path folder) throws IOException, InterruptedException {
        running = LocalCluster.start(NODES, new NodeSize("8", "32Gi", 110), 0, InstantSource.system());
        berth = running.berth();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), running.kubeconfig());
        kubectl = new Kubectl(Programs.find().command("kubectl"), kubeconfig, folder);
    }

    @Override
    public Kubectl kubectl() {
        return kubectl;
    }

    @Override
    public Berth berth() {
        return berth;
    }

    @Override
    public void restartBerth() throws InterruptedException {
        berth.abandon();
        berth = Berth.start(
                ClusterAccess.byToken(
                        URI.create(running.url()),
                        running.server().authorityPem(),
                        running.server().token()),
                PageCluster.config(),
                InstantSource.system());
        berth.awaitReady(NODES);
    }

    @Override
    public void close() {
        berth.close();
        running.close();
    }
}
