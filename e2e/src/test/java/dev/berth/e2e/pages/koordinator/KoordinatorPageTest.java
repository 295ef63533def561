package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Koordinator's page on resource reservation: the quick start, the example on a specified node, and what people get
 * wrong. Otherwise than printed, a reservation for once is Succeeded after its claim.
 */
final class KoordinatorPageTest extends UserPage {
    private static final String ALLOCATED =
            "{.metadata.annotations.scheduling\\.koordinator\\.sh/reservation-allocated}";

    KoordinatorPageTest() {
        super("koordinator");
    }

    @Test
    void theShortNameOfReservationsIsNotAmbiguous() {
        assertThat(run("get reservation nobody").refused().err())
                .contains("reservations.scheduling.koordinator.sh \"nobody\" not found");
        assertThat(run("get godelreservation nobody").refused().err())
                .contains("reservations.scheduling.godel.kubewharf.io \"nobody\" not found");
        assertThat(run("get reservations.scheduling.koordinator.sh nobody")
                        .refused()
                        .err())
                .contains("reservations.scheduling.koordinator.sh \"nobody\" not found");
    }

    @AfterEach
    void deleteEverything() {
        run("delete reservation --all").ok();
        run("delete deployment app-demo --ignore-not-found").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void theQuickStartOfThePageReservesANodeAndThePodUsesIt() {
        assertThat(run("create -f reservation-demo.yaml").ok().out())
                .isEqualTo("reservation.scheduling.koordinator.sh/reservation-demo created\n");
        String node = awaitAvailable("reservation-demo");
        List<String> printed =
                run("get reservation reservation-demo -o wide").ok().lines();
        assertThat(printed.get(0)).matches("NAME +PHASE +AGE +NODE +TTL +EXPIRES +UNTIL .*");
        assertThat(printed.get(1))
                .matches(
                        "reservation-demo +Available +\\d+s +%s +1h +20\\S+Z +500m cpu, 800Mi memory +0 cpu, 0 memory *"
                                .formatted(node));
        assertThat(conditions("reservation-demo")).isEqualTo("Scheduled=True/Scheduled Ready=True/Available ");
        eventually(() ->
                assertThat(run("get events").ok().out()).contains("Successfully assigned reservation-demo to " + node));

        assertThat(run("create -f pod-demo-0.yaml").ok().out()).isEqualTo("pod/pod-demo-0 created\n");
        assertThat(awaitRunning("pod-demo-0")).isEqualTo(node);
        String uid = jsonPath("get reservation reservation-demo", "{.metadata.uid}");
        assertThat(jsonPath("get pod pod-demo-0", ALLOCATED))
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
                .isEqualTo(jsonPath("get pod pod-demo-0", "{.metadata.uid}"));
        assertThat(conditions("reservation-demo")).isEqualTo("Scheduled=True/Scheduled Ready=False/Succeeded ");

        assertThat(run("delete reservation reservation-demo").ok().out())
                .startsWith("reservation.scheduling.koordinator.sh \"reservation-demo\" deleted");
        assertThat(run("get pod pod-demo-0 --no-headers").ok().out()).matches("pod-demo-0 +1/1 +Running +0 +\\S+\\n");
    }

    @Test
    void reserveOnSpecifiedNodeWithMultipleOwners() {
        assertThat(run("create -f reservation-demo-big.yaml").ok().out())
                .isEqualTo("reservation.scheduling.koordinator.sh/reservation-demo-big created\n");
        assertThat(awaitAvailable("reservation-demo-big")).isEqualTo("node-1");

        assertThat(run("create -f app-demo.yaml").ok().out()).isEqualTo("deployment.apps/app-demo created\n");
        eventually(() -> assertThat(podNames("app=app-demo")).hasSize(2));
        for (String pod : podNames("app=app-demo")) {
            assertThat(awaitRunning(pod)).isEqualTo("node-1");
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
                .containsExactlyInAnyOrderElementsOf(podNames("app=app-demo"));
        assertThat(conditions("reservation-demo-big")).isEqualTo("Scheduled=True/Scheduled Ready=True/Available ");
    }

    @Test
    void reservationsAreHeldAndUpdatedAfterBerthIsKilled() throws InterruptedException {
        run("create -f reservation-demo-big.yaml").ok();
        awaitAvailable("reservation-demo-big");
        run("create -f reservation-demo.yaml").ok();
        awaitAvailable("reservation-demo");

        run("create -f pod-demo-0.yaml").ok();
        eventually(() ->
                assertThat(jsonPath("get pod pod-demo-0", "{.spec.nodeName}")).isNotEmpty());
        cluster().restartBerth();

        eventually(
                () -> assertThat(status("reservation-demo", "{.status.phase}")).isEqualTo("Succeeded"));
        assertThat(status("reservation-demo", "{.status.currentOwners[*].name}"))
                .isEqualTo("pod-demo-0");
        run("create -f -", podWithoutReservation("3")).ok();
        assertThat(unschedulableMessage("stranger"))
                .containsPattern("Insufficient cpu \\([0-9m]+ held by Reservation reservation-demo-big");
        run("delete reservation reservation-demo-big").ok();
        assertThat(awaitRunning("stranger")).isEqualTo("node-1");
    }

    @Test
    void pendingAndAvailableReservationsExpireAtTheirDeadline() {
        run("create -f -", example("reservation-demo-big.yaml").replace("ttl: 1h", "ttl: 4s"))
                .ok();
        run(
                        "create -f -",
                        example("reservation-demo.yaml")
                                .replace("cpu: 500m", "cpu: 500")
                                .replace("ttl: 1h", "ttl: 4s"))
                .ok();
        eventually(() ->
                assertThat(status("reservation-demo-big", "{.status.phase}")).isEqualTo("Failed"));
        assertThat(conditions("reservation-demo-big")).isEqualTo("Scheduled=True/Scheduled Ready=False/Expired ");
        eventually(() -> assertThat(run("get events").ok().out()).contains("Expired", "the Reservation expired"));
        eventually(
                () -> assertThat(status("reservation-demo", "{.status.phase}")).isEqualTo("Failed"));
        assertThat(conditions("reservation-demo")).isEqualTo("Scheduled=False/Unschedulable Ready=False/Expired ");
    }

    @Test
    void aMalformedSpecIsReportedOnTheReservation() {
        run("create -f -", example("reservation-demo.yaml").replace("cpu: 500m", "cpu: lots"))
                .ok();
        eventually(() -> assertThat(status("reservation-demo", "{.status.conditions[0].message}"))
                .contains("spec.template.spec: cpu: "));
        eventually(() -> assertThat(run("get events").ok().out()).contains("InvalidReservation", "lots"));
        run(
                        "create -f -",
                        example("reservation-demo.yaml")
                                .replace("reservation-demo", "odd")
                                .replace("  ttl: 1h", "  allocatePolicy: Odd\n  ttl: 1h"))
                .refused();
        run("replace -f reservation-demo.yaml").ok();
        awaitAvailable("reservation-demo");
    }

    @Test
    void anOwnerByControllerNeedsFourKeysAndACronJobIsReportedAsOneThatControlsNoPods() {
        String owner = """
                    - controller:
                        apiVersion: batch/v1
                        kind: CronJob
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
        assertThat(run("create -f -", reservation + owner).refused().err())
                .contains("spec.owners[0].controller.uid: Required value");
        run("create -f -", reservation + owner + "        uid: \"\"\n").ok();
        awaitAvailable("reservation-demo");
        eventually(() -> assertThat(conditions("reservation-demo")).contains("OwnersUsable=False/OwnerControlsNoPods"));
        eventually(() -> assertThat(run("get events").ok().out())
                .contains("OwnerControlsNoPods", "spec.owners[0].controller.kind (CronJob) matches no pod"));
    }

    @Test
    void aPodThatUsesUnsupportedFeaturesGetsAnEvent() {
        run(
                        "create -f -",
                        example("pod-demo-0.yaml")
                                .replace(
                                        "metadata:\n",
                                        "metadata:\n  labels: {scheduling.koordinator.sh/operating-mode: Reservation}\n"))
                .ok();
        assertThat(unschedulableMessage("pod-demo-0")).contains("operating-mode", "Berth does not support yet");
    }

    @Test
    void aPodOfAGangAndAReservationOfAGpuShareAreRejectedWithTheKeyAndItsValue() {
        run(
                        "create -f -",
                        example("pod-demo-0.yaml")
                                .replace(
                                        "metadata:\n",
                                        "metadata:\n  annotations: {gang.scheduling.koordinator.sh/name: train}\n"))
                .ok();
        assertThat(unschedulableMessage("pod-demo-0"))
                .contains("gang scheduling (annotation gang.scheduling.koordinator.sh/name: train)");

        run(
                        "create -f -",
                        example("reservation-demo.yaml")
                                .replace(
                                        "memory: 800Mi\n",
                                        "memory: 800Mi\n              koordinator.sh/gpu-core: 50\n"))
                .ok();
        eventually(() -> assertThat(conditions("reservation-demo")).contains("Scheduled=False/InvalidReservation"));
        assertThat(status("reservation-demo", "{.status.conditions[0].message}"))
                .contains("(request koordinator.sh/gpu-core: 50)");
    }

    private static String podWithoutReservation(String cpu) {
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
        return jsonPath("get reservation " + reservation, path);
    }

    private String conditions(String reservation) {
        return status(reservation, "{range .status.conditions[*]}{.type}={.status}/{.reason} {end}");
    }
}
