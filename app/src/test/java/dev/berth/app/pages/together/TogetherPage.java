package dev.berth.app.pages.together;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.TypedPage;
import dev.berth.app.up.LocalCluster;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.testkit.controlplane.Kubectl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All five tools keep room on one small cluster at once: 3 cpus of node-0 for a pod that comes back, 3 for another
 * scheduler's group, 6 of node-1 by a Reservation, 6 of node-2 by an annotation, and a device there. Nobody else gets
 * more than what is left. Berth is a process of its own, which is killed (kill -9) in the middle: while it decides on
 * strangers, and while those come for whom the places are kept.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TogetherPage extends TypedPage {
    private static final List<String> STRANGERS =
            LocalCluster.SCHEDULER_NAMES.stream().sorted().toList();

    private final Opening opening;
    private KilledBerth berth;

    /** Starts the cluster, and Berth in a process of its own. */
    interface Opening {
        KilledBerth open(Path folder) throws Exception;
    }

    TogetherPage(Opening opening) {
        this.opening = opening;
    }

    @BeforeAll
    final void open(@TempDir Path folder) throws Exception {
        berth = opening.open(folder);
        type("wait node --all --for=condition=Ready --timeout=60s").ok();
    }

    @AfterAll
    final void close() {
        berth.close();
    }

    @Override
    protected final Kubectl kubectl() {
        return berth.kubectl();
    }

    @Test
    @Timeout(300)
    void everyDoorRespectsWhatTheOthersKeep() {
        aPodLeavesItsPlaceOnNode0();
        aReservationKeepsSixOnNode1();
        String owner = anAnnotationKeepsSixOnNode2();
        aDeviceOnNode2IsClaimed();
        String group = anotherSchedulerReservesThreeOnNode0();
        invariantsHold();

        strangersOfEverySchedulerCome();
        berth.kill();
        invariantsHold();
        berth.start();
        strangersOfEverySchedulerAreKeptOff();
        eventually(() -> assertThat(reserve("late", "u-late", "node-0", "3"))
                .as("what is kept outlives Berth, for every door")
                .contains("Node does not have enough resource"));

        thoseComeForWhomThePlacesAreKept();
        berth.kill();
        theGroupsPodIsBoundByItsOwnScheduler(group);
        berth.start();
        thePodIsBackOnNode0();
        theReservationsOwnerRunsOnNode1();
        theAnnotationsOwnerRunsOnNode2(owner);
        theGroupsPodHasItsRoom();

        strangersOfEverySchedulerCome();
        strangersOfEverySchedulerAreKeptOff();
    }

    private void aPodLeavesItsPlaceOnNode0() {
        type("apply -f -", pod("leaver", "godel-scheduler", "3", "node-0", """
                annotations:
                  godel.bytedance.com/reservation: "true"
                  godel.bytedance.com/reservation-index: together
                  godel.bytedance.com/reservation-ttl: "3600"
                """)).ok();
        assertThat(nodeOfRunning("leaver")).isEqualTo("node-0");
        type("delete pod leaver").ok();
        eventually(() -> assertThat(type("get reservations.scheduling.godel.kubewharf.io --no-headers")
                        .ok()
                        .out())
                .contains("leaver", "node-0"));
        invariantsHold();
    }

    private void aReservationKeepsSixOnNode1() {
        type("apply -f -", """
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
        eventually(() -> assertThat(print("get reservations.scheduling.koordinator.sh together", "{.status.phase}"))
                .isEqualTo("Available"));
        invariantsHold();
    }

    private String anAnnotationKeepsSixOnNode2() {
        type("create deployment kept --image=nginx --replicas=0").ok();
        kubectl()
                .call(
                        "",
                        "patch",
                        "deployment",
                        "kept",
                        "-p",
                        "{\"spec\":{\"template\":{\"spec\":{\"schedulerName\":\"test-scheduler\",\"containers\":[{\"name\":\"nginx\",\"resources\":{\"requests\":{\"cpu\":\"5\"}}}]}}}}")
                .ok();
        type("rollout status deployment/kept").ok();
        String newest = kubectl()
                .call(
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
        type("annotate node node-2 reserve.cpu/%s=6".formatted(newest)).ok();
        invariantsHold();
        return newest;
    }

    private void aDeviceOnNode2IsClaimed() {
        type("apply -f -", """
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
        type("apply -f -", pod("with-device", "extended-resource-scheduler", "1", "", """
                annotations:
                  berth.dev/extended-resource-claims: together-claim
                """))
                .ok();
        assertThat(nodeOfRunning("with-device")).isEqualTo("node-2");
        invariantsHold();
    }

    private String anotherSchedulerReservesThreeOnNode0() {
        type("apply -f -", pod("grouped", "somebody-elses", "3", "", "")).ok();
        String uid = print("get pod grouped", "{.metadata.uid}");
        eventually(() ->
                assertThat(reserve("grouped", uid, "node-0", "3")).isEqualTo("{\"FailedPods\":[],\"Error\":\"\"}\n"));
        return uid;
    }

    private void strangersOfEverySchedulerCome() {
        for (String scheduler : STRANGERS) {
            type("apply -f -", pod("stranger-" + scheduler, scheduler, "3", "", ""))
                    .ok();
        }
    }

    /** 2 cpus are left on node-0 and on node-1, 1 on node-2. */
    private void strangersOfEverySchedulerAreKeptOff() {
        for (String scheduler : STRANGERS) {
            assertThat(whyPending("stranger-" + scheduler)).startsWith("0/3 nodes are available");
        }
        invariantsHold();
        type("delete pod -l together=stranger --now").ok();
    }

    private void thoseComeForWhomThePlacesAreKept() {
        type("scale deployment kept --replicas=1").ok();
        type("apply -f -", pod("back", "godel-scheduler", "3", "", """
                annotations:
                  godel.bytedance.com/reservation-index: together
                """)).ok();
        type("apply -f -", pod("koord", "koord-scheduler", "5", "", """
                labels:
                  app: koord
                """)).ok();
    }

    private void thePodIsBackOnNode0() {
        assertThat(nodeOfRunning("back")).isEqualTo("node-0");
        assertThat(print(
                        "get pod back",
                        "{.metadata.annotations.godel\\.bytedance\\.com/matched-reservation-placeholder}"))
                .isEqualTo("default/leaver-placeholder");
        invariantsHold();
    }

    private void theReservationsOwnerRunsOnNode1() {
        assertThat(nodeOfRunning("koord")).isEqualTo("node-1");
        eventually(() -> assertThat(
                        print("get reservations.scheduling.koordinator.sh together", "{.status.allocated.cpu}"))
                .isEqualTo("5"));
        invariantsHold();
    }

    private void theAnnotationsOwnerRunsOnNode2(String owner) {
        eventually(() -> assertThat(podsOf("app=kept")).hasSize(1));
        String pod = podsOf("app=kept").get(0);
        assertThat(nodeOfRunning(pod)).isEqualTo("node-2");
        assertThat(print("get pod " + pod, "{.metadata.annotations.berth\\.dev/hold}"))
                .endsWith(owner);
        invariantsHold();
    }

    /** While Berth is dead: it finds out when it is back. */
    private void theGroupsPodIsBoundByItsOwnScheduler(String uid) {
        String binding = """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"grouped","namespace":"default","uid":"%s"},
                 "target":{"kind":"Node","name":"node-0"}}""".formatted(uid);
        type("create --raw /api/v1/namespaces/default/pods/grouped/binding -f -", binding)
                .ok();
    }

    private void theGroupsPodHasItsRoom() {
        assertThat(nodeOfRunning("grouped")).isEqualTo("node-0");
        eventually(() -> assertThat(type("get holds.berth.dev -o name").ok().out())
                .as("the room is the pod's now")
                .isEmpty());
        invariantsHold();
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
    private void invariantsHold() {
        eventually(() -> {
            Snapshot fresh = berth.freshLedger();
            assertThat(Invariants.check(fresh)).isEmpty();
            assertThat(Invariants.rebuilt(fresh)).isEmpty();
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
