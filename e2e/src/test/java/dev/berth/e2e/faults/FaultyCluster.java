package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.run.Berth;
import dev.berth.app.run.FreshLedger;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.sandbox.SandboxApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.transport.InProcessTransport;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.testkit.contract.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The embedded server with two nodes of 8 cpus, and Berth, whose calls somebody meddles with. Nobody else's are. */
final class FaultyCluster implements AutoCloseable {
    /** One failure follows another, and nobody should wait long for each. */
    private static final BackoffPolicy SHORT_BACK_OFF =
            new BackoffPolicy(Duration.ofMillis(500), Duration.ofSeconds(2));

    private static final LeaderElection SHORT_RETRY_ELECTION = new LeaderElection(
            "kube-system", "berth", Duration.ofSeconds(13), Duration.ofSeconds(12), Duration.ofMillis(250));

    static final Config CONFIG = new Config(
            Config.DEFAULT.profiles(),
            SHORT_RETRY_ELECTION,
            SHORT_BACK_OFF,
            Config.DEFAULT.bindsInFlight(),
            DoorSettings.DEFAULT.withGlobalReserveApi(GlobalReserveApiSettings.onPort(0)),
            Config.DEFAULT.diagnostics());
    private static final int NODES = 2;

    private final SandboxApiServer server;
    private final DynamicClient client;
    private final SimulatedKubelets.Running kubelets;
    private final ClientConfig access;
    private final Config config;
    private final InstantSource clock;
    private Berth berth;

    FaultyCluster(RequestInterceptor requestInterceptor, InstantSource clock) throws IOException {
        this(requestInterceptor, clock, CONFIG);
    }

    FaultyCluster(RequestInterceptor requestInterceptor, InstantSource clock, Config config) throws IOException {
        this.clock = clock;
        this.config = config;
        server = SandboxApiServer.start(SandboxApiServer.Options.of(InstantSource.system(), new SplittableRandom())
                .withInterceptor(requestInterceptor));
        for (CrdManifest kind : CrdManifest.values()) {
            server.api()
                    .handle(RestRequest.of("POST", RestMapping.CUSTOM_RESOURCE_DEFINITIONS.path())
                            .withBody("application/yaml", kind.yaml().getBytes(StandardCharsets.UTF_8)));
        }
        client = client("user");
        LoopEnvironment nodes = new LoopEnvironment(
                client("kubelets"), InstantSource.system(), new SplittableRandom(), new WakeSignal());
        kubelets = SimulatedKubelets.start(nodes, NodePool.of(NODES, "8", "32Gi", 110), KubeletSettings.DEFAULT, 1);
        access = ClientConfig.withBearerToken(URI.create(server.url()), server.caCertificatePem(), server.token());
        berth = Berth.start(access, config, clock);
    }

    Berth berth() {
        return berth;
    }

    /** What a supervisor does when Berth's process has ended. */
    void restartBerth() {
        berth.close();
        berth = Berth.start(access, config, clock);
    }

    /** Nobody meddles with what is asked by it. */
    DynamicClient client() {
        return client;
    }

    /** What Berth remembers is what one would read who starts now, and nothing is held. */
    void assertLedgerEqualsFreshList() {
        Eventually.holds(() -> {
            Snapshot lived = berth.snapshot();
            assertThat(lived.facts().withoutConfirmed()).isEqualTo(freshLedger().facts());
            assertThat(lived.facts().holds()).isEmpty();
            assertThat(Invariants.check(lived)).isEmpty();
        });
    }

    Snapshot freshLedger() {
        return FreshLedger.read(access, CONFIG);
    }

    void create(String name, String cpu) {
        client.create(RestMapping.PODS, JsonText.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"schedulerName":"berth-scheduler",
                  "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, cpu)));
    }

    void delete(String name) {
        client.delete(RestMapping.PODS.object("default", name), DeleteOptions.DEFAULT);
    }

    /** The pods by name, each with its node and its phase, such as {@code node-0 Running}; empty without a node. */
    Map<String, String> pods() {
        Map<String, String> pods = new TreeMap<>();
        client.list(RestMapping.PODS, ListScope.inNamespace("default"))
                .forEach(pod -> pods.put(
                        pod.path("metadata").path("name").asText(),
                        (pod.path("spec").path("nodeName").asText() + " "
                                        + pod.path("status").path("phase").asText())
                                .replaceFirst("^ .*", "")));
        return pods;
    }

    /** What the pod's condition says of its having no place; empty where it says nothing. */
    String unschedulableMessage(String name) {
        return client.find(RestMapping.PODS.object("default", name))
                .map(pod -> pod.path("status").path("conditions").findParents("reason").stream()
                        .map(condition -> condition.path("message").asText())
                        .findFirst()
                        .orElse(""))
                .orElse("");
    }

    private DynamicClient client(String user) {
        return new DynamicClient(new InProcessTransport(
                server.api(), InstantSource.system(), new UserInfo(user, List.of("system:masters"))));
    }

    @Override
    public void close() {
        berth.close();
        kubelets.close();
        server.close();
    }
}
