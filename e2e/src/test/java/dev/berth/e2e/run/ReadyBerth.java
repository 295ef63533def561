package dev.berth.e2e.run;

import dev.berth.app.config.Config;
import dev.berth.app.run.Berth;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.up.LocalCluster;
import java.net.URI;
import java.time.InstantSource;

/** A Berth that has read its cluster. */
public final class ReadyBerth {
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/berth";

    private ReadyBerth() {}

    /** As {@link Berth#start}, and waits until Berth has heard of that many nodes. */
    public static Berth start(ApiServerAccess access, Config config, int nodes) throws InterruptedException {
        Berth started = Berth.start(
                ClientConfig.withBearerToken(access.url(), access.caPem(), access.token()),
                config,
                InstantSource.system());
        started.awaitReady(nodes);
        return started;
    }

    /**
     * As {@link #start}, after another Berth was killed. The killed Berth left the Lease held. The test releases it, as an
     * administrator can, so that the next Berth does not wait 20 seconds. {@link LeaderTakeover} shows the wait.
     */
    public static Berth startAfterKill(ApiServerAccess access, Config config, int nodes) throws InterruptedException {
        new HttpApi(access)
                .patch(LEASE, HttpApi.MERGE_PATCH, "{\"spec\":{\"holderIdentity\":\"\"}}")
                .expect(200);
        return start(access, config, nodes);
    }

    /** How others reach what {@code berth up} started. */
    public static ApiServerAccess access(LocalCluster.Running cluster) {
        return new ApiServerAccess(
                URI.create(cluster.url()),
                cluster.server().caCertificatePem(),
                cluster.server().token());
    }
}
