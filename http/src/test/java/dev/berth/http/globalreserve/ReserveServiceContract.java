package dev.berth.http.globalreserve;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import dev.berth.engine.WriteResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every pool does, near or far. */
abstract class ReserveServiceContract {
    private static final Node NODE =
            aNode("node0").with("2 cpu", "5000 memory", "10 pods").build();

    private FakeReserveCluster cluster;
    private ReserveService pool;

    /** The pool of this cluster. */
    abstract ReserveService open(FakeReserveCluster opened) throws IOException;

    @BeforeEach
    void aClusterWithOneNode() throws Exception {
        cluster = new FakeReserveCluster(NODE);
        pool = open(cluster);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private static PodAssignment assignment(PodBuilder pod, String node) {
        return new PodAssignment(pod.build(), node);
    }

    private static PodBuilder pod(String name) {
        return aPod("ns1/" + name).uid("NS1-" + name).asking("1 cpu", "1000 memory");
    }

    private static ReserveRequest group(PodAssignment... podAssignments) {
        return new ReserveRequest("batch", List.of(podAssignments));
    }

    private Resources free() {
        return cluster.snapshot().node("node0").orElseThrow().free();
    }

    private static void refused(ReserveResponse answer, String error, String... pods) {
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.requestValid()).isTrue();
        assertThat(answer.failedPods()).containsExactly(pods);
    }

    @Test
    void unreservedCapacityCanBeReservedAtOnce() throws Exception {
        cluster.listed();
        pool.reserve(group(assignment(pod("pod0"), "node0"), assignment(pod("pod1"), "node0")));

        assertThat(pool.unreserve(group(assignment(pod("pod0"), "node0"), assignment(pod("pod1"), "node0"))))
                .isEqualTo(ReserveResponse.SUCCESS);

        assertThat(pool.reserve(group(assignment(pod("pod2"), "node0"), assignment(pod("pod3"), "node0"))))
                .isEqualTo(ReserveResponse.SUCCESS);
    }

    @Test
    void aGroupThatFitsIsHeldWhenTheCallerGetsTheResponse() throws Exception {
        cluster.listed();

        ReserveResponse answer =
                pool.reserve(group(assignment(pod("pod0"), "node0"), assignment(pod("pod1"), "node0")));

        assertThat(answer).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(free()).isEqualTo(amounts("3000 memory", "8 pods"));
        assertThat(cluster.objects()).containsExactly("2 pods on node0");
        assertThat(cluster.snapshot().holdsFor(pod("pod0").build())).hasSize(1);
    }

    @Test
    void aGroupThatDoesNotFitIsRefusedAsAWhole() throws Exception {
        cluster.listed();

        refused(
                pool.reserve(group(
                        assignment(pod("pod0"), "node0"),
                        assignment(pod("pod1"), "node0"),
                        assignment(pod("pod2"), "node0"))),
                "Node does not have enough resource",
                "pod2");
        refused(
                pool.reserve(group(assignment(pod("pod0"), "node0"), assignment(pod("pod3"), "node1"))),
                "Node does not exist",
                "pod3");

        assertThat(cluster.objects()).isEmpty();
        assertThat(free()).isEqualTo(amounts("2 cpu", "5000 memory", "10 pods"));
    }

    @Test
    void unreservedCapacityIsFreeOnceItsHoldIsDeleted() throws Exception {
        cluster.listed();
        pool.reserve(group(assignment(pod("pod0"), "node0")));
        pool.reserve(group(assignment(pod("pod1"), "node0")));

        assertThat(pool.unreserve(group(assignment(pod("pod0"), "elsewhere")))).isEqualTo(ReserveResponse.SUCCESS);

        cluster.runUntil(() -> free().equals(amounts("1 cpu", "4000 memory", "9 pods")));
        assertThat(cluster.objects()).containsExactly("ns1/pod1 on node0");
        assertThat(pool.unreserve(group(assignment(pod("nobody"), "node0")))).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(pool.unreserve(new ReserveRequest("other", List.of(assignment(pod("pod1"), "node0"))))
                        .error())
                .startsWith(
                        "Not released: Pod ns1/pod1: its place stays, because it was not reserved under the SchedulerName other");
        assertThat(free()).isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
    }

    @Test
    void reservingAgainHoldsOnePlace() throws Exception {
        cluster.listed();
        ReserveRequest all = group(assignment(pod("pod0").asking("2 cpu"), "node0"));

        assertThat(pool.reserve(all)).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(pool.reserve(all)).isEqualTo(ReserveResponse.SUCCESS);

        assertThat(free()).isEqualTo(amounts("5000 memory", "9 pods"));
    }

    @Test
    void hostPortsAndOddAmountsArriveAsTheyAre() throws Exception {
        cluster.listed();

        pool.reserve(
                group(assignment(pod("pod0").asking("1501m cpu", "1234 memory").withHostPort(8080), "node0")));

        assertThat(free()).isEqualTo(amounts("499m cpu", "3766 memory", "9 pods"));
        refused(
                pool.reserve(group(assignment(pod("pod1").asking("1m cpu").withHostPort(8080), "node0"))),
                "Node does not have the host port free",
                "pod1");
    }

    @Test
    void malformedRequestsAreRejectedWithAReason() throws Exception {
        cluster.listed();

        assertThat(pool.reserve(new ReserveRequest("", List.of())))
                .isEqualTo(ReserveResponse.invalidRequest("Scheduler name is not specified"));
        assertThat(pool.unreserve(new ReserveRequest("", List.of())))
                .isEqualTo(ReserveResponse.invalidRequest("Scheduler name is not specified"));
        refused(
                pool.reserve(group(assignment(pod("pod0"), "node0"), assignment(pod("pod0"), "node0"))),
                "Pod ns1/pod0: metadata.uid (NS1-pod0) occurs twice in the group",
                "pod0");
        refused(
                pool.reserve(group(assignment(pod("pod0").in(PodPhase.FAILED), "node0"))),
                "Pod ns1/pod0: status.phase (FAILED): the pod has finished and needs no place",
                "pod0");
    }

    @Test
    void aRequestBeforeTheClusterIsListedIsRejectedAsNotReady() throws Exception {
        ReserveResponse answer = pool.reserve(group(assignment(pod("pod0"), "node0")));

        assertThat(answer.error()).startsWith("Berth is not ready: ");
        assertThat(answer.failedPods()).containsExactly("pod0");
    }

    @Test
    void aGroupThatCannotBeWrittenIsNotReserved() throws Exception {
        cluster.listed();
        cluster.answerCreatesWith(new WriteResponse.Denied("no Hold is known here"));

        ReserveResponse answer = pool.reserve(group(assignment(pod("pod0"), "node0")));

        assertThat(answer.error()).contains("no Hold is known here").contains("berth install");
        assertThat(answer.failedPods()).containsExactly("pod0");
        assertThat(free()).isEqualTo(amounts("2 cpu", "5000 memory", "10 pods"));
    }

    @Test
    void aRequestAfterTheLoopEndedIsRejected() throws Exception {
        cluster.listed();
        cluster.close();

        assertThat(pool.reserve(group(assignment(pod("pod0"), "node0"))).error())
                .startsWith("Berth could not decide: ");
    }
}
