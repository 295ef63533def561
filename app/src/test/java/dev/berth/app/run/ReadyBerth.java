package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.app.up.LocalCluster;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.controlplane.Access;
import java.net.URI;
import java.time.InstantSource;

/** A Berth that has read its cluster. */
public final class ReadyBerth {
    private ReadyBerth() {}

    /** As {@link Berth#start}, and waits until Berth has heard of that many nodes. */
    public static Berth start(Access access, Config config, int nodes) throws InterruptedException {
        Berth started = Berth.start(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()), config, InstantSource.system());
        started.awaitReady(nodes);
        return started;
    }

    /** How others reach what {@code berth up} started. */
    public static Access access(LocalCluster.Running cluster) {
        return new Access(
                URI.create(cluster.url()),
                cluster.server().authorityPem(),
                cluster.server().token());
    }
}
