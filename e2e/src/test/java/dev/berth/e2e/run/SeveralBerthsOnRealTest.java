package dev.berth.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.run.Berth;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Berths with different configurations on one cluster are one Berth with standbys. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SeveralBerthsOnRealTest {
    private static final int ROUNDS = 3;

    private final RealCluster cluster = RealCluster.start(NodePool.of(1, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.controlPlane().kubectl();
    private final List<Berth> started = new ArrayList<>();
    private final List<String> statusMessages = Collections.synchronizedList(new ArrayList<>());

    /** The reservation waits for its minute while the first test runs. */
    @BeforeAll
    void createReservation() {
        doors().definitions()
                .forEach(kind -> kubectl.run("apply -f -", kind.yaml()).ok());
        Eventually.holds(() -> reservation("unserved", "gamma-scheduler", "1"));
    }

    @AfterAll
    void end() {
        started.forEach(Berth::close);
        cluster.close();
    }

    @Test
    @Order(1)
    void berthsWithDifferentNamesShareOneLedgerAndServeAllNames(@TempDir Path folder) throws Exception {
        Berth alpha = start("alpha", configFor("alpha-scheduler"));
        Eventually.holds(() -> assertThat(statusMessages).anyMatch(words -> words.startsWith("alpha is at work")));

        // Another Berth's names are served, and no pod is placed in room that is held for the first one's.
        Eventually.holds(() -> reservation("held", "alpha-scheduler", "7"));
        Eventually.holds(() ->
                assertThat(jsonPath("reservation held", "{.status.phase}")).isEqualTo("Available"));
        start("beta", configFor("beta-scheduler"));
        pod("large", "beta-scheduler", "6", "");
        pod("small", "beta-scheduler", "500m", "");
        Eventually.holds(
                () -> assertThat(jsonPath("pod small", "{.spec.nodeName}")).isEqualTo("node-0"));
        Eventually.holds(() -> assertThat(jsonPath("pod large", "{.status.conditions[0].message}"))
                .contains("Reservation held"));
        assertThat(statusMessages).anyMatch(words -> words.contains("beta is standby: "));
        assertOneDeviceGoesToOnePod();

        // What contradicts is rejected at start.
        Berth contradicting = start(
                "other",
                ConfigFile.read(Files.writeString(folder.resolve("berth.yaml"), """
                profiles:
                - schedulerName: alpha-scheduler
                  plugins: {score: {disabled: [{name: ImageLocality}]}}
                """))
                        .withDoors(doors()));
        assertThat(contradicting.failure().get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        UserError.class, error -> assertThat(error.exitCode()).isEqualTo(2))
                .hasMessageContaining("(lease berth-member-0)")
                .hasMessageContaining("the profile of schedulerName (alpha-scheduler) differs");

        // The standby takes over. The names of the one that ended are served again once a Berth has them.
        alpha.close();
        started.remove(alpha);
        Eventually.holds(() -> assertThat(statusMessages).anyMatch(words -> words.startsWith("beta is at work")));
        pod("early", "alpha-scheduler", "100m", "");
        pod("late", "beta-scheduler", "100m", "");
        Eventually.holds(
                () -> assertThat(jsonPath("pod late", "{.spec.nodeName}")).isEqualTo("node-0"));
        assertThat(jsonPath("pod early", "{.spec.nodeName}")).isEmpty();
        start("successor", configFor("alpha-scheduler"));
        Eventually.holds(
                () -> assertThat(jsonPath("pod early", "{.spec.nodeName}")).isEqualTo("node-0"));
        assertThat(jsonPath("pod large", "{.spec.nodeName}")).isEmpty();
        kubectl.run("delete reservation held").ok();
        kubectl.run("delete pod large --force --grace-period=0").ok();
    }

    private void assertOneDeviceGoesToOnePod() {
        kubectl.run("apply -f -", """
                apiVersion: extensions.berth.dev/v1alpha1
                kind: ExtendedResource
                metadata: {name: gpu-0}
                spec:
                  rawResourceName: nvidia.com-gpu
                  deviceID: gpu-0
                  properties: {type: k80}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-0]}]
                """).ok();
        claim("for-alpha");
        claim("for-beta");
        String device = "extendedresources.extensions.berth.dev gpu-0";
        for (int round = 0; round < ROUNDS; round++) {
            Eventually.holds(
                    () -> assertThat(jsonPath(device, "{.status.phase}")).isEqualTo("Available"));
            pods(
                    podYaml("device-alpha", "alpha-scheduler", "10m", "for-alpha"),
                    podYaml("device-beta", "beta-scheduler", "10m", "for-beta"));
            Eventually.holds(() -> assertThat(List.of(outcome("device-alpha"), outcome("device-beta")))
                    .as("one pod has the device, the other one waits for it")
                    .containsExactlyInAnyOrder("True node-0", "False "));
            String winner = outcome("device-alpha").startsWith("True") ? "device-alpha" : "device-beta";
            String waiter = winner.equals("device-alpha") ? "device-beta" : "device-alpha";
            kubectl.run("delete pod %s --force --grace-period=0".formatted(winner))
                    .ok();
            Eventually.holds(() -> assertThat(outcome(waiter)).isEqualTo("True node-0"));
            kubectl.run("delete pod %s --force --grace-period=0".formatted(waiter))
                    .ok();
        }
    }

    /** Whether the pod is scheduled, and where. */
    private String outcome(String pod) {
        return jsonPath("pod " + pod, "{.status.conditions[?(@.type=='PodScheduled')].status} {.spec.nodeName}");
    }

    @Test
    @Order(2)
    void aReservationThatNoBerthServesIsReportedInAConditionAndAnEventAndPlacedOnceItIsServed() {
        start("delta", configFor("delta-scheduler"));
        Eventually.holds(() -> assertThat(jsonPath(
                        "reservation unserved", "{.status.conditions[0].reason} {.status.conditions[0].message}"))
                .startsWith("SchedulerNotServed no Berth serves schedulerName (gamma-scheduler)")
                .contains("delta-scheduler"));
        Eventually.holds(
                () -> assertThat(kubectl.run("get events --all-namespaces").ok().lines())
                        .anyMatch(line -> line.contains("Warning")
                                && line.contains("SchedulerNotServed")
                                && line.contains("reservation/unserved")
                                && line.contains("no Berth serves schedulerName (gamma-scheduler)")));
        assertThat(jsonPath("reservation unserved", "{.status.phase} {.status.nodeName}"))
                .isEqualTo("Pending ");

        start("gamma", configFor("gamma-scheduler"));
        Eventually.holds(() ->
                assertThat(jsonPath("reservation unserved", "{.status.phase}")).isEqualTo("Available"));
        kubectl.run("delete reservation unserved").ok();
    }

    private static Config configFor(String name) {
        return Config.DEFAULT.withSchedulerNames(Set.of(name)).withDoors(doors());
    }

    private static DoorSettings doors() {
        return DoorSettings.DEFAULT.withDisabled(Set.of(DoorId.GODEL, DoorId.GLOBALRESERVE));
    }

    private Berth start(String name, Config config) {
        ApiServerAccess access = cluster.controlPlane().access();
        Berth berth = Berth.start(
                ClientConfig.withBearerToken(access.url(), access.caPem(), access.token()),
                config,
                InstantSource.system(),
                words -> statusMessages.add(name + " " + words));
        started.add(berth);
        return berth;
    }

    private void reservation(String name, String scheduler, String cpu) {
        kubectl.run("apply -f -", """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata: {name: %s}
                spec:
                  template:
                    spec:
                      schedulerName: %s
                      containers: [{name: c, resources: {requests: {cpu: "%s"}}}]
                  owners: [{labelSelector: {matchLabels: {app: none}}}]
                """.formatted(name, scheduler, cpu)).ok();
    }

    private void claim(String name) {
        kubectl.run("apply -f -", """
                apiVersion: extensions.berth.dev/v1alpha1
                kind: ExtendedResourceClaim
                metadata: {name: %s, namespace: default}
                spec:
                  rawResourceName: nvidia.com-gpu
                  metadataRequirements: {matchLabels: {type: k80}}
                  extendResourceNum: 1
                """.formatted(name)).ok();
    }

    private void pod(String name, String scheduler, String cpu, String claim) {
        pods(podYaml(name, scheduler, cpu, claim));
    }

    private void pods(String... yaml) {
        kubectl.run("apply -f -", String.join("---\n", yaml)).ok();
    }

    private static String podYaml(String name, String scheduler, String cpu, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, annotations: {%s}}
                spec:
                  schedulerName: %s
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: "%s"}}}]
                """.formatted(
                        name, claim.isEmpty() ? "" : "berth.dev/extended-resource-claims: " + claim, scheduler, cpu);
    }

    private String jsonPath(String object, String field) {
        int blank = object.indexOf(' ');
        return kubectl.runArguments(
                        "", "get", object.substring(0, blank), object.substring(blank + 1), "-o", "jsonpath=" + field)
                .ok()
                .out();
    }
}
