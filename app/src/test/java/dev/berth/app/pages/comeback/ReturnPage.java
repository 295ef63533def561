package dev.berth.app.pages.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Gödel's page on resource reservation: a bare pod, then a Deployment, and what people get wrong. Koordinator's door is
 * left out: where both are open, the page's {@code kubectl get reservation} means Koordinator's.
 */
abstract class ReturnPage extends UserPage {
    private static final String RESERVATIONS = "get reservation";
    private static final String TIMESTAMP = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
    private static final String MATCHED =
            "{.metadata.annotations.godel\\.bytedance\\.com/matched-reservation-placeholder}";

    private static final String RES_POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: res-pod
              labels:
                app: res-pod
              annotations:
                godel.bytedance.com/pod-resource-type: guaranteed
                godel.bytedance.com/pod-launcher: kubelet
                godel.bytedance.com/reservation: "true" # reservation requirement
                godel.bytedance.com/reservation-index: "res-pod" # identifier for back pod
            spec:
              schedulerName: godel-scheduler
              containers:
              - name: res-pod
                image: nginx
                imagePullPolicy: IfNotPresent
                resources:
                  requests:
                    cpu: "1"
                    memory: "100Mi"
              restartPolicy: Always
            """;
    private static final String BACK_POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: back-pod
              labels:
                app: back-pod
              annotations:
                godel.bytedance.com/pod-resource-type: guaranteed
                godel.bytedance.com/pod-launcher: kubelet
                godel.bytedance.com/reservation-index: "res-pod"
            spec:
              schedulerName: godel-scheduler
              containers:
              - name: back-pod
                image: nginx
                imagePullPolicy: IfNotPresent
                resources:
                  requests:
                    cpu: "1"
                    memory: "100Mi"
              restartPolicy: Always
            """;
    private static final String RES_DP = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: res-dp
              annotations:
                godel.bytedance.com/reservation: "true" # reservation requirement
            spec:
              replicas: 3
              selector:
                matchLabels:
                  name: res-dp
              template:
                metadata:
                  labels:
                    name: res-dp
                  annotations:
                    godel.bytedance.com/pod-resource-type: guaranteed
                    godel.bytedance.com/pod-launcher: kubelet
                spec:
                  terminationGracePeriodSeconds: 0
                  schedulerName: godel-scheduler
                  containers:
                  - name: nginx
                    image: nginx:1.14.2
                    resources:
                      requests:
                        cpu: 1
                        memory: 500Mi
                      limits:
                        cpu: 1
                        memory: 500Mi
            """;

    private static final String STATEFUL_SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata:
              name: web
            spec:
              serviceName: web
              replicas: 2
              selector:
                matchLabels:
                  app: web
              template:
                metadata:
                  labels:
                    app: web
                  annotations:
                    godel.bytedance.com/reservation: "true"
                spec:
                  schedulerName: godel-scheduler
                  containers:
                  - name: nginx
                    image: nginx
                    resources:
                      requests:
                        cpu: 1
            """;

    ReturnPage(Opening opening) {
        super(opening);
    }

    @Test
    void aDoorThatIsLeftOutIsNotThere() {
        assertThat(type("api-resources -o name").ok().lines())
                .contains("reservations.scheduling.godel.kubewharf.io")
                .doesNotContain("reservations.scheduling.koordinator.sh");
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete deployment,statefulset --all").ok();
        type("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> {
            type("delete reservations.scheduling.godel.kubewharf.io --all").ok();
            assertThat(reservations()).isEmpty();
            assertThat(type("get pods -o name").ok().out()).isEmpty();
        });
    }

    @Test
    void theBackPodTakesThePlaceOfThePodThatWasDeleted() {
        type("create -f -", RES_POD).ok();
        String node = nodeOfRunning("res-pod");

        type("delete po res-pod").ok();
        eventually(() -> assertThat(reservations()).hasSize(1));
        assertThat(type(RESERVATIONS).ok().lines().get(0)).matches("NAME +NODENAME +STATUS +AGE");
        assertThat(reservations().get(0)).matches("res-pod +%s +%s".formatted(node, TIMESTAMP));
        assertThat(othersFindRoomOn(node))
                .as("7 of 8 cpus are free, and one is kept")
                .isEqualTo(7);

        type("create -f -", BACK_POD).ok();
        assertThat(nodeOfRunning("back-pod")).isEqualTo(node);
        assertThat(print("get pod back-pod", MATCHED)).isEqualTo("default/res-pod-placeholder");
        eventually(() -> assertThat(reservations()).isEmpty());
    }

    @Test
    void aDeploymentThatIsScaledDownComesBackToItsPlaces() throws InterruptedException {
        type("create -f -", RES_DP).ok();
        List<String> before = runningPods(3);

        assertThat(type("scale deploy --replicas=0 res-dp").ok().out()).isEqualTo("deployment.apps/res-dp scaled\n");
        eventually(() -> assertThat(names(reservations())).containsExactlyInAnyOrderElementsOf(before));
        cluster().restartBerth();

        type("scale deploy --replicas=5 res-dp").ok();
        List<String> placeholders = new ArrayList<>();
        for (String pod : runningPods(5)) {
            placeholders.add(print("get pod " + pod, MATCHED));
        }
        placeholders.removeIf(String::isEmpty);
        assertThat(placeholders)
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map("default/%s-placeholder"::formatted).toList());
        eventually(() -> assertThat(reservations()).isEmpty());

        type("annotate deployment res-dp godel.bytedance.com/reservation-").ok();
        type("scale deploy --replicas=0 res-dp").ok();
        eventually(() -> assertThat(type("get po").ok().err()).isEqualTo("No resources found in default namespace.\n"));
        assertThat(type(RESERVATIONS).ok().err()).isEqualTo("No resources found in default namespace.\n");
    }

    @Test
    void aPodThatItsDeploymentReplacesComesBackToItsPlace() {
        // The successor comes while the pod still leaves: where there was room elsewhere it would go there.
        type("create -f -", RES_DP.replace("cpu: 1", "cpu: 5")).ok();
        List<String> before = runningPods(3);
        String node = nodeOfRunning(before.get(0));

        type("delete po " + before.get(0)).ok();

        List<String> after = new ArrayList<>(runningPods(3));
        after.removeAll(before);
        assertThat(after).hasSize(1);
        assertThat(print("get pod " + after.get(0), MATCHED))
                .isEqualTo("default/%s-placeholder".formatted(before.get(0)));
        assertThat(nodeOfRunning(after.get(0))).isEqualTo(node);
        eventually(() -> assertThat(reservations()).isEmpty());
    }

    @Test
    void aRollingUpdateGoesFromPlaceToPlace() {
        type("create -f -", RES_DP.replace("cpu: 1", "cpu: 5").replace("spec:\n  replicas: 3", """
                spec:
                  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
                  replicas: 3"""))
                .ok();
        List<String> before = runningPods(3);

        type("set image deployment/res-dp nginx=nginx:2").ok();
        type("rollout status deployment/res-dp --timeout=60s").ok();

        List<String> placeholders = new ArrayList<>();
        for (String pod : runningPods(3)) {
            placeholders.add(print("get pod " + pod, MATCHED));
        }
        assertThat(placeholders)
                .as("no node has room for two")
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map("default/%s-placeholder"::formatted).toList());
    }

    @Test
    void aPodOfAStatefulSetComesBackUnderItsName() {
        type("create -f -", STATEFUL_SET).ok();
        String node = nodeOfRunning("web-0");
        String uid = print("get pod web-0", "{.metadata.uid}");

        type("delete po web-0").ok();

        eventually(() -> assertThat(print("get pod web-0", "{.metadata.uid}")).isNotEqualTo(uid));
        assertThat(nodeOfRunning("web-0")).isEqualTo(node);
        assertThat(print("get pod web-0", MATCHED)).isEqualTo("default/web-0-placeholder");
        type("delete statefulset web --cascade=foreground").ok();
    }

    @Test
    void aPlaceIsKeptForItsTimeAndNoLonger() {
        type(
                        "create -f -",
                        RES_POD.replace("annotations:", "annotations:\n    godel.bytedance.com/reservation-ttl: \"3\""))
                .ok();
        nodeOfRunning("res-pod");
        type("delete po res-pod").ok();
        eventually(() -> assertThat(reservations()).hasSize(1));
        eventually(() -> assertThat(reservations()).isEmpty());
        eventually(() -> assertThat(events()).contains("No pod returned to node"));
    }

    @Test
    void whatMakesNoSenseIsAnsweredWhereItWasWritten() {
        type(
                        "create -f -",
                        RES_POD.replace("annotations:", "annotations:\n    godel.bytedance.com/reservation-ttl: 60s"))
                .ok();
        eventually(() -> assertThat(events())
                .contains("annotation godel.bytedance.com/reservation-ttl (60s) must be a whole number of seconds"));

        assertThat(type("create -f -", byHand("ttl: soon")).refused().err()).contains("spec.ttl");
        assertThat(type("create -f -", byHand("ttl: 0")).refused().err()).contains("spec.ttl");
        type("create -f -", byHand("ttl: 100")).ok();
        eventually(() -> assertThat(events()).contains("reservation-index is missing"));
    }

    private static String byHand(String ttl) {
        return """
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata:
                  name: by-hand
                spec:
                  nodename: node-0
                  %s
                  template:
                    spec:
                      containers:
                      - name: c
                        resources: {requests: {cpu: 1}}
                """.formatted(ttl);
    }

    /** How many pods of one cpu that nobody keeps a place for find room on the node. */
    private int othersFindRoomOn(String node) {
        type("create -f -", """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata:
                  name: others
                spec:
                  replicas: 8
                  selector: {matchLabels: {app: others}}
                  template:
                    metadata: {labels: {app: others}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      schedulerName: godel-scheduler
                      nodeSelector: {kubernetes.io/hostname: %s}
                      containers: [{name: c, image: nginx, resources: {requests: {cpu: 1}}}]
                """.formatted(node)).ok();
        eventually(() -> assertThat(
                        type("get pods -l app=others --no-headers").ok().lines())
                .filteredOn(line -> line.contains("Running"))
                .hasSize(7));
        int bound = type("get pods -l app=others -o name --field-selector spec.nodeName=" + node)
                .ok()
                .lines()
                .size();
        type("delete replicaset others").ok();
        eventually(() -> assertThat(podsOf("app=others")).isEmpty());
        return bound;
    }

    private List<String> runningPods(int count) {
        eventually(
                () -> assertThat(type("get po -l name=res-dp --no-headers").ok().lines())
                        .hasSize(count)
                        .allMatch(line -> line.contains("Running")));
        return podsOf("name=res-dp");
    }

    private List<String> reservations() {
        return type(RESERVATIONS + " --no-headers").ok().lines();
    }

    private static List<String> names(List<String> lines) {
        return lines.stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
    }

    private String events() {
        return type("get events").ok().out();
    }
}
