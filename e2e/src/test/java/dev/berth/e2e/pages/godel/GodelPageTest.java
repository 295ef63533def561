package dev.berth.e2e.pages.godel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Origin.DoorId;
import dev.berth.e2e.pages.DisabledDoors;
import dev.berth.e2e.pages.UserPage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Gödel's page on resource reservation: a bare pod, then a Deployment, and what people get wrong. Koordinator's door is
 * left out: where both are open, the page's {@code kubectl get reservation} means Koordinator's.
 */
@DisabledDoors(DoorId.KOORDINATOR)
final class GodelPageTest extends UserPage {
    private static final String RESERVATIONS = "get reservation";
    private static final String TIMESTAMP = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
    private static final String MATCHED =
            "{.metadata.annotations.godel\\.bytedance\\.com/matched-reservation-placeholder}";

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

    GodelPageTest() {
        super("godel");
    }

    @Test
    void disabledDoorInstallsNoResource() {
        assertThat(run("api-resources -o name").ok().lines())
                .contains("reservations.scheduling.godel.kubewharf.io")
                .doesNotContain("reservations.scheduling.koordinator.sh");
    }

    @AfterEach
    void deleteEverything() {
        run("delete deployment,statefulset --all").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> {
            run("delete reservations.scheduling.godel.kubewharf.io --all").ok();
            assertThat(reservations()).isEmpty();
            assertThat(run("get pods -o name").ok().out()).isEmpty();
        });
    }

    @Test
    void backPodTakesThePlaceOfTheDeletedPod() {
        run("create -f res-pod.yaml").ok();
        String node = awaitRunning("res-pod");

        run("delete po res-pod").ok();
        eventually(() -> assertThat(reservations()).hasSize(1));
        assertThat(run(RESERVATIONS).ok().lines().get(0)).matches("NAME +NODENAME +STATUS +AGE");
        assertThat(reservations().get(0)).matches("res-pod +%s +%s".formatted(node, TIMESTAMP));
        assertThat(countOtherPodsThatFit(node))
                .as("7 of 8 cpus are free, and one is kept")
                .isEqualTo(7);

        run("create -f back-pod.yaml").ok();
        assertThat(awaitRunning("back-pod")).isEqualTo(node);
        assertThat(jsonPath("get pod back-pod", MATCHED)).isEqualTo("default/res-pod-placeholder");
        eventually(() -> assertThat(reservations()).isEmpty());
    }

    @Test
    void aDeploymentThatIsScaledDownComesBackToItsPlaces() throws InterruptedException {
        run("create -f reservation-dp.yaml").ok();
        List<String> before = runningPods(3);

        assertThat(run("scale deploy --replicas=0 res-dp").ok().out()).isEqualTo("deployment.apps/res-dp scaled\n");
        eventually(() -> assertThat(names(reservations())).containsExactlyInAnyOrderElementsOf(before));
        cluster().restartBerth();

        run("scale deploy --replicas=5 res-dp").ok();
        List<String> matchedPlaceholders = new ArrayList<>();
        for (String pod : runningPods(5)) {
            matchedPlaceholders.add(jsonPath("get pod " + pod, MATCHED));
        }
        matchedPlaceholders.removeIf(String::isEmpty);
        assertThat(matchedPlaceholders)
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map("default/%s-placeholder"::formatted).toList());
        eventually(() -> assertThat(reservations()).isEmpty());

        run("annotate deployment res-dp godel.bytedance.com/reservation-").ok();
        run("scale deploy --replicas=0 res-dp").ok();
        eventually(() -> assertThat(run("get po").ok().err()).isEqualTo("No resources found in default namespace.\n"));
        assertThat(run(RESERVATIONS).ok().err()).isEqualTo("No resources found in default namespace.\n");
    }

    @Test
    void aPodThatItsDeploymentReplacesComesBackToItsPlace() {
        // The successor comes while the pod still leaves: where there was room elsewhere it would go there.
        run("create -f -", example("reservation-dp.yaml").replace("cpu: 1", "cpu: 5"))
                .ok();
        List<String> before = runningPods(3);
        String node = awaitRunning(before.get(0));

        run("delete po " + before.get(0)).ok();

        List<String> after = new ArrayList<>(runningPods(3));
        after.removeAll(before);
        assertThat(after).hasSize(1);
        assertThat(jsonPath("get pod " + after.get(0), MATCHED))
                .isEqualTo("default/%s-placeholder".formatted(before.get(0)));
        assertThat(awaitRunning(after.get(0))).isEqualTo(node);
        eventually(() -> assertThat(reservations()).isEmpty());
    }

    @Test
    void rollingUpdateReusesThePlacesOfTheOldPods() {
        run(
                        "create -f -",
                        example("reservation-dp.yaml")
                                .replace("cpu: 1", "cpu: 5")
                                .replace("spec:\n  replicas: 3", """
                spec:
                  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
                  replicas: 3"""))
                .ok();
        List<String> before = runningPods(3);

        run("set image deployment/res-dp nginx=nginx:2").ok();
        run("rollout status deployment/res-dp --timeout=60s").ok();

        List<String> matchedPlaceholders = new ArrayList<>();
        for (String pod : runningPods(3)) {
            matchedPlaceholders.add(jsonPath("get pod " + pod, MATCHED));
        }
        assertThat(matchedPlaceholders)
                .as("no node has room for two")
                .containsExactlyInAnyOrderElementsOf(
                        before.stream().map("default/%s-placeholder"::formatted).toList());
    }

    @Test
    void aPodOfAStatefulSetComesBackUnderItsName() {
        run("create -f -", STATEFUL_SET).ok();
        String node = awaitRunning("web-0");
        String uid = jsonPath("get pod web-0", "{.metadata.uid}");

        run("delete po web-0").ok();

        eventually(
                () -> assertThat(jsonPath("get pod web-0", "{.metadata.uid}")).isNotEqualTo(uid));
        assertThat(awaitRunning("web-0")).isEqualTo(node);
        assertThat(jsonPath("get pod web-0", MATCHED)).isEqualTo("default/web-0-placeholder");
        run("delete statefulset web --cascade=foreground").ok();
    }

    @Test
    void placeIsHeldUntilItsTtlExpires() {
        run(
                        "create -f -",
                        example("res-pod.yaml")
                                .replace(
                                        "annotations:", "annotations:\n    godel.bytedance.com/reservation-ttl: \"3\""))
                .ok();
        awaitRunning("res-pod");
        run("delete po res-pod").ok();
        eventually(() -> assertThat(reservations()).hasSize(1));
        eventually(() -> assertThat(reservations()).isEmpty());
        eventually(() -> assertThat(events()).contains("No pod returned to node"));
    }

    @Test
    void malformedAnnotationsAndFieldsAreReportedOnTheirObjects() {
        run(
                        "create -f -",
                        example("res-pod.yaml")
                                .replace("annotations:", "annotations:\n    godel.bytedance.com/reservation-ttl: 60s"))
                .ok();
        eventually(() -> assertThat(events())
                .contains("annotation godel.bytedance.com/reservation-ttl (60s) must be a whole number of seconds"));

        assertThat(run("create -f -", handWrittenReservation("ttl: soon"))
                        .refused()
                        .err())
                .contains("spec.ttl");
        assertThat(run("create -f -", handWrittenReservation("ttl: 0"))
                        .refused()
                        .err())
                .contains("spec.ttl");
        run("create -f -", handWrittenReservation("ttl: 100")).ok();
        eventually(() -> assertThat(events()).contains("reservation-index is missing"));
    }

    private static String handWrittenReservation(String ttl) {
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
    private int countOtherPodsThatFit(String node) {
        run("create -f -", """
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
        eventually(
                () -> assertThat(run("get pods -l app=others --no-headers").ok().lines())
                        .filteredOn(line -> line.contains("Running"))
                        .hasSize(7));
        int bound = run("get pods -l app=others -o name --field-selector spec.nodeName=" + node)
                .ok()
                .lines()
                .size();
        run("delete replicaset others").ok();
        eventually(() -> assertThat(podNames("app=others")).isEmpty());
        return bound;
    }

    private List<String> runningPods(int count) {
        eventually(
                () -> assertThat(run("get po -l name=res-dp --no-headers").ok().lines())
                        .hasSize(count)
                        .allMatch(line -> line.contains("Running")));
        return podNames("name=res-dp");
    }

    private List<String> reservations() {
        return run(RESERVATIONS + " --no-headers").ok().lines();
    }

    private static List<String> names(List<String> lines) {
        return lines.stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
    }

    private String events() {
        return run("get events").ok().out();
    }
}
