package dev.berth.http.globalreserve;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that times out gets a rejection, and nothing is reserved. */
@Timeout(60)
class ReserveTimeoutTest {
    private static final Resources ALL = amounts("2 cpu", "10 pods");
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(60);

    private FakeReserveCluster cluster;

    @BeforeEach
    void aClusterWithOneNode() throws Exception {
        cluster = new FakeReserveCluster(aNode("node0").with("2 cpu", "10 pods").build()).listed();
    }

    @AfterEach
    void end() {
        cluster.completeDelayedAnswers();
        cluster.close();
    }

    private static ReserveRequest group() {
        return new ReserveRequest(
                "batch",
                List.of(new ReserveRequest.PodAssignment(
                        aPod("a").asking("1 cpu").build(), "node0")));
    }

    private Resources free() {
        return cluster.snapshot().node("node0").orElseThrow().free();
    }

    @Test
    void aGroupThatIsWrittenAfterTheCallerTimedOutIsReleased() throws Exception {
        cluster.delayAnswers();

        // Long enough for the loop to come to it, mostly; where it is slower nothing is decided at all.
        ReserveResponse answer = cluster.pool(Duration.ofMillis(500)).reserve(group());

        assertThat(answer.error()).isEqualTo("Berth did not decide within 500 ms, and reserved nothing");
        cluster.completeDelayedAnswers();
        cluster.runUntil(() -> cluster.objects().isEmpty() && free().equals(ALL));
    }

    @Test
    void aRequestThatTheLoopReachesAfterTheTimeoutIsSkipped() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        cluster.blockLoop(gate);

        ReserveResponse answer = cluster.pool(SHORT).reserve(group());
        gate.countDown();

        assertThat(answer.succeeded()).isFalse();
        cluster.runTurn();
        assertThat(cluster.objects()).isEmpty();
        assertThat(free()).isEqualTo(ALL);
    }

    @Test
    void anInterruptedCallerReservesNothing() throws Exception {
        cluster.delayAnswers();
        ReserveService patient = cluster.pool(LONG);
        FutureTask<ReserveResponse> call = new FutureTask<>(() -> patient.reserve(group()));
        Thread caller = new Thread(call, "caller");
        caller.start();
        cluster.runUntil(() -> !cluster.objects().isEmpty());

        caller.interrupt();
        caller.join();
        cluster.completeDelayedAnswers();

        cluster.runUntil(() -> cluster.objects().isEmpty() && free().equals(ALL));
    }

    @Test
    void anUnreserveThatTimedOutStillReleases() throws Exception {
        assertThat(cluster.pool(LONG).reserve(group())).isEqualTo(ReserveResponse.SUCCESS);
        CountDownLatch gate = new CountDownLatch(1);
        cluster.blockLoop(gate);

        ReserveResponse answer = cluster.pool(SHORT).unreserve(group());
        gate.countDown();

        assertThat(answer.error())
                .isEqualTo("Berth did not decide within 20 ms. It releases the places as soon as it can");
        cluster.runUntil(() -> cluster.objects().isEmpty() && free().equals(ALL));
    }
}
