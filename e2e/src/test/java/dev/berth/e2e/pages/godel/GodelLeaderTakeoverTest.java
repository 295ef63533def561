package dev.berth.e2e.pages.godel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.DiagnosticsSettings;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.LeaderElection;
import dev.berth.app.run.Berth;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pod that is deleted while nobody leads leaves its place to its successor all the same. A StatefulSet that is deleted
 * then leaves no place behind, and a pod that is created then is told what is wrong with it.
 */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(180)
class GodelLeaderTakeoverTest {
    private static final int NODES = 1;
    private static final String RESERVATIONS = "reservations.scheduling.godel.kubewharf.io";
    private static final Config CONFIG = new Config(
            Profiles.forSchedulers(Set.of("takeover-scheduler"), Profile.DEFAULT),
            new LeaderElection(
                    "kube-system", "return", Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1)),
            BackoffPolicy.DEFAULT,
            64,
            DoorSettings.DEFAULT.withGodelReservationTtl(Duration.ofSeconds(120)),
            DiagnosticsSettings.DEFAULT);

    @Test
    void aPodDeletedWhileNoBerthLeadsLeavesItsPlaceToItsSuccessorOnTheSandbox(@TempDir Path folder) throws Exception {
        try (LocalCluster.Running running = LocalCluster.start(
                LocalCluster.Options.of(NODES, new NodeSize("8", "32Gi", 110)), InstantSource.system())) {
            running.berth().kill();
            Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), running.kubeconfig());
            ClientConfig access = ClientConfig.withBearerToken(
                    URI.create(running.url()),
                    running.server().caCertificatePem(),
                    running.server().token());
            takeOver(access, new Kubectl(ControlPlaneBinaries.find().command("kubectl"), kubeconfig, folder), () -> {});
        }
    }

    @Test
    void aPodDeletedWhileNoBerthLeadsLeavesItsPlaceToItsSuccessorOnARealControlPlane() throws Exception {
        try (RealCluster cluster = RealCluster.start(NodePool.of(NODES, "8", "32Gi", 110), InstantSource.system())) {
            ApiServerAccess access = cluster.controlPlane().access();
            Kubectl kubectl = cluster.controlPlane().kubectl();
            for (CrdManifest kind : List.of(CrdManifest.GODEL_RESERVATIONS, CrdManifest.CHECKPOINTS)) {
                kubectl.run("apply -f -", kind.yaml()).ok();
                kubectl.run("wait --for=condition=Established crd/" + kind.crdName())
                        .ok();
            }
            ClientConfig berth = ClientConfig.withBearerToken(access.url(), access.caPem(), access.token());
            takeOver(berth, kubectl, () -> {});
            kubectl.run("delete pod --all --grace-period=0 --force").ok();
            // A restarted API server does not know any earlier deletion: the checkpoint does.
            takeOver(berth, kubectl, cluster.controlPlane()::restartApiServer);
        }
    }

    private static void takeOver(ClientConfig access, Kubectl kubectl, Runnable meanwhile) throws InterruptedException {
        Berth first = Berth.start(access, CONFIG, InstantSource.system());
        first.awaitReady(NODES);
        kubectl.run("create -f -", pod("left", "6")).ok();
        kubectl.run("wait pod/left --for=condition=Ready --timeout=60s").ok();
        kubectl.run("create -f -", STATEFUL_SET).ok();
        Eventually.holds(() -> kubectl.run("get pod set-0").ok());
        kubectl.run("wait pod/set-0 --for=condition=Ready --timeout=60s").ok();
        kubectl.run("scale statefulset set --replicas=0").ok();
        kubectl.run("wait %s/set-0 --for=create --timeout=60s".formatted(RESERVATIONS))
                .ok();
        // Only from a version that is on record can a successor go on.
        Eventually.holds(() -> assertThat(kubectl.run("get lease return -n kube-system -o yaml")
                        .ok()
                        .out())
                .contains("berth.dev/"));
        Eventually.holds(() ->
                assertThat(kubectl.run("get checkpoints -o yaml").ok().out()).contains("name: left"));

        String node =
                kubectl.run("get pod left -o jsonpath={.spec.nodeName}").ok().out();
        first.kill();
        kubectl.run("create -f -", GREEDY.formatted(node)).ok();
        kubectl.run("delete pod left --grace-period=0 --force").ok();
        kubectl.run("delete statefulset set").ok();
        meanwhile.run();
        kubectl.run("create -f -", pod("back", "6").replace("reservation: \"true\"", "reservation: \"false\""))
                .ok();
        kubectl.run("create -f -", pod("other", "6").replace("index: here", "index: elsewhere"))
                .ok();
        kubectl.run("create -f -", pod("keyless", "1").replace("godel.bytedance.com/reservation-index: here", ""))
                .ok();

        Berth second = Berth.start(access, CONFIG, InstantSource.system());
        second.awaitReady(NODES);
        try {
            kubectl.run("wait pod/back --for=condition=Ready --timeout=60s").ok();
            assertThat(kubectl.run("get pod back -o yaml").ok().out())
                    .contains("godel.bytedance.com/matched-reservation-placeholder: default/left-placeholder");
            kubectl.run("wait pod/other --for=condition=PodScheduled=false --timeout=30s")
                    .ok();
            Eventually.holds(() ->
                    assertThat(kubectl.run("get " + RESERVATIONS).ok().out()).doesNotContain("set-0"));
            Eventually.holds(() -> assertThat(kubectl.run("get events --field-selector involvedObject.name=keyless")
                            .ok()
                            .out())
                    .contains("the pod has no return key"));
            Eventually.holds(() -> assertThat(kubectl.run("get events --field-selector involvedObject.name=greedy")
                            .ok()
                            .out())
                    .as("a Reservation that anybody wrote while no Berth led")
                    .contains("Node %s has insufficient capacity for the Reservation".formatted(node)));
            kubectl.run("delete %s greedy".formatted(RESERVATIONS)).ok();
            Eventually.holds(
                    () -> assertThat(kubectl.run("get checkpoints -o yaml").ok().out())
                            .doesNotContain("name: left"));
        } finally {
            second.close();
        }
    }

    /** As much as the pod left. */
    private static final String GREEDY = """
            apiVersion: scheduling.godel.kubewharf.io/v1alpha1
            kind: Reservation
            metadata:
              name: greedy
              annotations:
                godel.bytedance.com/reservation-index: elsewhere
            spec:
              nodename: %s
              ttl: 600
              template:
                spec:
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: 6}}}]
            """;

    private static final String STATEFUL_SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata:
              name: set
              annotations:
                godel.bytedance.com/reservation: "true"
                godel.bytedance.com/reservation-ttl: "600"
            spec:
              replicas: 1
              serviceName: set
              selector: {matchLabels: {app: set}}
              template:
                metadata: {labels: {app: set}}
                spec:
                  schedulerName: takeover-scheduler
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: 1}}}]
            """;

    private static String pod(String name, String cpu) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  annotations:
                    godel.bytedance.com/reservation: "true"
                    godel.bytedance.com/reservation-index: here
                spec:
                  schedulerName: takeover-scheduler
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: %s}}}]
                """.formatted(name, cpu);
    }
}
