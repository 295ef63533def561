package dev.berth.testkit.controlplane;

import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.transport.HttpTransport;
import dev.berth.embedded.client.transport.ServerAccess;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import java.time.InstantSource;
import java.util.Random;

/**
 * A whole cluster: a real control plane with its controllers, and simulated kubelets for its nodes. A scheduler is the
 * caller's choice.
 */
public final class RealCluster implements AutoCloseable {

    private static final int WRITERS = 4;

    private final RealControlPlane plane;
    private final ApiClient client;
    private final SimulatedKubelets.Running kubelets;

    private RealCluster(NodePlan nodes, InstantSource clock) {
        plane = RealControlPlane.start(ControlPlaneOptions.bare().withControllers());
        Access access = plane.access();
        client = new ApiClient(new HttpTransport(
                ServerAccess.plain(access.url()).trusting(access.caPem()).withToken(access.token())));
        Environment environment = new Environment(client, clock, new Random(), new Bell());
        kubelets = SimulatedKubelets.start(environment, nodes, KubeletSettings.DEFAULT, WRITERS);
    }

    /**
     * Starts one; its nodes become ready by themselves.
     *
     * @throws MissingControlPlaneException where this machine has none and cannot build one
     */
    public static RealCluster start(NodePlan nodes, InstantSource clock) {
        return new RealCluster(nodes, clock);
    }

    public RealControlPlane plane() {
        return plane;
    }

    @Override
    public void close() {
        kubelets.close();
        client.close();
        plane.close();
    }
}
