package dev.berth.testkit.controlplane;

import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.transport.HttpTransport;
import dev.berth.sandbox.client.transport.RestConfig;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import java.time.InstantSource;
import java.util.Random;

/**
 * A whole cluster: a real control plane with its controllers, and simulated kubelets for its nodes. The caller starts a
 * scheduler.
 */
public final class RealCluster implements AutoCloseable {

    private static final int WRITERS = 4;

    private final RealControlPlane controlPlane;
    private final DynamicClient client;
    private final SimulatedKubelets.Running kubelets;

    private RealCluster(NodePool nodes, InstantSource clock) {
        controlPlane = RealControlPlane.start(ControlPlaneOptions.bare().withControllers());
        ApiServerAccess access = controlPlane.access();
        client = new DynamicClient(new HttpTransport(RestConfig.withoutCredentials(access.url())
                .withCaCertificate(access.caPem())
                .withToken(access.token())));
        LoopEnvironment environment = new LoopEnvironment(client, clock, new Random(), new WakeSignal());
        kubelets = SimulatedKubelets.start(environment, nodes, KubeletSettings.DEFAULT, WRITERS);
    }

    /**
     * Starts a cluster; its nodes become ready by themselves.
     *
     * @throws MissingControlPlaneException if this machine has no control plane and cannot build one
     */
    public static RealCluster start(NodePool nodes, InstantSource clock) {
        return new RealCluster(nodes, clock);
    }

    public RealControlPlane controlPlane() {
        return controlPlane;
    }

    @Override
    public void close() {
        kubelets.close();
        client.close();
        controlPlane.close();
    }
}
