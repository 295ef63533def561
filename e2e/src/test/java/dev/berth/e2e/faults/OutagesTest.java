package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.run.Berth;
import dev.berth.app.run.FreshLedger;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.e2e.run.BerthProcess;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.ManagedProcess;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real control plane breaks under Berth while it places pods, and comes back. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(300)
class OutagesTest {
    private static final Config LONG_LEASE = Config.DEFAULT.withLeaderElection(new LeaderElection(
            "kube-system", "berth", Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(2)));
    private static final String LEASE_FIELDS = "jsonpath={.spec.holderIdentity} {.spec.leaseTransitions}";

    private final RealCluster cluster = RealCluster.start(NodePool.of(3, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.controlPlane().kubectl();
    private final ClientConfig access = access(cluster.controlPlane().access());
    private Optional<Berth> berth = Optional.empty();

    private static ClientConfig access(ApiServerAccess access) {
        return ClientConfig.withBearerToken(access.url(), access.caPem(), access.token());
    }

    private void startBerth(Config config) throws InterruptedException {
        Berth started = Berth.start(access, config, InstantSource.system());
        berth = Optional.of(started);
        started.awaitReady(3);
    }

    private void createPods() {
        kubectl.run("create -f -", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: many}
                spec:
                  replicas: 60
                  selector: {matchLabels: {app: many}}
                  template:
                    metadata: {labels: {app: many}}
                    spec:
                      schedulerName: berth-scheduler
                      containers: [{name: c, image: nginx}]
                """).ok();
        Eventually.holds(() -> assertThat(nodesByPod()).isNotEmpty());
    }

    @AfterEach
    void end() {
        berth.ifPresent(Berth::close);
        cluster.close();
    }

    @Test
    void anApiServerRestartMovesNoPodAndKeepsTheLeader() throws InterruptedException {
        startBerth(LONG_LEASE);
        createPods();
        Map<String, String> before = nodesByPod();
        String led = lease();
        cluster.controlPlane().restartApiServer();
        assertRecovered(before);
        assertThat(berth.orElseThrow().failure()).isNotDone();
        assertThat(lease()).isEqualTo(led).endsWith(" 0");
    }

    @Test
    @Tag("long")
    void anEtcdOutageOfHalfAMinuteMovesNoPod() throws InterruptedException {
        startBerth(LONG_LEASE);
        createPods();
        Map<String, String> before = nodesByPod();
        cluster.controlPlane().pauseEtcd();
        for (int fiveSeconds = 0; fiveSeconds < 6; fiveSeconds++) {
            assertThat(kubectl.run("create namespace lost-%d --request-timeout=5s".formatted(fiveSeconds))
                            .exit())
                    .as("nothing can be written")
                    .isNotZero();
        }
        cluster.controlPlane().resumeEtcd();
        assertRecovered(before);
        assertThat(berth.orElseThrow().failure())
                .as("a Berth whose Lease outlasts the outage goes on")
                .isNotDone();
    }

    @Test
    @Tag("long")
    void anEtcdOutageLongerThanTheLeaseStopsBerthAndTheNextBerthContinues(@TempDir Path folder) throws Exception {
        Path defaults = Files.writeString(folder.resolve("berth.yaml"), "");
        ManagedProcess first = cluster.controlPlane()
                .startProcess(
                        "berth-first",
                        BerthProcess.command(cluster.controlPlane().kubeconfig(), defaults));
        Eventually.holds(() -> assertThat(first.readLog()).contains("Berth is at work: 3 nodes"));
        createPods();
        Map<String, String> before = nodesByPod();
        cluster.controlPlane().pauseEtcd();
        assertThat(first.waitForExit(Duration.ofMinutes(2))).as(first::readLog).isTrue();
        cluster.controlPlane().resumeEtcd();

        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.readLog())
                .contains(
                        "leadership by lease kube-system/berth is lost: it could not be renewed for 10000 ms; the last error is: ",
                        "Restart Berth");
        startBerth(Config.DEFAULT);
        assertRecovered(before);
        assertThat(lease()).endsWith(" 1");
    }

    private String lease() {
        return kubectl.runArguments("", "get", "lease", "berth", "-n", "kube-system", "-o", LEASE_FIELDS)
                .ok()
                .out();
    }

    private void assertRecovered(Map<String, String> before) {
        Eventually.holds(
                () -> kubectl.run("scale deployment many --replicas=80").ok());
        Eventually.holds(() -> assertThat(
                        kubectl.run("get deployment many --no-headers").ok().out())
                .matches("many +80/80 .*\\n"));
        assertThat(nodesByPod()).hasSize(80).containsAllEntriesOf(before);
        Eventually.holds(() -> {
            Snapshot lived = berth.orElseThrow().snapshot();
            assertThat(lived.facts().withoutConfirmed())
                    .isEqualTo(FreshLedger.read(access, Config.DEFAULT).facts());
            assertThat(Invariants.check(lived)).isEmpty();
        });
    }

    /** The pods that have a node. */
    private Map<String, String> nodesByPod() {
        String each = "{range .items[*]}{.metadata.name} {.spec.nodeName}{\"\\n\"}{end}";
        Map<String, String> places = new TreeMap<>();
        kubectl.runArguments("", "get", "pods", "-o", "jsonpath=" + each).ok().lines().stream()
                .map(line -> line.split(" "))
                .filter(words -> words.length == 2)
                .forEach(words -> places.put(words[0], words[1]));
        return places;
    }
}
