package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.config.LeaderElection;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.testkit.contract.Eventually;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Berth that leads by a Lease loses sight of the API server, for longer than it may or for less. */
@Timeout(180)
class LeaderOutagesTest {
    private static final LeaderElection ELECTION = new LeaderElection(
            "kube-system", "berth", Duration.ofSeconds(9), Duration.ofSeconds(8), Duration.ofSeconds(1));

    private final Outage outage = new Outage();

    @Test
    void aLeaderThatCannotRenewStopsAndTheNextBerthContinues() throws Exception {
        try (FaultyCluster cluster = cluster()) {
            String first = holder(cluster);
            Map<String, String> before = awaitRunning(cluster, 4);

            outage.begin();
            create(cluster, 4, 8);
            Throwable end = cluster.berth().failure().get(60, TimeUnit.SECONDS);
            assertThat(end)
                    .hasMessage(
                            "leadership by lease kube-system/berth is lost: it could not be renewed for 8000 ms; the last error is: 500 InternalError: Internal error occurred: etcdserver: request timed out. Restart Berth, or run it in a Deployment, which restarts it: the next process lists everything and continues");
            assertThat(outage.bindsWithoutResponse())
                    .as("a bind of unknown outcome")
                    .hasSize(1);

            outage.end();
            cluster.delete("p-1");
            create(cluster, 8, 10);
            cluster.restartBerth();
            cluster.berth().awaitReady(2);
            Map<String, String> after = awaitRunning(cluster, 9);

            before.remove("p-1");
            assertThat(after).containsAllEntriesOf(before).doesNotContainKey("p-1");
            assertThat(outage.bound()).hasSize(10).values().containsOnly(1);
            assertThat(holder(cluster)).isNotEqualTo(first);
            assertThat(transitions(cluster)).isEqualTo(1);
            cluster.assertLedgerEqualsFreshList();
        }
    }

    @Test
    void anOutageShorterThanTheRenewDeadlineKeepsTheLeader() throws Exception {
        try (FaultyCluster cluster = cluster()) {
            String leader = holder(cluster);
            awaitRunning(cluster, 4);

            outage.begin();
            create(cluster, 4, 8);
            Eventually.holds(() -> assertThat(outage.renewalsRefused()).isPositive());
            outage.end();

            awaitRunning(cluster, 8);
            cluster.assertLedgerEqualsFreshList();
            assertThat(outage.bound()).hasSize(8).values().containsOnly(1);
            assertThat(cluster.berth().failure()).isNotDone();
            assertThat(holder(cluster)).isEqualTo(leader);
            assertThat(transitions(cluster)).isZero();
        }
    }

    @Test
    void aDeletedLeaseIsRecreated() throws Exception {
        try (FaultyCluster cluster = cluster()) {
            String leader = holder(cluster);
            cluster.client().delete(RestMapping.LEASES.object("kube-system", "berth"), DeleteOptions.DEFAULT);
            Eventually.holds(() -> assertThat(cluster.client().find(RestMapping.LEASES.object("kube-system", "berth")))
                    .isPresent());

            assertThat(holder(cluster)).isEqualTo(leader);
            awaitRunning(cluster, 4);
            assertThat(cluster.berth().failure()).isNotDone();
        }
    }

    /** With a Berth that leads and four pods. */
    private FaultyCluster cluster() throws Exception {
        FaultyCluster cluster =
                new FaultyCluster(outage, InstantSource.system(), FaultyCluster.CONFIG.withLeaderElection(ELECTION));
        cluster.berth().awaitReady(2);
        create(cluster, 0, 4);
        return cluster;
    }

    private static void create(FaultyCluster cluster, int from, int to) {
        for (int i = from; i < to; i++) {
            cluster.create("p-" + i, "1");
        }
    }

    /** Waits until so many pods run, and gives their places. */
    private static Map<String, String> awaitRunning(FaultyCluster cluster, int pods) {
        return Eventually.get(() -> {
            Map<String, String> places = new TreeMap<>(cluster.pods());
            assertThat(places).hasSize(pods);
            assertThat(places.values()).allMatch(place -> place.endsWith(" Running"));
            return places;
        });
    }

    private static String holder(FaultyCluster cluster) {
        return lease(cluster).path("holderIdentity").asText();
    }

    private static int transitions(FaultyCluster cluster) {
        return lease(cluster).path("leaseTransitions").asInt(-1);
    }

    private static JsonNode lease(FaultyCluster cluster) {
        return cluster.client()
                .get(RestMapping.LEASES.object("kube-system", "berth"))
                .path("spec");
    }
}
