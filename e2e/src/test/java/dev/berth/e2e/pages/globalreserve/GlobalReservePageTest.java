package dev.berth.e2e.pages.globalreserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Pod;
import dev.berth.client.RemoteReservePool;
import dev.berth.client.ReservePool;
import dev.berth.client.ReserveRequest;
import dev.berth.client.ReserveResponse;
import dev.berth.e2e.pages.UserPage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The page of kube-globalreserve. Its example is typed as it stands; then a batch scheduler of our own reserves by curl
 * what it binds afterwards.
 */
final class GlobalReservePageTest extends UserPage {
    private static final String DONE = "{\"FailedPods\":[],\"Error\":\"\"}\n";

    GlobalReservePageTest() {
        super("globalreserve");
    }

    @BeforeEach
    void createNamespace() {
        run("create namespace globalreserve-test").ok();
    }

    @AfterEach
    void deleteEverything() {
        run("delete storedholds --all").ok();
        run("delete pod --all --now").ok();
        run("delete namespace globalreserve-test --timeout=100s").ok();
    }

    @Test
    void theExampleRunsAsPrinted() {
        run("apply -f deployment/globalreserve-account.yaml").ok();
        run("apply -f deployment/globalreserve-deployment.yaml").ok();
        run("apply -f deployment/test.yaml").ok();

        run("rollout status deployment/globalreserve-scheduler -n globalreserve-test --timeout=60s")
                .ok();
        run("rollout status deployment/grtest -n globalreserve-test --timeout=60s")
                .ok();
    }

    @Test
    void aBatchSchedulerReservesAGroupAndBindsIt() throws Exception {
        pod("a", "batch", 5);
        pod("b", "batch", 5);

        assertThat(curl("reserve", group("node-0 node-1", "a", "b"))).isEqualTo(DONE);

        assertThat(run("get sh --no-headers").ok().out())
                .matches("globalreserve-\\S+ +my-batch-scheduler +2 pods on node-0, node-1 +\\S+ +\\S+\\n");
        onNode("stranger", "node-0", 4);
        assertThat(unschedulableMessage("stranger"))
                .containsPattern(
                        "1 Insufficient cpu \\(5 held by StoredHold globalreserve-\\S+ for pod default/a of scheduler my-batch-scheduler until ");
        cluster().restartBerth();
        assertThat(unschedulableMessage("stranger"))
                .as("what was promised outlives Berth")
                .contains("1 Insufficient cpu (5 held by StoredHold globalreserve-");

        bind("a", "node-0");
        bind("b", "node-1");

        assertThat(awaitRunning("a")).isEqualTo("node-0");
        eventually(() -> assertThat(run("get storedholds").ok().out()).isEmpty());
        run("delete pod a --now").ok();
        assertThat(awaitRunning("stranger")).isEqualTo("node-0");
    }

    @Test
    void aGroupThatDoesNotFitIsRefusedAsAWhole() throws Exception {
        pod("a", "batch", 5);
        pod("b", "batch", 5);

        assertThat(curl("reserve", group("node-0 node-0", "a", "b")))
                .startsWith(
                        "{\"FailedPods\":[\"b\"],\"Error\":\"Node does not have enough resource\",\"Details\":[\"Pod default/b"
                                + " does not fit on node node-0: Insufficient cpu: 5 more needed, 3 free (allocatable 8, ")
                .endsWith("]}\n");
        assertThat(curl("reserve", group("node-0 nowhere", "a", "b")))
                .isEqualTo(
                        "{\"FailedPods\":[\"b\"],\"Error\":\"Node does not exist\",\"Details\":[\"Pod default/b cannot be placed: node nowhere does not exist\"]}\n");

        assertThat(run("get storedholds").ok().out()).isEmpty();
    }

    @Test
    void unreservedCapacityIsFreeForAllPods() throws Exception {
        pod("a", "batch", 7);
        assertThat(curl("reserve", group("node-0", "a"))).isEqualTo(DONE);
        assertThat(curl("reserve", group("node-0", "a"))).as("once more").isEqualTo(DONE);
        onNode("stranger", "node-0", 4);
        assertThat(unschedulableMessage("stranger")).contains("Insufficient cpu (7 held by StoredHold globalreserve-");

        assertThat(curl("unreserve", group("node-0", "a").replace("my-batch-scheduler", "schedulername_is_empty")))
                .startsWith(
                        "Not released: Pod default/a: its place stays, because it was not reserved under the SchedulerName");
        cluster().restartBerth();
        assertThat(curl("unreserve", group("node-0", "a").replace("my-batch-scheduler", "other")))
                .as("the name outlives Berth")
                .startsWith("Not released: ");
        assertThat(unschedulableMessage("stranger")).contains("Insufficient cpu (7 held by StoredHold globalreserve-");

        assertThat(curl("unreserve", group("node-2", "a"))).isEmpty();

        assertThat(awaitRunning("stranger")).isEqualTo("node-0");
        eventually(() -> assertThat(run("get storedholds").ok().out()).isEmpty());
    }

    @Test
    void deletingAPodReleasesItsPlace() throws Exception {
        pod("a", "batch", 7);
        assertThat(curl("reserve", group("node-0", "a"))).isEqualTo(DONE);

        run("delete pod a --now").ok();

        eventually(() -> assertThat(run("get storedholds").ok().out()).isEmpty());
    }

    @Test
    void berthPlacesAReservedPodInItsPlace() throws Exception {
        create("gated", "schedulingGates: [{name: example.com/wait}]", 5);
        assertThat(curl("reserve", group("node-2", "gated"))).isEqualTo(DONE);

        run("patch pod gated --type=json -p [{\"op\":\"remove\",\"path\":\"/spec/schedulingGates/0\"}]")
                .ok();

        assertThat(awaitRunning("gated")).isEqualTo("node-2");
        assertThat(jsonPath("get pod gated", "{.metadata.annotations.berth\\.dev/hold}"))
                .isEqualTo("globalreserve/%s/node-2/my-batch-scheduler"
                        .formatted(jsonPath("get pod gated", "{.metadata.uid}")));
        eventually(() -> assertThat(run("get storedholds").ok().out()).isEmpty());
    }

    @Test
    void theJavaClientReservesLocallyAndRemotely() throws Exception {
        pod("late", "batch", 1);
        String uid = jsonPath("get pod late", "{.metadata.uid}");
        ReservePool far = new RemoteReservePool(
                URI.create(cluster().berth().globalReserveUrl().orElseThrow()));
        Pod late = Pod.of("default", "late", uid).withRequest("cpu", "500m").withRequest("memory", "1Gi");
        ReserveRequest request = new ReserveRequest("jvm", List.of(new ReserveRequest.PodAssignment(late, "node-2")));
        assertThat(far.reserve(request)).isEqualTo(ReserveResponse.SUCCESS);

        ReservePool near = cluster().berth().reservePool();
        assertThat(near.unreserve(request)).isEqualTo(ReserveResponse.SUCCESS);

        eventually(() -> assertThat(run("get storedholds").ok().out()).isEmpty());
    }

    @Test
    void malformedRequestsAreRejectedWithAReason() throws Exception {
        pod("a", "batch", 1);
        assertThat(curl("reserve", "")).isEqualTo("{\"FailedPods\":null,\"Error\":\"EOF\"}\n");
        assertThat(curl("reserve", "{}"))
                .isEqualTo("{\"FailedPods\":null,\"Error\":\"Scheduler name is not specified\"}\n");
        assertThat(curl("reserve", group("node-0 node-1", "a"))).contains("Pods has 1 entries and Nodes 2");
        assertThat(run("apply -f -", """
                        apiVersion: berth.dev/v1alpha1
                        kind: StoredHold
                        metadata: {name: odd}
                        spec: {schedulerName: me, requestedAt: "2026-01-01T00:00:00Z", expiresAt: soon, holds: []}
                        """).refused().err()).contains("spec.expiresAt", "spec.holds");
    }

    private void pod(String name, String scheduler, int cpus) {
        create(name, "schedulerName: " + scheduler, cpus);
    }

    private void onNode(String name, String node, int cpus) {
        create(name, "nodeSelector: {kubernetes.io/hostname: %s}".formatted(node), cpus);
    }

    private void create(String name, String how, int cpus) {
        run("create -f -", """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  %s
                  containers: [{name: main, image: nginx, resources: {requests: {cpu: %d}}}]
                """.formatted(name, how, cpus)).ok();
    }

    private String group(String nodes, String... pods) {
        String asTheyAre = List.of(pods).stream()
                .map(pod -> run("get pod %s -o json".formatted(pod)).ok().out())
                .collect(Collectors.joining(","));
        return "{\"Pods\":[%s],\"Nodes\":[\"%s\"],\"SchedulerName\":\"my-batch-scheduler\"}"
                .formatted(asTheyAre, nodes.replace(" ", "\",\""));
    }

    /** As a scheduler binds. */
    private void bind(String pod, String node) {
        run("create --raw /api/v1/namespaces/default/pods/%s/binding -f -".formatted(pod), """
                        {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},"target":{"kind":"Node","name":"%s"}}""".formatted(pod, node))
                .ok();
    }

    private String curl(String path, String body) throws IOException, InterruptedException {
        String url = cluster().berth().globalReserveUrl().orElseThrow() + "/" + path;
        Process curl = new ProcessBuilder("curl", "-sS", "--max-time", "10", "-X", "POST", "--data-binary", "@-", url)
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = curl.getOutputStream()) {
            in.write(body.getBytes(StandardCharsets.UTF_8));
        }
        String answer = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(curl.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(curl.exitValue()).as(answer).isZero();
        return answer;
    }
}
