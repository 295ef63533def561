package dev.berth.e2e.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.DiagnosticsSettings;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.run.Berth;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.metrics.ExpositionFormat;
import dev.berth.testkit.metrics.ExpositionFormat.Metric;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators ask a Berth that runs. */
@Timeout(180)
class DiagnosticsEndpointsTest {
    private static final Path PAGE = Path.of("..", "docs", "operation.md");
    private static final Pattern ROW =
            Pattern.compile("\\| `([a-z_]+)` \\| (counter|gauge|histogram|summary) \\| ([^|]*) \\|.*");

    private static LocalCluster.Running cluster;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();

    @BeforeAll
    static void start() throws InterruptedException {
        cluster =
                LocalCluster.start(LocalCluster.Options.of(2, new NodeSize("8", "32Gi", 110)), InstantSource.system());
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    private static String url() {
        return cluster.berth().diagnosticsUrl().orElseThrow();
    }

    private HttpResponse<String> get(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(60))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String statusAndBody(String url) {
        try {
            HttpResponse<String> response = get(url);
            return response.statusCode() + " " + response.body();
        } catch (Exception broken) {
            throw new AssertionError(url, broken);
        }
    }

    private ExpositionFormat metrics(String url) {
        return ExpositionFormat.read(statusAndBody(url + "/metrics").replaceFirst("^200 ", ""));
    }

    private static void create(String scheduler, String pod, String cpu, String more) {
        String json = """
                {"metadata":{"name":"%s"},"spec":{"schedulerName":"%s"%s,
                 "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}""".formatted(pod, scheduler, more, cpu);
        BodyResponse bodyResponse = (BodyResponse) cluster.server()
                .api()
                .handle(RestRequest.of("POST", "/api/v1/namespaces/default/pods")
                        .withBody("application/json", json.getBytes(StandardCharsets.UTF_8)));
        assertThat(bodyResponse.code()).isEqualTo(201);
    }

    @Test
    void aRunningBerthIsLiveReadyAndLeading() {
        assertThat(statusAndBody(url() + "/livez")).isEqualTo("200 ok");
        assertThat(statusAndBody(url() + "/healthz")).isEqualTo("200 ok");
        assertThat(statusAndBody(url() + "/readyz")).isEqualTo("200 ok");
        assertThat(statusAndBody(url() + "/leader")).isEqualTo("200 ok");
        assertThat(statusAndBody(url() + "/readyz?verbose")).isEqualTo("""
                200 [+]ping ok
                [+]ledger-loop ok
                [+]api-server ok
                [+]leader-election ok: leading
                [+]cache-sync ok: 2 nodes
                [+]watches ok
                [+]clock ok
                [+]scheduler-leases ok
                [+]writes ok
                readyz check passed
                """);
    }

    @Test
    void metricsCountScheduledPendingAndGatedPods() throws Exception {
        String ours = "berth-scheduler";
        create(ours, "fits", "1", "");
        create(ours, "large", "100", "");
        create(ours, "gated", "1", ",\"schedulingGates\":[{\"name\":\"later\"}]");
        Eventually.holds(() -> {
            ExpositionFormat metrics = metrics(url());
            Metric attempts = metrics.metric("scheduler_schedule_attempts_total");
            assertThat(attempts.value("profile", ours, "result", "scheduled")).isEqualTo(1);
            assertThat(attempts.value("profile", ours, "result", "unschedulable"))
                    .isPositive();
            Metric pending = metrics.metric("scheduler_pending_pods");
            assertThat(pending.value("queue", "unschedulable")).isPositive();
            assertThat(pending.value("queue", "gated")).isEqualTo(1);
            assertThat(pending.value("queue", "active")).isZero();
            assertThat(metrics.metric("scheduler_unschedulable_pods")
                            .value("plugin", "NodeResourcesFit", "profile", ours))
                    .isEqualTo(1);
            assertThat(metrics.metric("scheduler_cache_size").value("type", "nodes"))
                    .isEqualTo(2);
            assertThat(metrics.metric("scheduler_preemption_attempts_total").value())
                    .isPositive();
            assertThat(metrics.metric("leader_election_master_status").value("name", "berth"))
                    .isEqualTo(1);
            assertThat(metrics.metric("rest_client_requests_total").value("method", "POST", "code", "201"))
                    .isPositive();
            assertThat(metrics.metric("process_resident_memory_bytes").value()).isPositive();
        });
        assertThat(get(url() + "/metrics").headers().firstValue("Content-Type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
    }

    @Test
    void theDocumentedMetricsAreExactlyTheExposedOnes() throws Exception {
        create("test-scheduler", "large-too", "100", "");
        create("test-scheduler", "small", "1", "");
        createReservation();
        // More than the node has: an over-committed node has a row.
        annotateNode("\"100\"");
        Map<String, String> told = new TreeMap<>();
        Eventually.holds(() -> {
            metrics(url()).all().forEach(metric -> told.put(metric.name(), metric.type() + " " + metric.labels()));
            assertThat(told.get("scheduler_unschedulable_pods")).contains("plugin");
            assertThat(told.get("scheduler_pod_scheduling_sli_duration_seconds"))
                    .contains("attempts");
            assertThat(told.get("scheduler_reservation_resource")).contains("unit");
            assertThat(overcommittedNodes()).containsExactly(Map.of("node", "node-1"));
        });
        assertThat(told).isEqualTo(documentedMetrics());
        annotateNode("null");
        Eventually.holds(() -> assertThat(overcommittedNodes()).isEmpty());
        // The Reservation is on the node that had room first.
        Eventually.holds(() -> assertThat(statusAndBody(url() + "/apis/v1/plugins/Reservation/nodeReservations/node-1")
                        + statusAndBody(url() + "/apis/v1/plugins/Reservation/nodeReservations/node-0"))
                .contains("{\"name\":\"monitored\",\"uid\":\""));
    }

    private static void createReservation() {
        String json = """
                {"apiVersion":"scheduling.koordinator.sh/v1alpha1","kind":"Reservation","metadata":{"name":"monitored"},
                 "spec":{"owners":[{"object":{"name":"nobody"}}],"template":{"spec":{"schedulerName":"test-scheduler",
                  "containers":[{"name":"c","resources":{"requests":{"cpu":"100m"}}}]}}}}""";
        BodyResponse created = (BodyResponse) cluster.server()
                .api()
                .handle(RestRequest.of("POST", "/apis/scheduling.koordinator.sh/v1alpha1/reservations")
                        .withBody("application/json", json.getBytes(StandardCharsets.UTF_8)));
        assertThat(created.code()).isEqualTo(201);
    }

    private List<Map<String, String>> overcommittedNodes() {
        return metrics(url()).metric("berth_node_overcommitted").samples().stream()
                .map(ExpositionFormat.Sample::labels)
                .toList();
    }

    private static void annotateNode(String cpu) {
        String json = """
                {"metadata":{"annotations":{"reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173":%s}}}""".formatted(cpu);
        BodyResponse bodyResponse = (BodyResponse) cluster.server()
                .api()
                .handle(RestRequest.of("PATCH", "/api/v1/nodes/node-1")
                        .withBody("application/merge-patch+json", json.getBytes(StandardCharsets.UTF_8)));
        assertThat(bodyResponse.code()).isEqualTo(200);
    }

    private static Map<String, String> documentedMetrics() throws Exception {
        Map<String, String> rows = new TreeMap<>();
        Files.readString(PAGE)
                .lines()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .forEach(row -> {
                    Set<String> labels = Pattern.compile("`([a-z]+)`")
                            .matcher(row.group(3))
                            .results()
                            .map(label -> label.group(1))
                            .collect(Collectors.toCollection(TreeSet::new));
                    rows.put(row.group(1), row.group(2) + " " + labels);
                });
        return rows;
    }

    @Test
    void aDoorHasOneNameInConfigMetricsAndDocs() throws Exception {
        Set<String> doors =
                Arrays.stream(DoorId.values()).map(DoorId::text).collect(Collectors.toCollection(TreeSet::new));
        assertThat(doors).allSatisfy(door -> assertThat(DoorId.parse(door)).hasToString(door));
        assertThat(statusAndBody(url() + "/metrics"))
                .contains(doors.stream()
                        .map("berth_hold_claims{door=\"%s\"}"::formatted)
                        .toList());
        String row = Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("| `berth_holds`"))
                .findFirst()
                .orElseThrow();
        assertThat(row).contains(doors.stream().map("`%s`"::formatted).toList());
    }

    /** A Deployment of two would never be rolled out if the one that waits were not ready. */
    @Test
    void aStandbyIsReadyButNotLeader() {
        try (Berth first = replica(DiagnosticsSettings.onPort(0))) {
            String leader = first.diagnosticsUrl().orElseThrow();
            Eventually.holds(() -> assertThat(statusAndBody(leader + "/leader")).isEqualTo("200 ok"));
            try (Berth second = replica(DiagnosticsSettings.onPort(0))) {
                String standby = second.diagnosticsUrl().orElseThrow();
                Eventually.holds(() -> assertThat(statusAndBody(standby + "/readyz?verbose"))
                        .startsWith("200 ")
                        .contains("[+]leader-election ok: standby: ", "[+]cache-sync ok: a standby lists nothing"));
                assertThat(statusAndBody(standby + "/leader")).startsWith("500 [-]leader failed: standby: ");
                assertThat(statusAndBody(standby + "/livez")).isEqualTo("200 ok");
                assertThat(metrics(standby)
                                .metric("leader_election_master_status")
                                .value("name", "replicas"))
                        .isZero();
                assertThat(metrics(standby).metric("berth_cache_synced").value())
                        .isZero();
            }
        }
    }

    @Test
    void aBerthWithoutAnApiServerIsLiveButNotReady() throws Exception {
        Config config = Config.DEFAULT.withDiagnostics(DiagnosticsSettings.onPort(0));
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Berth lost = Berth.start(at(silent), config, InstantSource.system())) {
            String url = lost.diagnosticsUrl().orElseThrow();
            assertThat(statusAndBody(url + "/livez")).isEqualTo("200 ok");
            assertThat(statusAndBody(url + "/readyz"))
                    .startsWith("500 ")
                    .contains("[-]api-server failed: the API server at 127.0.0.1:", "does not answer")
                    .contains("[-]leader-election failed: the leader is not known yet");
        }
    }

    @Test
    void aTakenConfiguredPortFailsAndATakenDefaultPortFallsBack() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = socket.getLocalPort();
            assertThatThrownBy(() ->
                            berth(config(DiagnosticsSettings.onPort(taken))).close())
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("the diagnostics port cannot listen on port " + taken)
                    .hasMessageContaining("diagnostics.port");
            DiagnosticsSettings unchosen = new DiagnosticsSettings(true, "127.0.0.1", taken, true);
            try (Berth elsewhere = berth(config(unchosen))) {
                assertThat(statusAndBody(elsewhere.diagnosticsUrl().orElseThrow() + "/livez"))
                        .isEqualTo("200 ok");
            }
        }
        try (Berth silent = berth(config(new DiagnosticsSettings(false, "127.0.0.1", 0, true)))) {
            assertThat(silent.diagnosticsUrl()).isEmpty();
        }
    }

    private static ClientConfig at(ServerSocket socket) {
        return ClientConfig.withBearerToken(
                URI.create("https://127.0.0.1:" + socket.getLocalPort()),
                cluster.server().caCertificatePem(),
                cluster.server().token());
    }

    private static Berth replica(DiagnosticsSettings diagnostics) {
        return berth(config(diagnostics));
    }

    private static Config config(DiagnosticsSettings diagnostics) {
        LeaderElection usual = Config.DEFAULT.leaderElection();
        return Config.DEFAULT
                .withSchedulerNames(Set.of("replica-scheduler"))
                .withDiagnostics(diagnostics)
                // The Berth of the cluster leads by the usual Lease.
                .withLeaderElection(new LeaderElection(
                        usual.namespace(),
                        "replicas",
                        usual.leaseDuration(),
                        usual.renewDeadline(),
                        usual.retryPeriod()));
    }

    private static Berth berth(Config config) {
        ClientConfig access = ClientConfig.withBearerToken(
                URI.create(cluster.url()),
                cluster.server().caCertificatePem(),
                cluster.server().token());
        return Berth.start(access, config, InstantSource.system());
    }
}
