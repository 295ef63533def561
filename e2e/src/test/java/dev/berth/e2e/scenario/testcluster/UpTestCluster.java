package dev.berth.e2e.scenario.testcluster;

import dev.berth.app.run.Berth;
import dev.berth.e2e.run.ReadyBerth;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.time.InstantSource;

/** What {@code berth up} starts, with no nodes and another Berth, which runs as on all stages. */
public final class UpTestCluster implements TestCluster {
    private final LocalCluster.Running running;
    private final ApiServerAccess access;
    private final HttpApi api;
    private Berth berth;

    public UpTestCluster() throws InterruptedException {
        running = LocalCluster.start(
                LocalCluster.Options.of(0, new NodeSize("8", "32Gi", 110)).withDoors(DOORS), InstantSource.system());
        access = ReadyBerth.access(running);
        api = new HttpApi(access);
        running.berth().close();
        berth = ReadyBerth.start(access, CONFIG, 0);
    }

    @Override
    public HttpApi api() {
        return api;
    }

    @Override
    public Berth berth() {
        return berth;
    }

    /** There is nothing of Kubernetes here, and it need not be on this machine. */
    @Override
    public void skipIn(String minor, String instead) {}

    @Override
    public void restartBerth() throws InterruptedException {
        berth.kill();
        berth = ReadyBerth.startAfterKill(access, CONFIG, 0);
    }

    @Override
    public void close() {
        berth.close();
        running.close();
    }
}
