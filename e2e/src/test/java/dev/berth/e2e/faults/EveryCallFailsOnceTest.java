package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Pod;
import dev.berth.client.ReserveRequest;
import dev.berth.client.ReserveResponse;
import dev.berth.testkit.contract.Eventually;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that Berth asks of the API server goes wrong at first: what it lists and watches, each bind, condition, event, Hold. */
@Timeout(180)
class EveryCallFailsOnceTest {
    private static final int PODS = 10;
    private static final ReserveRequest GROUP = new ReserveRequest(
            "batch",
            List.of(new ReserveRequest.PodAssignment(
                    Pod.of("default", "reserved", "uid-reserved").withRequest("cpu", "1"), "node-0")));

    @ParameterizedTest
    @EnumSource
    void noPodIsLostOrBoundTwiceAndTheLedgerEqualsAFreshList(Fault fault) throws Exception {
        FirstCallFails meddler = new FirstCallFails(fault);
        try (FaultyCluster cluster = new FaultyCluster(meddler, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            for (int i = 0; i < PODS; i++) {
                cluster.create("p-" + i, "1");
            }
            cluster.create("giant", "99");

            reserveAndUnreserve(cluster);
            Eventually.holds(() -> assertThat(cluster.pods().values())
                    .filteredOn(place -> place.endsWith(" Running"))
                    .hasSize(PODS));
            Eventually.holds(() -> assertThat(cluster.unschedulableMessage("giant"))
                    .startsWith("0/2 nodes are available: 2 Insufficient cpu"));
            cluster.assertLedgerEqualsFreshList();

            assertThat(meddler.bound()).hasSize(PODS).values().containsOnly(1);
            assertThat(meddler.failed()).contains("POST /api/v1/namespaces/default/pods/p-0/binding");
            assertThat(meddler.failed()).anyMatch(call -> call.startsWith("POST /apis/berth.dev/v1alpha1/storedholds"));
            assertThat(meddler.failed())
                    .anyMatch(call -> call.startsWith("DELETE /apis/berth.dev/v1alpha1/storedholds"));
            assertThat(meddler.failed())
                    .anyMatch(call -> call.startsWith("PATCH /api/v1/namespaces/default/pods/giant"));
        }
    }

    /** A caller whose request failed sends it again. */
    private static void reserveAndUnreserve(FaultyCluster cluster) throws InterruptedException {
        ReserveResponse answer = cluster.berth().reservePool().reserve(GROUP);
        for (int tries = 0; !answer.succeeded() && tries < 5; tries++) {
            answer = cluster.berth().reservePool().reserve(GROUP);
        }
        assertThat(answer).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(cluster.freshLedger().facts().holds())
                .as("what is promised is written")
                .hasSize(1);
        assertThat(cluster.berth().reservePool().unreserve(GROUP)).isEqualTo(ReserveResponse.SUCCESS);
    }
}
