package dev.berth.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.DoorSettings;
import dev.berth.app.run.Berth;
import dev.berth.e2e.run.ReadyBerth;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.RealCluster;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** A real control plane with simulated kubelets and Berth in kube-scheduler's place. */
public final class RealPageCluster implements PageCluster {
    private static final int NODES = 3;

    private final RealCluster cluster = RealCluster.start(NodePool.of(NODES, "8", "32Gi", 110), InstantSource.system());
    private final DoorSettings doors;
    private Berth berth;

    public RealPageCluster() throws InterruptedException {
        this(PageCluster.doors(Set.of()));
    }

    public RealPageCluster(DoorSettings doors) throws InterruptedException {
        this.doors = doors;
        List<String> kinds =
                doors.definitions().stream().map(CrdManifest::crdName).toList();
        doors.definitions()
                .forEach(kind -> kubectl().run("apply -f -", kind.yaml()).ok());
        // Asked so, kubectl forgets what it remembered of kinds.
        Eventually.holds(() ->
                assertThat(kubectl().run("api-resources -o name").ok().lines()).containsAll(kinds));
        berth = ReadyBerth.start(cluster.controlPlane().access(), PageCluster.config(doors), NODES);
    }

    @Override
    public Kubectl kubectl() {
        return cluster.controlPlane().kubectl();
    }

    @Override
    public boolean hasForkedApi() {
        return false;
    }

    @Override
    public Berth berth() {
        return berth;
    }

    @Override
    public void restartBerth(Runnable meanwhile) throws InterruptedException {
        berth.kill();
        meanwhile.run();
        berth = ReadyBerth.startAfterKill(cluster.controlPlane().access(), PageCluster.config(doors), NODES);
    }

    @Override
    public void close() {
        berth.close();
        cluster.close();
    }
}
