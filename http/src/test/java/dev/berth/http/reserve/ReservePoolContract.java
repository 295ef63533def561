package dev.berth.http.reserve;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Phase;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import dev.berth.engine.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every pool does, near or far. */
abstract class ReservePoolContract {
    private static final Node NODE =
            aNode("node0").with("2 cpu", "5000 memory", "10 pods").build();

    private KeepingCluster cluster;
    private ReservePool pool;

    /** The pool of this cluster. */
    abstract ReservePool open(KeepingCluster opened) throws IOException;

    @BeforeEach
    void aClusterWithOneNode() throws Exception {
        cluster = new KeepingCluster(NODE);
        pool = open(cluster);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private static Seat seat(PodBuilder pod, String node) {
        return new Seat(pod.build(), node);
    }

    private static PodBuilder pod(String name) {
        return aPod("ns1/" + name).uid("NS1-" + name).asking("1 cpu", "1000 memory");
    }

    private static ReserveRequest group(Seat... seats) {
        return new ReserveRequest("batch", List.of(seats));
    }

    private Resources free() {
        return cluster.snapshot().node("node0").orElseThrow().free();
    }

    private static void refused(ReserveAnswer answer, String error, String... pods) {
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.understood()).isTrue();
        assertThat(answer.failedPods()).containsExactly(pods);
    }

    @Test
    void whoGivesAPlaceBackCanReserveItsRoomAtOnce() throws Exception {
        cluster.listed();
        pool.reserve(group(seat(pod("pod0"), "node0"), seat(pod("pod1"), "node0")));

        assertThat(pool.unreserve(group(seat(pod("pod0"), "node0"), seat(pod("pod1"), "node0"))))
                .isEqualTo(ReserveAnswer.DONE);

        assertThat(pool.reserve(group(seat(pod("pod2"), "node0"), seat(pod("pod3"), "node0"))))
                .isEqualTo(ReserveAnswer.DONE);
    }

    @Test
    void aGroupThatFitsIsReservedAndWhoHearsOfItFindsItDone() throws Exception {
        cluster.listed();

        ReserveAnswer answer = pool.reserve(group(seat(pod("pod0"), "node0"), seat(pod("pod1"), "node0")));

        assertThat(answer).isEqualTo(ReserveAnswer.DONE);
        assertThat(free()).isEqualTo(amounts("3000 memory", "8 pods"));
        assertThat(cluster.objects()).containsExactly("2 pods on node0");
        assertThat(cluster.snapshot().holdsFor(pod("pod0").build())).hasSize(1);
    }

    @Test
    void aGroupThatDoesNotFitIsRefusedAsAWhole() throws Exception {
        cluster.listed();

        refused(
                pool.reserve(group(seat(pod("pod0"), "node0"), seat(pod("pod1"), "node0"), seat(pod("pod2"), "node0"))),
                "Node does not have enough resource",
                "pod2");
        refused(
                pool.reserve(group(seat(pod("pod0"), "node0"), seat(pod("pod3"), "node1"))),
                "Node does not exist",
                "pod3");

        assertThat(cluster.objects()).isEmpty();
        assertThat(free()).isEqualTo(amounts("2 cpu", "5000 memory", "10 pods"));
    }

    @Test
    void whatIsGivenBackIsFreeOnceItsHoldIsDeleted() throws Exception {
        cluster.listed();
        pool.reserve(group(seat(pod("pod0"), "node0")));
        pool.reserve(group(seat(pod("pod1"), "node0")));

        assertThat(pool.unreserve(group(seat(pod("pod0"), "elsewhere")))).isEqualTo(ReserveAnswer.DONE);

        cluster.until(() -> free().equals(amounts("1 cpu", "4000 memory", "9 pods")));
        assertThat(cluster.objects()).containsExactly("ns1/pod1 on node0");
        assertThat(pool.unreserve(group(seat(pod("nobody"), "node0")))).isEqualTo(ReserveAnswer.DONE);
        assertThat(pool.unreserve(new ReserveRequest("other", List.of(seat(pod("pod1"), "node0"))))
                        .error())
                .startsWith(
                        "Not released: Pod ns1/pod1: its place was reserved under another SchedulerName than other");
        assertThat(free()).isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
    }

    @Test
    void askingAgainIsNoSecondReservation() throws Exception {
        cluster.listed();
        ReserveRequest all = group(seat(pod("pod0").asking("2 cpu"), "node0"));

        assertThat(pool.reserve(all)).isEqualTo(ReserveAnswer.DONE);
        assertThat(pool.reserve(all)).isEqualTo(ReserveAnswer.DONE);

        assertThat(free()).isEqualTo(amounts("5000 memory", "9 pods"));
    }

    @Test
    void hostPortsAndOddAmountsArriveAsTheyAre() throws Exception {
        cluster.listed();

        pool.reserve(group(seat(pod("pod0").asking("1501m cpu", "1234 memory").withHostPort(8080), "node0")));

        assertThat(free()).isEqualTo(amounts("499m cpu", "3766 memory", "9 pods"));
        refused(
                pool.reserve(group(seat(pod("pod1").asking("1m cpu").withHostPort(8080), "node0"))),
                "Node does not have the host port free",
                "pod1");
    }

    @Test
    void nonsenseIsAnsweredInWords() throws Exception {
        cluster.listed();

        assertThat(pool.reserve(new ReserveRequest("", List.of())))
                .isEqualTo(ReserveAnswer.notUnderstood("Scheduler name is not specified"));
        assertThat(pool.unreserve(new ReserveRequest("", List.of())))
                .isEqualTo(ReserveAnswer.notUnderstood("Scheduler name is not specified"));
        refused(
                pool.reserve(group(seat(pod("pod0"), "node0"), seat(pod("pod0"), "node0"))),
                "Pod ns1/pod0: metadata.uid (NS1-pod0) is in the group twice",
                "pod0");
        refused(
                pool.reserve(group(seat(pod("pod0").in(Phase.FAILED), "node0"))),
                "Pod ns1/pod0: status.phase (FAILED) is that of a pod at its end, which needs no room",
                "pod0");
    }

    @Test
    void aBerthThatHasNotReadTheClusterSaysSo() throws Exception {
        ReserveAnswer answer = pool.reserve(group(seat(pod("pod0"), "node0")));

        assertThat(answer.error()).startsWith("Berth is not ready: ");
        assertThat(answer.failedPods()).containsExactly("pod0");
    }

    @Test
    void whatCannotBeWrittenIsNotReserved() throws Exception {
        cluster.listed();
        cluster.answerCreations(new Answer.Denied("no Hold is known here"));

        ReserveAnswer answer = pool.reserve(group(seat(pod("pod0"), "node0")));

        assertThat(answer.error()).contains("no Hold is known here").contains("berth install");
        assertThat(answer.failedPods()).containsExactly("pod0");
        assertThat(free()).isEqualTo(amounts("2 cpu", "5000 memory", "10 pods"));
    }

    @Test
    void aLoopThatEndedIsSaidToHave() throws Exception {
        cluster.listed();
        cluster.close();

        assertThat(pool.reserve(group(seat(pod("pod0"), "node0"))).error()).startsWith("Berth could not decide: ");
    }
}
