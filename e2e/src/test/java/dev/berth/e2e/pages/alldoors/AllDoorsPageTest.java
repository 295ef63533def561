package dev.berth.e2e.pages.alldoors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.e2e.pages.KubectlPage;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All five tools keep room on one small cluster at once: 3 cpus of node-0 for a pod that comes back, 3 for another
 * scheduler's group, 6 of node-1 by a Reservation, 6 of node-2 by an annotation, and a device there. Nobody else gets
 * more than what is left. Berth is a process of its own, which is killed (kill -9) in the middle: while it decides on
 * strangers, and while those come for whom the places are kept.
 */
@OnRealControlPlane
@OnStages({Stage.SANDBOX, Stage.REAL})
final class AllDoorsPageTest extends KubectlPage {
    private static final List<String> STRANGERS =
            LocalCluster.SCHEDULER_NAMES.stream().sorted().toList();

    private RestartableBerth berth;

    @BeforeEach
    void open(Stage stage, @TempDir Path folder) throws IOException, InterruptedException {
        berth = stage == Stage.SANDBOX ? startOnSandbox(folder) : startOnRealControlPlane(folder);
        run("wait node --all --for=condition=Ready --timeout=60s").ok();
    }

    /** The Berth of {@code berth up} is stopped: the process that is killed takes its place. */
    private static RestartableBerth startOnSandbox(Path folder) throws IOException, InterruptedException {
        LocalCluster.Running running =
                LocalCluster.start(LocalCluster.Options.of(3, new NodeSize("8", "32Gi", 110)), InstantSource.system());
        running.berth().close();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), running.kubeconfig());
        ClientConfig access = ClientConfig.withBearerToken(
                URI.create(running.url()),
                running.server().caCertificatePem(),
                running.server().token());
        Kubectl kubectl = new Kubectl(ControlPlaneBinaries.find().command("kubectl"), kubeconfig, folder);
        return new RestartableBerth(new RestartableBerth.Server(access, kubeconfig, kubectl, running::close), folder);
    }

    private static RestartableBerth startOnRealControlPlane(Path folder) throws IOException {
        RealCluster cluster = RealCluster.start(NodePool.of(3, "8", "32Gi", 110), InstantSource.system());
        Kubectl kubectl = cluster.controlPlane().kubectl();
        for (CrdManifest kind : CrdManifest.values()) {
            kubectl.run("apply -f -", kind.yaml()).ok();
            kubectl.run("wait --for=condition=Established --timeout=30s crd/" + kind.crdName())
                    .ok();
        }
        ApiServerAccess access = cluster.controlPlane().access();
        RestartableBerth.Server server = new RestartableBerth.Server(
                ClientConfig.withBearerToken(access.url(), access.caPem(), access.token()),
                cluster.controlPlane().kubeconfig(),
                kubectl,
                cluster::close);
        return new RestartableBerth(server, folder);
    }

    @AfterEach
    void close() {
        berth.close();
    }

    @Override
    protected Kubectl kubectl() {
        return berth.kubectl();
    }

    @Test
    @Timeout(300)
    void everyDoorRespectsTheHoldsOfOtherDoors() {
        createGodelReservationOnNode0();
        createKoordinatorReservationOnNode1();
        String owner = annotateNode2();
        claimDeviceOnNode2();
        String group = reserveGroupOnNode0();
        checkInvariants();

        createUnrelatedPods();
        berth.kill();
        checkInvariants();
        berth.start();
        checkUnrelatedPodsArePending();
        eventually(() -> assertThat(reserve("late", "u-late", "node-0", "3"))
                .as("what is kept outlives Berth, for every door")
                .contains("Node does not have enough resource"));

        createOwnersOfAllHolds();
        berth.kill();
        bindReservedPodByItsScheduler(group);
        berth.start();
        checkReturnedPodRunsOnNode0();
        checkReservationOwnerRunsOnNode1();
        checkAnnotationOwnerRunsOnNode2(owner);
        checkReservedPodIsHeld();

        createUnrelatedPods();
        checkUnrelatedPodsArePending();
    }

    private void createGodelReservationOnNode0() {
        run("apply -f -", pod("leaver", "godel-scheduler", "3", "node-0", """
                annotations:
                  godel.bytedance.com/reservation: "true"
                  godel.bytedance.com/reservation-index: together
                  godel.bytedance.com/reservation-ttl: "3600"
                """)).ok();
        assertThat(awaitRunning("leaver")).isEqualTo("node-0");
        run("delete pod leaver").ok();
        eventually(() -> assertThat(run("get reservations.scheduling.godel.kubewharf.io --no-headers")
                        .ok()
                        .out())
                .contains("leaver", "node-0"));
        checkInvariants();
    }

    private void createKoordinatorReservationOnNode1() {
        run("apply -f -", """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata:
                  name: together
                spec:
                  allocateOnce: false
                  template:
                    spec:
                      nodeName: node-1
                      schedulerName: koord-scheduler
                      containers:
                        - name: app
                          image: nginx
                          resources:
                            requests:
                              cpu: 6
                  owners:
                    - labelSelector:
                        matchLabels:
                          app: koord
                  ttl: 1h
                """).ok();
        eventually(() -> assertThat(jsonPath("get reservations.scheduling.koordinator.sh together", "{.status.phase}"))
                .isEqualTo("Available"));
        checkInvariants();
    }

    private String annotateNode2() {
        run("create deployment kept --image=nginx --replicas=0").ok();
        kubectl()
                .runArguments(
                        "",
                        "patch",
                        "deployment",
                        "kept",
                        "-p",
                        "{\"spec\":{\"template\":{\"spec\":{\"schedulerName\":\"test-scheduler\",\"containers\":[{\"name\":\"nginx\",\"resources\":{\"requests\":{\"cpu\":\"5\"}}}]}}}}")
                .ok();
        run("rollout status deployment/kept").ok();
        String newest = kubectl()
                .runArguments(
                        "",
                        "get",
                        "replicasets",
                        "-l",
                        "app=kept",
                        "--sort-by=.metadata.creationTimestamp",
                        "-o",
                        "jsonpath={range .items[*]}{.metadata.uid} {.spec.template.spec.schedulerName}{'\\n'}{end}")
                .ok()
                .lines()
                .stream()
                .filter(line -> line.endsWith("test-scheduler"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .findFirst()
                .orElseThrow();
        run("annotate node node-2 reserve.cpu/%s=6".formatted(newest)).ok();
        checkInvariants();
        return newest;
    }

    private void claimDeviceOnNode2() {
        run("apply -f -", """
                apiVersion: extensions.berth.dev/v1alpha1
                kind: ExtendedResource
                metadata:
                  name: together-gpu
                spec:
                  rawResourceName: nvidia.com-gpu
                  deviceID: gpu-0
                  properties:
                    type: k80
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions:
                        - key: kubernetes.io/hostname
                          operator: In
                          values: [node-2]
                ---
                apiVersion: extensions.berth.dev/v1alpha1
                kind: ExtendedResourceClaim
                metadata:
                  name: together-claim
                  namespace: default
                spec:
                  rawResourceName: nvidia.com-gpu
                  metadataRequirements:
                    matchLabels:
                      type: k80
                  extendResourceNum: 1
                """).ok();
        run("apply -f -", pod("with-device", "extended-resource-scheduler", "1", "", """
                annotations:
                  berth.dev/extended-resource-claims: together-claim
                """))
                .ok();
        assertThat(awaitRunning("with-device")).isEqualTo("node-2");
        checkInvariants();
    }

    private String reserveGroupOnNode0() {
        run("apply -f -", pod("grouped", "somebody-elses", "3", "", "")).ok();
        String uid = jsonPath("get pod grouped", "{.metadata.uid}");
        eventually(() ->
                assertThat(reserve("grouped", uid, "node-0", "3")).isEqualTo("{\"FailedPods\":[],\"Error\":\"\"}\n"));
        return uid;
    }

    private void createUnrelatedPods() {
        for (String scheduler : STRANGERS) {
            run("apply -f -", pod("stranger-" + scheduler, scheduler, "3", "", ""))
                    .ok();
        }
    }

    /** 2 cpus are left on node-0 and on node-1, 1 on node-2. */
    private void checkUnrelatedPodsArePending() {
        for (String scheduler : STRANGERS) {
            assertThat(unschedulableMessage("stranger-" + scheduler)).startsWith("0/3 nodes are available");
        }
        checkInvariants();
        run("delete pod -l together=stranger --now").ok();
    }

    private void createOwnersOfAllHolds() {
        run("scale deployment kept --replicas=1").ok();
        run("apply -f -", pod("back", "godel-scheduler", "3", "", """
                annotations:
                  godel.bytedance.com/reservation-index: together
                """)).ok();
        run("apply -f -", pod("koord", "koord-scheduler", "5", "", """
                labels:
                  app: koord
                """)).ok();
    }

    private void checkReturnedPodRunsOnNode0() {
        assertThat(awaitRunning("back")).isEqualTo("node-0");
        assertThat(jsonPath(
                        "get pod back",
                        "{.metadata.annotations.godel\\.bytedance\\.com/matched-reservation-placeholder}"))
                .isEqualTo("default/leaver-placeholder");
        checkInvariants();
    }

    private void checkReservationOwnerRunsOnNode1() {
        assertThat(awaitRunning("koord")).isEqualTo("node-1");
        eventually(() -> assertThat(
                        jsonPath("get reservations.scheduling.koordinator.sh together", "{.status.allocated.cpu}"))
                .isEqualTo("5"));
        checkInvariants();
    }

    private void checkAnnotationOwnerRunsOnNode2(String owner) {
        eventually(() -> assertThat(podNames("app=kept")).hasSize(1));
        String pod = podNames("app=kept").get(0);
        assertThat(awaitRunning(pod)).isEqualTo("node-2");
        assertThat(jsonPath("get pod " + pod, "{.metadata.annotations.berth\\.dev/hold}"))
                .endsWith(owner);
        checkInvariants();
    }

    /** While Berth is dead: it finds out when it is back. */
    private void bindReservedPodByItsScheduler(String uid) {
        String binding = """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"grouped","namespace":"default","uid":"%s"},
                 "target":{"kind":"Node","name":"node-0"}}""".formatted(uid);
        run("create --raw /api/v1/namespaces/default/pods/grouped/binding -f -", binding)
                .ok();
    }

    private void checkReservedPodIsHeld() {
        assertThat(awaitRunning("grouped")).isEqualTo("node-0");
        eventually(
                () -> assertThat(run("get storedholds.berth.dev -o name").ok().out())
                        .as("the room is the pod's now")
                        .isEmpty());
        checkInvariants();
    }

    private String reserve(String name, String uid, String node, String cpu) {
        String body = """
                {"Pods":[{"metadata":{"name":"%s","namespace":"default","uid":"%s"},
                          "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"%s"}}}]},
                          "status":{"phase":"Pending"}}],
                 "Nodes":["%s"],"SchedulerName":"somebody-elses"}""".formatted(name, uid, cpu, node);
        return berth.post("reserve", body);
    }

    /** On what anybody would read now who knew nothing before. What is being written down may be half there, for a moment. */
    private void checkInvariants() {
        eventually(() -> {
            Snapshot fresh = berth.rebuildLedger();
            assertThat(Invariants.check(fresh)).isEmpty();
            assertThat(Invariants.checkRebuilt(fresh)).isEmpty();
        });
    }

    /** A pod that asks for cpus; on the node, where one is named. */
    private static String pod(String name, String scheduler, String cpu, String node, String metadata) {
        boolean stranger = name.startsWith("stranger");
        String more = stranger ? "labels:\n  together: stranger\n" : metadata;
        String selector = node.isEmpty() ? "" : "  nodeSelector:\n    kubernetes.io/hostname: " + node + "\n";
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                %sspec:
                  schedulerName: %s
                %s  terminationGracePeriodSeconds: 0
                  containers:
                    - name: app
                      image: nginx
                      resources:
                        requests:
                          cpu: "%s"
                """.formatted(name, more.indent(2), scheduler, selector, cpu);
    }
}
