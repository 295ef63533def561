package dev.berth.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.up.LocalCluster;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All five tools keep room on one small cluster at once: 3 cpus of node-0 for a pod that comes back, 3 for another
 * scheduler's group, 6 of node-1 by a Reservation, 6 of node-2 by an annotation, and a device there. Nobody else gets
 * more than what is left, and Berth is killed in the middle.
 */
abstract class TogetherPage extends UserPage {
    TogetherPage(Opening opening) {
        super(opening);
    }

    @Test
    @Timeout(300)
    void everyDoorRespectsWhatTheOthersKeep() throws Exception {
        aPodLeavesItsPlaceOnNode0();
        aReservationKeepsSixOnNode1();
        String owner = anAnnotationKeepsSixOnNode2();
        aDeviceOnNode2IsClaimed();
        String group = anotherSchedulerReservesThreeOnNode0();
        invariantsHold();

        strangersOfEverySchedulerAreKeptOff();
        cluster().restartBerth();
        invariantsHold();
        assertThat(reserve("late", "u-late", "node-0", "3"))
                .as("what is kept outlives Berth, for every door")
                .contains("Node does not have enough resource");
        strangersOfEverySchedulerAreKeptOff();

        thePodComesBackToNode0();
        theReservationsOwnerRunsOnNode1();
        theAnnotationsOwnerRunsOnNode2(owner);
        theGroupsPodIsBoundByItsOwnScheduler(group);
        invariantsHold();
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
        eventually(() ->
                assertThat(snapshot().node("node-2").orElseThrow().holds()).hasSize(1));
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

    private String anotherSchedulerReservesThreeOnNode0() throws IOException, InterruptedException {
        type("apply -f -", pod("grouped", "somebody-elses", "3", "", "")).ok();
        String uid = print("get pod grouped", "{.metadata.uid}");
        assertThat(reserve("grouped", uid, "node-0", "3")).isEqualTo("{\"FailedPods\":[],\"Error\":\"\"}");
        return uid;
    }

    /** 2 cpus are left on node-0 and on node-1, 1 on node-2. */
    private void strangersOfEverySchedulerAreKeptOff() {
        List<String> schedulers = LocalCluster.SCHEDULER_NAMES.stream().sorted().toList();
        for (String scheduler : schedulers) {
            type("apply -f -", pod("stranger-" + scheduler, scheduler, "3", "", ""))
                    .ok();
        }
        for (String scheduler : schedulers) {
            assertThat(whyPending("stranger-" + scheduler)).startsWith("0/3 nodes are available");
        }
        invariantsHold();
        type("delete pod -l together=stranger --now").ok();
    }

    private void thePodComesBackToNode0() {
        type("apply -f -", pod("back", "godel-scheduler", "3", "", """
                annotations:
                  godel.bytedance.com/reservation-index: together
                """)).ok();
        assertThat(nodeOfRunning("back")).isEqualTo("node-0");
        assertThat(print(
                        "get pod back",
                        "{.metadata.annotations.godel\\.bytedance\\.com/matched-reservation-placeholder}"))
                .isEqualTo("default/leaver-placeholder");
        invariantsHold();
    }

    private void theReservationsOwnerRunsOnNode1() {
        type("apply -f -", pod("koord", "koord-scheduler", "5", "", """
                labels:
                  app: koord
                """)).ok();
        assertThat(nodeOfRunning("koord")).isEqualTo("node-1");
        eventually(() -> assertThat(
                        print("get reservations.scheduling.koordinator.sh together", "{.status.allocated.cpu}"))
                .isEqualTo("5"));
        invariantsHold();
    }

    private void theAnnotationsOwnerRunsOnNode2(String owner) {
        type("scale deployment kept --replicas=1").ok();
        eventually(() -> assertThat(podsOf("app=kept")).hasSize(1));
        String pod = podsOf("app=kept").get(0);
        assertThat(nodeOfRunning(pod)).isEqualTo("node-2");
        assertThat(print("get pod " + pod, "{.metadata.annotations.berth\\.dev/hold}"))
                .endsWith(owner);
        invariantsHold();
    }

    private void theGroupsPodIsBoundByItsOwnScheduler(String uid) {
        String binding = """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"grouped","namespace":"default","uid":"%s"},
                 "target":{"kind":"Node","name":"node-0"}}""".formatted(uid);
        type("create --raw /api/v1/namespaces/default/pods/grouped/binding -f -", binding)
                .ok();
        assertThat(nodeOfRunning("grouped")).isEqualTo("node-0");
        eventually(() -> assertThat(type("get holds.berth.dev -o name").ok().out())
                .as("the room is the pod's now")
                .isEmpty());
        invariantsHold();
    }

    private String reserve(String name, String uid, String node, String cpu) throws IOException, InterruptedException {
        String body = """
                {"Pods":[{"metadata":{"name":"%s","namespace":"default","uid":"%s"},
                          "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"%s"}}}]},
                          "status":{"phase":"Pending"}}],
                 "Nodes":["%s"],"SchedulerName":"somebody-elses"}""".formatted(name, uid, cpu, node);
        URI uri = URI.create(cluster().berth().reserveUrl().orElseThrow() + "/reserve");
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return answer.body();
    }

    private Snapshot snapshot() {
        return cluster().berth().snapshot();
    }

    /** A hold that is being written down has no owners yet, for a moment. */
    private void invariantsHold() {
        eventually(() -> assertThat(Invariants.check(snapshot())).isEmpty());
        assertThat(Invariants.rebuilt(snapshot())).isEmpty();
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
