package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.config.OperationSettings;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Eventually;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of several Berths the one leads that HTTP callers reach. */
@Timeout(120)
class HttpMemberLeadsTest {
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    @Test
    void aLeaderLetsAMemberLeadThatListensForTheReserveApiAndFollowsIt() throws InterruptedException {
        try (LocalCluster.Running cluster = LocalCluster.start(
                        LocalCluster.Plan.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system());
                Berth plain = start(cluster, "plain", DoorSettings.DEFAULT)) {
            Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("plain is at work")));
            try (Berth reserving =
                    start(cluster, "reserving", DoorSettings.DEFAULT.withReserveApi(ReserveApiSettings.at(0)))) {
                Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("reserving is at work")));
                assertThat(said).anyMatch(words -> words.startsWith("plain lets "));
                assertThat(reserving.snapshot().nodeCount()).isEqualTo(1);
                said.clear();
            }
            Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("plain is at work")));
            assertThat(plain.snapshot().nodeCount()).isEqualTo(1);
            assertThat(plain.broken()).isNotDone();
        }
    }

    @Test
    void aMemberThatWasKilledIsNotGivenTheLeadThatItHad() throws InterruptedException {
        try (LocalCluster.Running cluster = LocalCluster.start(
                        LocalCluster.Plan.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system());
                Berth plain = start(cluster, "plain", DoorSettings.DEFAULT)) {
            Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("plain is at work")));
            Berth reserving =
                    start(cluster, "reserving", DoorSettings.DEFAULT.withReserveApi(ReserveApiSettings.at(0)));
            Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("reserving is at work")));
            said.clear();
            reserving.abandon();
            Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("plain is at work")));
            assertThat(said).as("what the only live Berth does").noneMatch(words -> words.startsWith("plain lets "));
            assertThat(plain.broken()).isNotDone();
        }
    }

    /** Behind a Lease of their own: the Berth of the cluster in a box leads by the usual one. */
    private Berth start(LocalCluster.Running cluster, String name, DoorSettings doors) {
        ClusterAccess access = ClusterAccess.byToken(
                URI.create(cluster.url()),
                cluster.server().authorityPem(),
                cluster.server().token());
        Config config = Config.DEFAULT
                .withSchedulerNames(Set.of(name + "-scheduler"))
                .withDoors(doors)
                .withOperation(new OperationSettings(false, "127.0.0.1", 0, true))
                .withLeaderElection(new LeaderElection(
                        "kube-system", "http", Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1)));
        return Berth.start(access, config, InstantSource.system(), words -> said.add(name + " " + words));
    }
}
