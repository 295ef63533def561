package dev.berth.app.pages.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Koordinator's page on resource reservation: the quick start, the example on a specified node, and what people get
 * wrong. Otherwise than printed, a reservation for once is Succeeded after its claim.
 */
abstract class ReservationPage extends UserPage {
    private static final String DEMO = """
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata:
              name: reservation-demo
            spec:
              template: # set resource requirements
                metadata:
                  namespace: default
                spec:
                  containers:
                    - args:
                        - '-c'
                        - '1'
                      command:
                        - stress
                      image: polinux/stress
                      imagePullPolicy: Always
                      name: stress
                      resources: # reserve 500m cpu and 800Mi memory
                        requests:
                          cpu: 500m
                          memory: 800Mi
                  schedulerName: koord-scheduler # use koord-scheduler
              owners: # set the owner specifications
                - object: # owner pods whose name is `default/pod-demo-0`
                    name: pod-demo-0
                    namespace: default
              ttl: 1h # set the TTL, the reservation will get expired 1 hour later
            """;
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: pod-demo-0 # match the owner spec of `reservation-demo`
            spec:
              containers:
                - args:
                    - '-c'
                    - '1'
                  command:
                    - stress
                  image: polinux/stress
                  imagePullPolicy: Always
                  name: stress
                  resources:
                    limits:
                      cpu: '1'
                      memory: 1Gi
                    requests:
                      cpu: 200m
                      memory: 400Mi
              restartPolicy: Always
              schedulerName: koord-scheduler # use koord-scheduler
            """;
    private static final String BIG = """
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata:
              name: reservation-demo-big
            spec:
              allocateOnce: false # allow the reservation to be allocated by multiple owners
              template:
                metadata:
                  namespace: default
                spec:
                  containers:
                    - args:
                        - '-c'
                        - '1'
                      command:
                        - stress
                      image: polinux/stress
                      imagePullPolicy: Always
                      name: stress
                      resources: # reserve 6 cpu and 20Gi memory
                        requests:
                          cpu: 6
                          memory: 20Gi
                  nodeName: node-1 # set the expected node name to schedule at
                  schedulerName: koord-scheduler
              owners: # set multiple owners
                - object: # owner pods whose name is `default/pod-demo-0`
                    name: pod-demo-1
                    namespace: default
                - labelSelector: # owner pods who have label `app=app-demo` can allocate the reserved resources
                    matchLabels:
                      app: app-demo
              ttl: 1h
            """;
    private static final String APP = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: app-demo
            spec:
              replicas: 2
              selector:
                matchLabels:
                  app: app-demo
              template:
                metadata:
                  name: stress
                  labels:
                    app: app-demo # match the owner spec of `reservation-demo-big`
                spec:
                  schedulerName: koord-scheduler # use koord-scheduler
                  containers:
                  - name: stress
                    image: polinux/stress
                    args:
                      - '-c'
                      - '1'
                    command:
                      - stress
                    resources:
                      requests:
                        cpu: 2
                        memory: 10Gi
                      limits:
                        cpu: 4
                        memory: 20Gi
            """;
    private static final String ALLOCATED =
            "{.metadata.annotations.scheduling\\.koordinator\\.sh/reservation-allocated}";

    ReservationPage(Opening opening) {
        super(opening);
    }

    @Test
    void theShortWordMeansThisKindBesideTheOtherOfThatName() {
        assertThat(type("get reservation nobody").refused().err())
                .contains("reservations.scheduling.koordinator.sh \"nobody\" not found");
        assertThat(type("get godelreservation nobody").refused().err())
                .contains("reservations.scheduling.godel.kubewharf.io \"nobody\" not found");
        assertThat(type("get reservations.scheduling.koordinator.sh nobody")
                        .refused()
                        .err())
                .contains("reservations.scheduling.koordinator.sh \"nobody\" not found");
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete reservation --all").ok();
        type("delete deployment app-demo --ignore-not-found").ok();
        type("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(type("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void quickStart() {
        assertThat(type("create -f -", DEMO).ok().out())
                .isEqualTo("reservation.scheduling.koordinator.sh/reservation-demo created\n");
        String node = awaitAvailable("reservation-demo");
        List<String> printed =
                type("get reservation reservation-demo -o wide").ok().lines();
        assertThat(printed.get(0)).matches("NAME +PHASE +AGE +NODE +TTL +EXPIRES *");
        assertThat(printed.get(1)).matches("reservation-demo +Available +\\d+s +%s +1h *".formatted(node));
        assertThat(conditions("reservation-demo")).isEqualTo("Scheduled=True/Scheduled Ready=True/Available ");
        eventually(() -> assertThat(type("get events").ok().out())
                .contains("Successfully assigned reservation-demo to " + node));

        assertThat(type("create -f -", POD).ok().out()).isEqualTo("pod/pod-demo-0 created\n");
        assertThat(nodeOfRunning("pod-demo-0")).isEqualTo(node);
        String uid = print("get reservation reservation-demo", "{.metadata.uid}");
        assertThat(print("get pod pod-demo-0", ALLOCATED))
                .isEqualTo("{\"name\":\"reservation-demo\",\"uid\":\"%s\"}".formatted(uid));

        eventually(
                () -> assertThat(status("reservation-demo", "{.status.phase}")).isEqualTo("Succeeded"));
        assertThat(status("reservation-demo", "{.status.allocatable.cpu} {.status.allocatable.memory}"))
                .isEqualTo("500m 800Mi");
        assertThat(status("reservation-demo", "{.status.allocated.cpu} {.status.allocated.memory}"))
                .isEqualTo("200m 400Mi");
        assertThat(status("reservation-demo", "{.status.currentOwners[*].namespace}/{.status.currentOwners[*].name}"))
                .isEqualTo("default/pod-demo-0");
        assertThat(status("reservation-demo", "{.status.currentOwners[*].uid}"))
                .isEqualTo(print("get pod pod-demo-0", "{.metadata.uid}"));
        assertThat(conditions("reservation-demo")).isEqualTo("Scheduled=True/Scheduled Ready=False/Succeeded ");

        assertThat(type("delete reservation reservation-demo").ok().out())
                .startsWith("reservation.scheduling.koordinator.sh \"reservation-demo\" deleted");
        assertThat(type("get pod pod-demo-0 --no-headers").ok().out()).matches("pod-demo-0 +1/1 +Running +0 +\\S+\\n");
    }

    @Test
    void reserveOnSpecifiedNodeWithMultipleOwners() {
        assertThat(type("create -f -", BIG).ok().out())
                .isEqualTo("reservation.scheduling.koordinator.sh/reservation-demo-big created\n");
        assertThat(awaitAvailable("reservation-demo-big")).isEqualTo("node-1");

        assertThat(type("create -f -", APP).ok().out()).isEqualTo("deployment.apps/app-demo created\n");
        eventually(() -> assertThat(podsOf("app=app-demo")).hasSize(2));
        for (String pod : podsOf("app=app-demo")) {
            assertThat(nodeOfRunning(pod)).isEqualTo("node-1");
        }

        eventually(
                () -> assertThat(status("reservation-demo-big", "{.status.allocated.cpu} {.status.allocated.memory}"))
                        .isEqualTo("4 20Gi"));
        assertThat(status("reservation-demo-big", "{.status.allocatable.cpu} {.status.allocatable.memory}"))
                .isEqualTo("6 20Gi");
        assertThat(status("reservation-demo-big", "{.status.phase} {.status.nodeName}"))
                .isEqualTo("Available node-1");
        assertThat(status("reservation-demo-big", "{.status.currentOwners[*].name}")
                        .split(" "))
                .containsExactlyInAnyOrderElementsOf(podsOf("app=app-demo"));
        assertThat(conditions("reservation-demo-big")).isEqualTo("Scheduled=True/Scheduled Ready=True/Available ");
    }

    @Test
    void aKilledBerthKeepsWhatItPromisedAndSaysWhatBecameOfIt() throws InterruptedException {
        type("create -f -", BIG).ok();
        awaitAvailable("reservation-demo-big");
        type("create -f -", DEMO).ok();
        awaitAvailable("reservation-demo");

        type("create -f -", POD).ok();
        eventually(() ->
                assertThat(print("get pod pod-demo-0", "{.spec.nodeName}")).isNotEmpty());
        cluster().restartBerth();

        eventually(
                () -> assertThat(status("reservation-demo", "{.status.phase}")).isEqualTo("Succeeded"));
        assertThat(status("reservation-demo", "{.status.currentOwners[*].name}"))
                .isEqualTo("pod-demo-0");
        type("create -f -", stranger("3")).ok();
        assertThat(whyPending("stranger"))
                .containsPattern("Insufficient cpu \\([0-9m]+ held by Reservation reservation-demo-big");
        type("delete reservation reservation-demo-big").ok();
        assertThat(nodeOfRunning("stranger")).isEqualTo("node-1");
    }

    @Test
    void aReservationEndsWithItsTimeBeItPendingOrNot() {
        type("create -f -", BIG.replace("ttl: 1h", "ttl: 4s")).ok();
        type("create -f -", DEMO.replace("cpu: 500m", "cpu: 500").replace("ttl: 1h", "ttl: 4s"))
                .ok();
        eventually(() ->
                assertThat(status("reservation-demo-big", "{.status.phase}")).isEqualTo("Failed"));
        assertThat(conditions("reservation-demo-big")).isEqualTo("Scheduled=True/Scheduled Ready=False/Expired ");
        eventually(() ->
                assertThat(type("get events").ok().out()).contains("Expired", "the Reservation reached its deadline"));
        eventually(
                () -> assertThat(status("reservation-demo", "{.status.phase}")).isEqualTo("Failed"));
        assertThat(conditions("reservation-demo")).isEqualTo("Scheduled=False/Unschedulable Ready=False/Expired ");
    }

    @Test
    void whatMakesNoSenseIsSaidOnTheReservation() {
        type("create -f -", DEMO.replace("cpu: 500m", "cpu: lots")).ok();
        eventually(() -> assertThat(status("reservation-demo", "{.status.conditions[0].message}"))
                .contains("spec.template.spec: cpu: "));
        eventually(() -> assertThat(type("get events").ok().out()).contains("InvalidReservation", "lots"));
        type(
                        "create -f -",
                        DEMO.replace("reservation-demo", "odd")
                                .replace("  ttl: 1h", "  allocatePolicy: Odd\n  ttl: 1h"))
                .refused();
        type("replace -f -", DEMO).ok();
        awaitAvailable("reservation-demo");
    }

    @Test
    void anOwnerByControllerNeedsFourKeysAndADeploymentIsReportedAsOneThatControlsNoPods() {
        String owner = """
                    - controller:
                        apiVersion: apps/v1
                        kind: Deployment
                        name: app-demo
                """;
        String reservation = """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata: {name: reservation-demo}
                spec:
                  template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
                  owners:
                """;
        assertThat(type("create -f -", reservation + owner).refused().err())
                .contains("spec.owners[0].controller.uid: Required value");
        type("create -f -", reservation + owner + "        uid: \"\"\n").ok();
        awaitAvailable("reservation-demo");
        eventually(() -> assertThat(conditions("reservation-demo")).contains("OwnersUsable=False/OwnerControlsNoPods"));
        eventually(() -> assertThat(type("get events").ok().out())
                .contains("OwnerControlsNoPods", "spec.owners[0].controller.kind (Deployment) matches no pod"));
    }

    @Test
    void aPodThatAsksForMoreThanIsBuiltIsToldSo() {
        type(
                        "create -f -",
                        POD.replace(
                                "metadata:\n",
                                "metadata:\n  annotations: {scheduling.koordinator.sh/reservation-affinity: '{}'}\n"))
                .ok();
        assertThat(whyPending("pod-demo-0")).contains("reservation-affinity", "Berth does not decide on yet");
    }

    private static String stranger(String cpu) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: stranger
                spec:
                  nodeSelector: {kubernetes.io/hostname: node-1}
                  containers:
                  - name: app
                    image: nginx
                    resources: {requests: {cpu: "%s"}}
                """.formatted(cpu);
    }

    private String awaitAvailable(String reservation) {
        eventually(() -> assertThat(status(reservation, "{.status.phase}")).isEqualTo("Available"));
        return status(reservation, "{.status.nodeName}");
    }

    private String status(String reservation, String path) {
        return print("get reservation " + reservation, path);
    }

    private String conditions(String reservation) {
        return status(reservation, "{range .status.conditions[*]}{.type}={.status}/{.reason} {end}");
    }
}
