package dev.berth.e2e.pages;

import dev.berth.app.config.DoorSettings;
import dev.berth.app.run.Berth;
import dev.berth.e2e.run.ReadyBerth;
import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.TempFolders;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** What {@code berth up} starts. */
public final class UpPageCluster implements PageCluster {
    private static final int NODES = 3;

    private final Path folder;
    private final DoorSettings doors;
    private final LocalCluster.Running running;
    private final Kubectl kubectl;
    private Berth berth;

    public UpPageCluster(DoorSettings doors) throws IOException, InterruptedException {
        this.doors = doors;
        running = LocalCluster.start(
                LocalCluster.Options.of(NODES, new NodeSize("8", "32Gi", 110)).withDoors(doors),
                InstantSource.system());
        berth = running.berth();
        folder = Files.createTempDirectory("berth-up");
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), running.kubeconfig());
        kubectl = new Kubectl(ControlPlaneBinaries.find().command("kubectl"), kubeconfig, folder);
    }

    @Override
    public Kubectl kubectl() {
        return kubectl;
    }

    @Override
    public boolean hasForkedApi() {
        return true;
    }

    @Override
    public Berth berth() {
        return berth;
    }

    @Override
    public void restartBerth(Runnable meanwhile) throws InterruptedException {
        berth.kill();
        meanwhile.run();
        berth = ReadyBerth.startAfterKill(ReadyBerth.access(running), PageCluster.config(doors), NODES);
    }

    @Override
    public void close() {
        berth.close();
        running.close();
        TempFolders.deleteRecursively(folder);
    }
}
