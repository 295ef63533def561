package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.app.up.LocalCluster;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.controlplane.Access;
import java.net.URI;
import java.time.InstantSource;

/** A Berth that has read its cluster. */
public final class ReadyBerth {
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/berth";

    private ReadyBerth() {}

    /** As {@link Berth#start}, and waits until Berth has heard of that many nodes. */
    public static Berth start(Access access, Config config, int nodes) throws InterruptedException {
        Berth started = Berth.start(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()), config, InstantSource.system());
        started.awaitReady(nodes);
        return started;
    }

    /**
     * As {@link #start}, after another Berth was killed. The killed Berth left the Lease held. The test releases it, as an
     * administrator can, so that the next Berth does not wait 20 seconds. {@link Takeover} shows the wait.
     */
    public static Berth startAfterKill(Access access, Config config, int nodes) throws InterruptedException {
        new Api(access)
                .patch(LEASE, Api.MERGE_PATCH, "{\"spec\":{\"holderIdentity\":\"\"}}")
                .expect(200);
        return start(access, config, nodes);
    }

    /** How others reach what {@code berth up} started. */
    public static Access access(LocalCluster.Running cluster) {
        return new Access(
                URI.create(cluster.url()),
                cluster.server().authorityPem(),
                cluster.server().token());
    }
}
