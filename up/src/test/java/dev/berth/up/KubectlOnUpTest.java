package dev.berth.up;

import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.kubectl.KubectlContract;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The first hour on what {@code berth up} starts, with real kubectl. It needs no real control plane but its kubectl. */
@OnRealControlPlane
@OnStages(Stage.SANDBOX)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KubectlOnUpTest extends KubectlContract {
    private LocalCluster.Running cluster;
    private Kubectl kubectl;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        cluster =
                LocalCluster.start(LocalCluster.Options.of(3, new NodeSize("8", "32Gi", 110)), InstantSource.system());
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
        kubectl = new Kubectl(ControlPlaneBinaries.find().command("kubectl"), kubeconfig, folder);
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
