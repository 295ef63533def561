package dev.berth.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.DiagnosticsSettings;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.run.Berth;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.testkit.contract.Eventually;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
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
class LeaderPreferenceTest {
    private final List<String> statusMessages = Collections.synchronizedList(new ArrayList<>());

    @Test
    void aLeaderYieldsToAMemberThatServesTheGlobalReserveApi() throws InterruptedException {
        try (LocalCluster.Running cluster = LocalCluster.start(
                        LocalCluster.Options.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system());
                Berth plain = start(cluster, "plain", DoorSettings.DEFAULT)) {
            Eventually.holds(() -> assertThat(statusMessages).anyMatch(words -> words.startsWith("plain is at work")));
            try (Berth reserving = start(
                    cluster,
                    "reserving",
                    DoorSettings.DEFAULT.withGlobalReserveApi(GlobalReserveApiSettings.onPort(0)))) {
                Eventually.holds(
                        () -> assertThat(statusMessages).anyMatch(words -> words.startsWith("reserving is at work")));
                assertThat(statusMessages).anyMatch(words -> words.startsWith("plain yields to "));
                assertThat(reserving.snapshot().nodeCount()).isEqualTo(1);
                statusMessages.clear();
            }
            Eventually.holds(() -> assertThat(statusMessages).anyMatch(words -> words.startsWith("plain is at work")));
            assertThat(plain.snapshot().nodeCount()).isEqualTo(1);
            assertThat(plain.failure()).isNotDone();
        }
    }

    @Test
    void aLeaderDoesNotYieldToAKilledMember() throws InterruptedException {
        try (LocalCluster.Running cluster = LocalCluster.start(
                        LocalCluster.Options.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system());
                Berth plain = start(cluster, "plain", DoorSettings.DEFAULT)) {
            Eventually.holds(() -> assertThat(statusMessages).anyMatch(words -> words.startsWith("plain is at work")));
            Berth reserving = start(
                    cluster,
                    "reserving",
                    DoorSettings.DEFAULT.withGlobalReserveApi(GlobalReserveApiSettings.onPort(0)));
            Eventually.holds(
                    () -> assertThat(statusMessages).anyMatch(words -> words.startsWith("reserving is at work")));
            statusMessages.clear();
            reserving.kill();
            Eventually.holds(() -> assertThat(statusMessages).anyMatch(words -> words.startsWith("plain is at work")));
            assertThat(statusMessages)
                    .as("what the only live Berth does")
                    .noneMatch(words -> words.startsWith("plain yields to "));
            assertThat(plain.failure()).isNotDone();
        }
    }

    /** Behind a Lease of their own: the Berth of the cluster in a box leads by the usual one. */
    private Berth start(LocalCluster.Running cluster, String name, DoorSettings doors) {
        ClientConfig access = ClientConfig.withBearerToken(
                URI.create(cluster.url()),
                cluster.server().caCertificatePem(),
                cluster.server().token());
        Config config = Config.DEFAULT
                .withSchedulerNames(Set.of(name + "-scheduler"))
                .withDoors(doors)
                .withDiagnostics(new DiagnosticsSettings(false, "127.0.0.1", 0, true))
                .withLeaderElection(new LeaderElection(
                        "kube-system", "http", Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1)));
        return Berth.start(access, config, InstantSource.system(), words -> statusMessages.add(name + " " + words));
    }
}
