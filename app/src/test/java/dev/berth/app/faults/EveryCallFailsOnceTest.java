package dev.berth.app.faults;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveRequest;
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
            List.of(new ReserveRequest.Seat(aPod("reserved").asking("1 cpu").build(), "node-0")));

    @ParameterizedTest
    @EnumSource
    void afterwardsNoPodIsForgottenOrBoundTwiceAndTheLedgerIsThatOfAFreshList(Fault fault) throws Exception {
        FirstCallFails meddler = new FirstCallFails(fault);
        try (MeddledCluster cluster = new MeddledCluster(meddler, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            for (int i = 0; i < PODS; i++) {
                cluster.create("p-" + i, "1");
            }
            cluster.create("giant", "99");

            reserveAndGiveBack(cluster);
            Eventually.holds(() -> assertThat(cluster.pods().values())
                    .filteredOn(place -> place.endsWith(" Running"))
                    .hasSize(PODS));
            Eventually.holds(() ->
                    assertThat(cluster.whyPending("giant")).startsWith("0/2 nodes are available: 2 Insufficient cpu"));
            cluster.isAsIfListedAnew();

            assertThat(meddler.bound()).hasSize(PODS).values().containsOnly(1);
            assertThat(meddler.failed()).contains("POST /api/v1/namespaces/default/pods/p-0/binding");
            assertThat(meddler.failed()).anyMatch(call -> call.startsWith("POST /apis/berth.dev/v1alpha1/holds"));
            assertThat(meddler.failed()).anyMatch(call -> call.startsWith("DELETE /apis/berth.dev/v1alpha1/holds"));
            assertThat(meddler.failed())
                    .anyMatch(call -> call.startsWith("PATCH /api/v1/namespaces/default/pods/giant"));
        }
    }

    /** Who is refused for what went wrong asks again, as callers do. */
    private static void reserveAndGiveBack(MeddledCluster cluster) throws InterruptedException {
        ReserveAnswer answer = cluster.berth().pool().reserve(GROUP);
        for (int tries = 0; !answer.done() && tries < 5; tries++) {
            answer = cluster.berth().pool().reserve(GROUP);
        }
        assertThat(answer).isEqualTo(ReserveAnswer.DONE);
        assertThat(cluster.freshLedger().facts().holds())
                .as("what is promised is written")
                .hasSize(1);
        assertThat(cluster.berth().pool().unreserve(GROUP)).isEqualTo(ReserveAnswer.DONE);
    }
}
