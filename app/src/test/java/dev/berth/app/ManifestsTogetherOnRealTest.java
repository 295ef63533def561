package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DiagnosticsSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.app.run.Berth;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manifests of all pages are applied to one cluster, and the Berths that their Deployments describe run: each with
 * the berth.yaml of its ConfigMap and the rights of its ServiceAccount.
 */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(240)
final class ManifestsTogetherOnRealTest {
    private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();
    private static final List<String> MANIFESTS = List.of(
            "globalreserve/deployment/globalreserve-account.yaml",
            "globalreserve/deployment/globalreserve-deployment.yaml",
            "node-annotation/manifests/all-in-one.yaml",
            "devices/deploy/extender.yaml",
            "devices/deploy/deployment.yaml");

    private static final List<String> SCHEDULER_NAMES =
            List.of("berth-scheduler", "extended-resource-scheduler", "globalreserve-scheduler", "test-scheduler");

    private final Map<String, Berth> berths = new TreeMap<>();
    private final Map<String, List<String>> statusMessages = new ConcurrentHashMap<>();

    @Test
    void theBerthsOfAllManifestsHaveOneLeaderThatServesAllNames(@TempDir Path folder) throws IOException {
        try (RealCluster cluster = RealCluster.start(NodePool.of(1, "8", "32Gi", 110), InstantSource.system())) {
            Kubectl kubectl = cluster.controlPlane().kubectl();
            apply(kubectl);
            try {
                startAll(cluster.controlPlane().access(), kubectl, folder);
                awaitOneLeader();
                for (String name : SCHEDULER_NAMES) {
                    assertPodOfSchedulerIsPlaced(kubectl, name);
                }
                awaitOneLeader();
                assertThat(berths.values())
                        .as("no Berth was rejected or ended")
                        .allSatisfy(berth -> assertThat(berth.failure()).isNotDone());
            } finally {
                berths.values().forEach(Berth::close);
            }
        }
    }

    private static void apply(Kubectl kubectl) {
        StringWriter installed = new StringWriter();
        Main.commandLine(Map.of()).setOut(new PrintWriter(installed, true)).execute("install");
        kubectl.run("create namespace globalreserve-test").ok();
        kubectl.run("apply -f -", installed.toString()).ok();
        for (String manifest : MANIFESTS) {
            kubectl.runArguments("", "apply", "-f", EXAMPLES.resolve(manifest).toString())
                    .ok();
        }
    }

    private void startAll(ApiServerAccess access, Kubectl kubectl, Path folder) throws IOException {
        for (JsonNode deployment :
                json(kubectl, "get deployments --all-namespaces").path("items")) {
            String namespace = deployment.at("/metadata/namespace").asText();
            String name = deployment.at("/metadata/name").asText();
            JsonNode pod = deployment.at("/spec/template/spec");
            String map = pod.at("/volumes/0/configMap/name").asText();
            String yaml = json(kubectl, "get configmap %s -n %s".formatted(map, namespace))
                    .at("/data/berth.yaml")
                    .asText();
            Config config = ConfigFile.read(Files.writeString(folder.resolve(name + ".yaml"), yaml));
            start(
                    name,
                    config,
                    access,
                    token(kubectl, pod.path("serviceAccountName").asText(), namespace));
        }
        assertThat(berths).hasSize(4);
        start("default", Config.DEFAULT, access, token(kubectl, "berth", "kube-system"));
    }

    /** All run in this process: the ports are any that are free. */
    private void start(String name, Config config, ApiServerAccess access, String token) {
        Config here = config.withDiagnostics(DiagnosticsSettings.onPort(0));
        if (config.doors().globalReserveApi().enabled()) {
            here = here.withDoors(here.doors().withGlobalReserveApi(GlobalReserveApiSettings.onPort(0)));
        }
        List<String> words = new CopyOnWriteArrayList<>();
        statusMessages.put(name, words);
        berths.put(
                name,
                Berth.start(
                        ClientConfig.withBearerToken(access.url(), access.caPem(), token),
                        here,
                        InstantSource.system(),
                        words::add));
    }

    /** Callers of the Reserve API reach the one Berth that listens for them: that one leads. */
    private void awaitOneLeader() {
        Eventually.holds(() -> {
            Map<String, Boolean> leads = new TreeMap<>();
            statusMessages.forEach(
                    (name, words) -> leads.put(name, lastRole(words).startsWith("is the leader ")));
            assertThat(leads)
                    .as("%s", statusMessages)
                    .isEqualTo(Map.of(
                            "globalreserve-scheduler", true,
                            "test-scheduler", false,
                            "extended-resource-scheduler", false,
                            "extended-resource-controller", false,
                            "default", false));
        });
    }

    private static String lastRole(List<String> words) {
        return words.stream()
                .filter(it ->
                        it.startsWith("is the leader ") || it.startsWith("is standby") || it.startsWith("yields to "))
                .reduce("", (earlier, later) -> later);
    }

    private static void assertPodOfSchedulerIsPlaced(Kubectl kubectl, String scheduler) {
        kubectl.run("create -f -", """
                apiVersion: v1
                kind: Pod
                metadata: {name: of-%s}
                spec:
                  schedulerName: %s
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: 100m}}}]
                """.formatted(scheduler, scheduler)).ok();
        kubectl.run("wait pod/of-%s --for=condition=Ready --timeout=60s".formatted(scheduler))
                .ok();
    }

    private static String token(Kubectl kubectl, String account, String namespace) {
        return kubectl.run("create token %s -n %s".formatted(account, namespace))
                .ok()
                .out()
                .strip();
    }

    private static JsonNode json(Kubectl kubectl, String command) throws IOException {
        return new ObjectMapper()
                .readTree(kubectl.run(command + " -o json").ok().out());
    }
}
