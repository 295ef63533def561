package dev.berth.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.run.Berth;
import dev.berth.app.run.BerthProcess;
import dev.berth.app.run.FreshLedger;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.GuardedProcess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
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
@Timeout(300)
class OutagesTest {
    private static final Config PATIENT = Config.DEFAULT.withLeaderElection(new LeaderElection(
            "kube-system", "berth", Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(2)));
    private static final String IN_THE_LEASE = "jsonpath={.spec.holderIdentity} {.spec.leaseTransitions}";

    private final RealCluster cluster = RealCluster.start(NodePlan.nodes(3, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.plane().kubectl();
    private final ClusterAccess access = access(cluster.plane().access());
    private Optional<Berth> berth = Optional.empty();

    private static ClusterAccess access(Access access) {
        return ClusterAccess.byToken(access.url(), access.caPem(), access.token());
    }

    private void berthStarts(Config config) throws InterruptedException {
        Berth started = Berth.start(access, config, InstantSource.system());
        berth = Optional.of(started);
        started.awaitReady(3);
    }

    private void podsAreBeingPlaced() {
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
        Eventually.holds(() -> assertThat(places()).isNotEmpty());
    }

    @AfterEach
    void end() {
        berth.ifPresent(Berth::close);
        cluster.close();
    }

    @Test
    void anApiServerThatIsRestartedCostsNoPodItsPlaceAndTheLeaderNotItsLead() throws InterruptedException {
        berthStarts(PATIENT);
        podsAreBeingPlaced();
        Map<String, String> before = places();
        String led = lease();
        cluster.plane().restartApiServer();
        allIsWell(before);
        assertThat(berth.orElseThrow().broken()).isNotDone();
        assertThat(lease()).isEqualTo(led).endsWith(" 0");
    }

    @Test
    @Tag("long")
    void etcdThatIsDownForHalfAMinuteCostsNoPodItsPlace() throws InterruptedException {
        berthStarts(PATIENT);
        podsAreBeingPlaced();
        Map<String, String> before = places();
        cluster.plane().pauseEtcd();
        for (int fiveSeconds = 0; fiveSeconds < 6; fiveSeconds++) {
            assertThat(kubectl.run("create namespace lost-%d --request-timeout=5s".formatted(fiveSeconds))
                            .exit())
                    .as("nothing can be written")
                    .isNotZero();
        }
        cluster.plane().resumeEtcd();
        allIsWell(before);
        assertThat(berth.orElseThrow().broken())
                .as("a Berth whose Lease outlasts the outage goes on")
                .isNotDone();
    }

    @Test
    @Tag("long")
    void withALeaseEtcdThatIsDownEndsTheProcessAndTheNextOneGoesOn(@TempDir Path folder) throws Exception {
        Path defaults = Files.writeString(folder.resolve("berth.yaml"), "");
        GuardedProcess first = cluster.plane()
                .startBeside("berth-first", BerthProcess.command(cluster.plane().kubeconfig(), defaults));
        Eventually.holds(() -> assertThat(first.said()).contains("Berth is at work: 3 nodes"));
        podsAreBeingPlaced();
        Map<String, String> before = places();
        cluster.plane().pauseEtcd();
        assertThat(first.endsWithin(Duration.ofMinutes(2))).as(first::said).isTrue();
        cluster.plane().resumeEtcd();

        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.said())
                .contains(
                        "the lead by lease kube-system/berth is lost: it could not be renewed for 10000 ms, at last because: ",
                        "Restart Berth");
        berthStarts(Config.DEFAULT);
        allIsWell(before);
        assertThat(lease()).endsWith(" 1");
    }

    private String lease() {
        return kubectl.call("", "get", "lease", "berth", "-n", "kube-system", "-o", IN_THE_LEASE)
                .ok()
                .out();
    }

    private void allIsWell(Map<String, String> before) {
        Eventually.holds(
                () -> kubectl.run("scale deployment many --replicas=80").ok());
        Eventually.holds(() -> assertThat(
                        kubectl.run("get deployment many --no-headers").ok().out())
                .matches("many +80/80 .*\\n"));
        assertThat(places()).hasSize(80).containsAllEntriesOf(before);
        Eventually.holds(() -> {
            Snapshot lived = berth.orElseThrow().snapshot();
            assertThat(lived.facts().shown())
                    .isEqualTo(FreshLedger.read(access, Config.DEFAULT).facts());
            assertThat(Invariants.check(lived)).isEmpty();
        });
    }

    /** The pods that have a node. */
    private Map<String, String> places() {
        String each = "{range .items[*]}{.metadata.name} {.spec.nodeName}{\"\\n\"}{end}";
        Map<String, String> places = new TreeMap<>();
        kubectl.call("", "get", "pods", "-o", "jsonpath=" + each).ok().lines().stream()
                .map(line -> line.split(" "))
                .filter(words -> words.length == 2)
                .forEach(words -> places.put(words[0], words[1]));
        return places;
    }
}
