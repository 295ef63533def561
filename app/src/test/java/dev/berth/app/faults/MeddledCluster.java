package dev.berth.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.app.run.Berth;
import dev.berth.app.run.FreshLedger;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.queue.BackOff;
import dev.berth.embedded.EmbeddedApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.transport.InProcessTransport;
import dev.berth.embedded.http.Meddler;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.rest.Request;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.crd.Definition;
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
final class MeddledCluster implements AutoCloseable {
    /** One failure follows another, and nobody should wait long for each. */
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(500), Duration.ofSeconds(2));

    private static final LeaderElection SOON_TRIED_AGAIN = new LeaderElection(
            "kube-system", "berth", Duration.ofSeconds(13), Duration.ofSeconds(12), Duration.ofMillis(250));

    static final Config CONFIG = new Config(
            Config.DEFAULT.profiles(),
            SOON_TRIED_AGAIN,
            SHORT,
            Config.DEFAULT.bindsInFlight(),
            DoorSettings.DEFAULT.withReserveApi(ReserveApiSettings.at(0)),
            Config.DEFAULT.operation());
    private static final int NODES = 2;

    private final EmbeddedApiServer server;
    private final ApiClient client;
    private final SimulatedKubelets.Running kubelets;
    private final ClusterAccess access;
    private final Config config;
    private final InstantSource clock;
    private Berth berth;

    MeddledCluster(Meddler meddler, InstantSource clock) throws IOException {
        this(meddler, clock, CONFIG);
    }

    MeddledCluster(Meddler meddler, InstantSource clock, Config config) throws IOException {
        this.clock = clock;
        this.config = config;
        server = EmbeddedApiServer.start(EmbeddedApiServer.Options.of(InstantSource.system(), new SplittableRandom())
                .meddledWithBy(meddler));
        for (Definition kind : Definition.values()) {
            server.api()
                    .handle(Request.of("POST", Resource.DEFINITIONS.path())
                            .body("application/yaml", kind.yaml().getBytes(StandardCharsets.UTF_8)));
        }
        client = client("user");
        Environment nodes =
                new Environment(client("kubelets"), InstantSource.system(), new SplittableRandom(), new Bell());
        kubelets = SimulatedKubelets.start(nodes, NodePlan.nodes(NODES, "8", "32Gi", 110), KubeletSettings.DEFAULT, 1);
        access = ClusterAccess.byToken(URI.create(server.url()), server.authorityPem(), server.token());
        berth = Berth.start(access, config, clock);
    }

    Berth berth() {
        return berth;
    }

    /** What a supervisor does when Berth's process has ended. */
    void startBerthAnew() {
        berth.close();
        berth = Berth.start(access, config, clock);
    }

    /** Nobody meddles with what is asked by it. */
    ApiClient client() {
        return client;
    }

    /** What Berth remembers is what one would read who starts now, and nothing is held. */
    void isAsIfListedAnew() {
        Eventually.holds(() -> {
            Snapshot lived = berth.snapshot();
            assertThat(lived.facts().shown()).isEqualTo(freshLedger().facts());
            assertThat(lived.facts().holds()).isEmpty();
            assertThat(Invariants.check(lived)).isEmpty();
        });
    }

    Snapshot freshLedger() {
        return FreshLedger.read(access, CONFIG);
    }

    void create(String name, String cpu) {
        client.create(Resource.PODS, Json.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"schedulerName":"berth-scheduler",
                  "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, cpu)));
    }

    void delete(String name) {
        client.delete(Resource.PODS.at("default", name), DeleteOptions.DEFAULT);
    }

    /** The pods by name, each with its node and its phase, such as {@code node-0 Running}; empty without a node. */
    Map<String, String> pods() {
        Map<String, String> pods = new TreeMap<>();
        client.list(Resource.PODS, Selection.in("default"))
                .forEach(pod -> pods.put(
                        pod.path("metadata").path("name").asText(),
                        (pod.path("spec").path("nodeName").asText() + " "
                                        + pod.path("status").path("phase").asText())
                                .replaceFirst("^ .*", "")));
        return pods;
    }

    /** What the pod's condition says of its having no place; empty where it says nothing. */
    String whyPending(String name) {
        return client.find(Resource.PODS.at("default", name))
                .map(pod -> pod.path("status").path("conditions").findParents("reason").stream()
                        .map(condition -> condition.path("message").asText())
                        .findFirst()
                        .orElse(""))
                .orElse("");
    }

    private ApiClient client(String user) {
        return new ApiClient(new InProcessTransport(
                server.api(), InstantSource.system(), new User(user, List.of("system:masters"))));
    }

    @Override
    public void close() {
        berth.close();
        kubelets.close();
        server.close();
    }
}
