package dev.berth.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.run.Berth;
import dev.berth.app.run.FreshLedger;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real control plane breaks under Berth while it places pods, and comes back. */
@OnRealControlPlane
@Timeout(300)
class OutagesTest {
    private static final Config CONFIG = Config.DEFAULT.alone();

    private final RealCluster cluster = RealCluster.start(NodePlan.nodes(3, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.plane().kubectl();
    private final ClusterAccess access = access(cluster.plane().access());
    private Berth berth;

    private static ClusterAccess access(Access access) {
        return ClusterAccess.byToken(access.url(), access.caPem(), access.token());
    }

    @BeforeEach
    void berthPlacesPods() throws InterruptedException {
        berth = Berth.start(access, CONFIG, InstantSource.system());
        berth.awaitReady(3);
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
        berth.close();
        cluster.close();
    }

    @Test
    void anApiServerThatIsRestartedCostsNoPodItsPlace() {
        Map<String, String> before = places();
        cluster.plane().restartApiServer();
        allIsWell(before);
    }

    @Test
    @Tag("long")
    void etcdThatIsDownForHalfAMinuteCostsNoPodItsPlace() {
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
    }

    private void allIsWell(Map<String, String> before) {
        Eventually.holds(
                () -> kubectl.run("scale deployment many --replicas=80").ok());
        Eventually.holds(() -> assertThat(
                        kubectl.run("get deployment many --no-headers").ok().out())
                .matches("many +80/80 .*\\n"));
        assertThat(places()).hasSize(80).containsAllEntriesOf(before);
        Eventually.holds(() -> {
            Snapshot lived = berth.snapshot();
            assertThat(lived.facts()).isEqualTo(FreshLedger.read(access, CONFIG).facts());
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
