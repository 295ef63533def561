package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DiagnosticsSettings;
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
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The account of {@code berth install} may read the Lease of koord-scheduler, and Berth says if it may not read a Lease. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(240)
final class SchedulerLeasePermissionOnRealTest {
    private static final String NAMES = "schedulerNames: [berth-scheduler, koord-scheduler]\n";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aNameIsServedIfItsLeaseCanBeReadAndOtherwiseReadyzSaysWhatIsMissing() throws IOException {
        try (RealCluster cluster = RealCluster.start(NodePool.of(1, "8", "32Gi", 110), InstantSource.system())) {
            Kubectl kubectl = cluster.controlPlane().kubectl();
            StringWriter installed = new StringWriter();
            Main.commandLine(Map.of()).setOut(new PrintWriter(installed, true)).execute("install");
            kubectl.run("apply -f -", installed.toString()).ok();

            try (Berth berth = start(cluster.controlPlane().access(), kubectl, NAMES)) {
                createPod(kubectl, "served", "koord-scheduler");
                kubectl.run("wait pod/served --for=condition=Ready --timeout=60s")
                        .ok();
                assertThat(berth.failure()).isNotDone();
            }
            String otherLease = NAMES + "schedulerLeases: {koord-scheduler: kube-system/mine}";
            try (Berth berth = start(cluster.controlPlane().access(), kubectl, otherLease)) {
                Eventually.holds(() -> assertThat(readyz(berth))
                        .contains(
                                "[-]scheduler-leases failed",
                                "the Lease kube-system/mine cannot be read",
                                "leases.coordination.k8s.io \"mine\" is forbidden"));
                createPod(kubectl, "not-served", "koord-scheduler");
                createPod(kubectl, "of-another-name", "berth-scheduler");
                kubectl.run("wait pod/of-another-name --for=condition=Ready --timeout=60s")
                        .ok();
                assertThat(kubectl.run("get pod not-served -o jsonpath={.spec.nodeName}")
                                .ok()
                                .out())
                        .isEmpty();
            }
        }
    }

    private Berth start(ApiServerAccess access, Kubectl kubectl, String yaml) throws IOException {
        Config config = ConfigFile.read(Files.writeString(folder.resolve("berth.yaml"), yaml))
                .withDiagnostics(DiagnosticsSettings.onPort(0));
        String token =
                kubectl.run("create token berth -n kube-system").ok().out().strip();
        return Berth.start(
                ClientConfig.withBearerToken(access.url(), access.caPem(), token), config, InstantSource.system());
    }

    private static void createPod(Kubectl kubectl, String name, String scheduler) {
        kubectl.run("create -f -", """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: %s
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: 100m}}}]
                """.formatted(name, scheduler)).ok();
    }

    /** Also the body of a failed check. */
    private static String readyz(Berth berth) {
        URI url = URI.create(berth.diagnosticsUrl().orElseThrow() + "/readyz?verbose");
        try {
            HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
            try (InputStream body =
                    connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        }
    }
}
