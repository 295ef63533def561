package dev.berth.http.reserve;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gives up waiting is told no, and no it is. */
@Timeout(60)
class ImpatientCallerTest {
    private static final Resources ALL = amounts("2 cpu", "10 pods");
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(60);

    private KeepingCluster cluster;

    @BeforeEach
    void aClusterWithOneNode() throws Exception {
        cluster = new KeepingCluster(aNode("node0").with("2 cpu", "10 pods").build()).listed();
    }

    @AfterEach
    void end() {
        cluster.answerWithheld();
        cluster.close();
    }

    private static ReserveRequest group() {
        return new ReserveRequest(
                "batch",
                List.of(new ReserveRequest.Seat(aPod("a").asking("1 cpu").build(), "node0")));
    }

    private Resources free() {
        return cluster.snapshot().node("node0").orElseThrow().free();
    }

    @Test
    void whatIsWrittenAfterTheCallerGaveUpIsTakenBack() throws Exception {
        cluster.withholdAnswers();

        // Long enough for the loop to come to it, mostly; where it is slower nothing is decided at all.
        ReserveAnswer answer = cluster.pool(Duration.ofMillis(500)).reserve(group());

        assertThat(answer.error()).isEqualTo("Berth did not decide within 500 ms, and keeps nothing");
        cluster.answerWithheld();
        cluster.until(() -> cluster.objects().isEmpty() && free().equals(ALL));
    }

    @Test
    void whatTheLoopComesToAfterTheCallerGaveUpIsNotDecidedAtAll() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        cluster.holdLoop(gate);

        ReserveAnswer answer = cluster.pool(SHORT).reserve(group());
        gate.countDown();

        assertThat(answer.done()).isFalse();
        cluster.turn();
        assertThat(cluster.objects()).isEmpty();
        assertThat(free()).isEqualTo(ALL);
    }

    @Test
    void whoIsInterruptedKeepsNothingEither() throws Exception {
        cluster.withholdAnswers();
        ReservePool patient = cluster.pool(LONG);
        FutureTask<ReserveAnswer> call = new FutureTask<>(() -> patient.reserve(group()));
        Thread caller = new Thread(call, "caller");
        caller.start();
        cluster.until(() -> !cluster.objects().isEmpty());

        caller.interrupt();
        caller.join();
        cluster.answerWithheld();

        cluster.until(() -> cluster.objects().isEmpty() && free().equals(ALL));
    }

    @Test
    void whatIsGivenBackTooSlowlyIsGivenBackAllTheSame() throws Exception {
        assertThat(cluster.pool(LONG).reserve(group())).isEqualTo(ReserveAnswer.DONE);
        CountDownLatch gate = new CountDownLatch(1);
        cluster.holdLoop(gate);

        ReserveAnswer answer = cluster.pool(SHORT).unreserve(group());
        gate.countDown();

        assertThat(answer.error()).isEqualTo("Berth did not decide within 20 ms. It gives it back as soon as it can");
        cluster.until(() -> cluster.objects().isEmpty() && free().equals(ALL));
    }
}
