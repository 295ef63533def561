package dev.berth.http.globalreserve;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Reserve API byte for byte, as its callers see it. */
class ReserveEndpointsTest {
    private static final int MOST_BYTES = 50_000;
    private static final String POD = """
            {"metadata":{"name":"%s","namespace":"ns1","uid":"u-%s","annotations":{"who":"Jürgen"}},
             "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1","memory":"1000"}}}]},
             "status":{"phase":"Pending"}}""";

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private FakeReserveCluster cluster;
    private HttpListener listener;

    @BeforeEach
    void start() throws Exception {
        cluster = new FakeReserveCluster(
                        aNode("node0").with("2 cpu", "5000 memory", "10 pods").build())
                .listed();
        Router router = new ReserveEndpoints(cluster.pool(), new JsonPodReader()::read).addTo(new Router());
        listener = HttpListener.start(
                "test-reserve",
                ListenerSettings.of(ListenerSettings.LOOPBACK, 0).withMaxBodyBytes(MOST_BYTES),
                router,
                new ByteBudget(10_000_000));
    }

    @AfterEach
    void end() {
        listener.close();
        cluster.close();
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(listener.url() + path))
                .timeout(Duration.ofSeconds(10))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String reserve(String body) throws Exception {
        HttpResponse<String> response = send("POST", "/reserve", body);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(response.body()).endsWith("}\n");
        return response.body().stripTrailing();
    }

    private static String pod(String name) {
        return POD.formatted(name, name);
    }

    private static String request(String pods, String nodes) {
        return "{\"Pods\":[%s],\"Nodes\":[%s],\"SchedulerName\":\"my-batch-scheduler\"}".formatted(pods, nodes);
    }

    @Test
    void responsesEqualThoseOfKubeGlobalreserve() throws Exception {
        String n0 = "\"node0\"";
        assertThat(reserve(request(pod("pod0") + "," + pod("pod1") + "," + pod("pod2"), String.join(",", n0, n0, n0))))
                .isEqualTo(
                        "{\"FailedPods\":[\"pod2\"],\"Error\":\"Node does not have enough resource\",\"Details\":[\"Pod"
                                + " ns1/pod2 does not fit on node node0: Insufficient cpu: 1 more needed, 0 free (allocatable 2,"
                                + " used 0, held 0, used by other pods of this group 2)\"]}");
        assertThat(reserve(request(pod("pod3"), "\"node9\"")))
                .isEqualTo(
                        "{\"FailedPods\":[\"pod3\"],\"Error\":\"Node does not exist\",\"Details\":[\"Pod ns1/pod3 cannot be placed: node node9 does not exist\"]}");
        assertThat(reserve("{\"Pods\":[%s],\"Nodes\":[%s]}".formatted(pod("pod0"), n0)))
                .isEqualTo("{\"FailedPods\":null,\"Error\":\"Scheduler name is not specified\"}");
        assertThat(reserve("")).isEqualTo("{\"FailedPods\":null,\"Error\":\"EOF\"}");
        assertThat(reserve(request(pod("pod0"), n0))).isEqualTo("{\"FailedPods\":[],\"Error\":\"\"}");
        assertThat(reserve(request("", ""))).isEqualTo("{\"FailedPods\":[],\"Error\":\"\"}");
        assertThat(cluster.objects()).containsExactly("ns1/pod0 on node0");
    }

    @Test
    void keysAreReadInAnyCaseAndUnknownOnesSkipped() throws Exception {
        String body = "{\"Ünknown\":[{\"a\":[1]}],\"pods\":[%s],\"NODES\":[\"node0\"],\"schedulername\":\"s\"} trailing"
                .formatted(pod("pod0"));

        assertThat(reserve(body)).isEqualTo("{\"FailedPods\":[],\"Error\":\"\"}");
    }

    @Test
    void malformedBodiesAreRejectedWithAReason() throws Exception {
        assertThat(reserve(request(pod("pod0"), "")))
                .contains("Pods has 1 entries and Nodes 0: each pod needs its node at the same index");
        assertThat(reserve(request("null", "\"node0\""))).contains("Pods[0] (null) must be a pod");
        assertThat(reserve(request(pod("pod0"), "7"))).contains("Nodes[0] (7) must be a name");
        assertThat(reserve(request(POD.formatted("p", "").replace("u-", ""), "\"node0\"")))
                .contains("Pods[0]: metadata.uid is empty");
        assertThat(reserve(request(pod("p").replace("\"1\"", "\"much\""), "\"node0\"")))
                .contains("Pods[0]: ")
                .contains("much");
        assertThat(reserve("[]")).contains("The body ([) must be an object with Pods, Nodes and SchedulerName");
        assertThat(reserve("{\"Pods\":[{]}"))
                .isEqualTo("{\"FailedPods\":null,\"Error\":\"The body is not valid JSON at line 1, column 11:"
                        + " another closing bracket or brace must be here\"}");
        assertThat(reserve("{\"Other\":" + "[".repeat(101)))
                .contains("objects and arrays must not be nested deeper than 100 levels");
        assertThat(reserve("{\"SchedulerName\":" + "1".repeat(101) + "}"))
                .contains("a number must not have more than 100 digits");
        assertThat(reserve("{\"Pods\":[],\"Nodes\":[" + "\"a\",".repeat(10_001) + "\"a\"]}"))
                .contains("Nodes has more than 10000 entries");
        assertThat(reserve("{\"Pods\":\"" + "x".repeat(MOST_BYTES) + "\"}"))
                .isEqualTo(
                        "{\"FailedPods\":null,\"Error\":\"The body is larger than %d bytes. Maybe split the request\"}"
                                .formatted(MOST_BYTES));
        assertThat(cluster.objects()).isEmpty();
    }

    @Test
    void requestsOfAllContainersAndOverheadAreCounted() throws Exception {
        String big = """
                {"metadata":{"name":"big","namespace":"ns1","uid":"u-big"},
                 "spec":{"overhead":{"cpu":"200m"},
                   "initContainers":[{"name":"i","resources":{"requests":{"cpu":"1900m"}}}],
                   "containers":[{"name":"c","resources":{"requests":{"cpu":"100m"}}}]}}""";

        assertThat(reserve(request(big, "\"node0\""))).contains("Node does not have enough resource");
        assertThat(reserve(request(big.replace("1900m", "1800m"), "\"node0\""))).contains("\"Error\":\"\"");
    }

    @Test
    void unreserveReturnsAnEmptyBodyOnSuccess() throws Exception {
        reserve(request(pod("pod0"), "\"node0\""));

        HttpResponse<String> done = send("POST", "/unreserve", request(pod("pod0"), "\"wrong\""));

        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(done.body()).isEmpty();
        // The reply comes once the release is decided; the hold leaves the ledger once its stored object is deleted.
        cluster.runUntil(
                () -> cluster.snapshot().node("node0").orElseThrow().holds().isEmpty());
        assertThat(cluster.objects()).isEmpty();
        reserve(request(pod("pod0"), "\"node0\""));
        HttpResponse<String> foreign =
                send("POST", "/unreserve", request(pod("pod0"), "\"node0\"").replace("my-batch-scheduler", "other"));
        assertThat(foreign.statusCode()).isEqualTo(200);
        assertThat(foreign.body())
                .isEqualTo(
                        "Not released: Pod ns1/pod0: its place stays, because it was not reserved under the SchedulerName other. Send the SchedulerName that reserved it");
        assertThat(cluster.snapshot().node("node0").orElseThrow().holds()).hasSize(1);
        HttpResponse<String> nameless = send("POST", "/unreserve", "{}");
        assertThat(nameless.statusCode()).isEqualTo(400);
        assertThat(nameless.body()).isEqualTo("Scheduler name is not specified");
        HttpResponse<String> empty = send("POST", "/unreserve", "");
        assertThat(empty.statusCode()).isEqualTo(200);
        assertThat(empty.body()).isEqualTo("EOF");
        assertThat(send("POST", "/unreserve", "x".repeat(MOST_BYTES + 1)).statusCode())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /reserve, 405, Method Not Allowed",
        "OPTIONS, /reserve, 200, ''",
        "POST, /reserve/, 307, ''",
        "POST, /Reserve, 307, ''",
        "POST, /elsewhere, 404, 404 page not found",
        "GET, /, 404, 404 page not found"
    })
    void unknownPathsAndMethodsAreRejected(String method, String path, int status, String body) throws Exception {
        HttpResponse<String> response = send(method, path, "");

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body().strip()).isEqualTo(body);
        if (status == 307) {
            assertThat(response.headers().firstValue("Location")).contains("/reserve");
        }
        if (path.equals("/reserve")) {
            assertThat(response.headers().firstValue("Allow")).contains("POST, OPTIONS");
        }
    }

    @Test
    void aTakenPortIsRefusedAndAClosedOneIsFreeAgain() throws Exception {
        ListenerSettings same = ListenerSettings.of(ListenerSettings.LOOPBACK, listener.port());
        reserve("");

        assertThatThrownBy(() -> HttpListener.start("second", same, new Router(), new ByteBudget(1)))
                .isInstanceOf(BindException.class);
        listener.close();
        HttpListener.start("third", same, new Router(), new ByteBudget(1)).close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("test-reserve")) {
                // A pool says that it has ended a moment before its last thread does.
                thread.join(10_000);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    @Test
    void nonLoopbackAddressesAreRecognized() {
        assertThat(ListenerSettings.of("127.0.0.1", 0).isRemotelyReachable()).isFalse();
        assertThat(ListenerSettings.of("0.0.0.0", 0).isRemotelyReachable()).isTrue();
    }
}
