package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The field {@code preAllocation} of Koordinator's page: a reservation takes over a running pod. */
final class PreAllocationPageTest extends UserPage {
    private static final String ALLOCATED =
            "{.metadata.annotations.scheduling\\.koordinator\\.sh/reservation-allocated}";
    private static final String STATUS = "get reservation takes-over";

    PreAllocationPageTest() {
        super("koordinator");
    }

    @AfterEach
    void deleteEverything() {
        run("delete reservation --all").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void reservationBindsToARunningPodAndReservesItsResourcesWhenThePodTerminates() throws InterruptedException {
        run("create -f -", pod("old", "migrating", "5")).ok();
        assertThat(awaitRunning("old")).isEqualTo("node-1");
        run("create -f -", reservation("Restricted")).ok();

        eventually(() -> assertThat(jsonPath(STATUS, "{.status.phase} {.status.nodeName} {.status.allocated.cpu}"))
                .isEqualTo("Available node-1 5"));
        assertThat(jsonPath(STATUS, "{.status.currentOwners[*].name}")).isEqualTo("old");
        assertThat(jsonPath(STATUS, "{.status.conditions[?(@.type==\"PreAllocated\")].status}"))
                .isEqualTo("True");
        String uid = jsonPath(STATUS, "{.metadata.uid}");
        eventually(() -> assertThat(jsonPath("get pod old", ALLOCATED))
                .isEqualTo("{\"name\":\"takes-over\",\"uid\":\"%s\"}".formatted(uid)));

        cluster().restartBerth();
        run("delete pod old").ok();
        eventually(() -> assertThat(jsonPath(STATUS, "{.status.phase} {.status.allocated.cpu}"))
                .isEqualTo("Available 0"));
        assertThat(jsonPath(STATUS, "{.status.conditions[?(@.type==\"PreAllocated\")].status}"))
                .isEmpty();

        run("create -f -", pod("stranger", "other", "4")).ok();
        assertThat(unschedulableMessage("stranger")).contains("held by Reservation takes-over");
        run("create -f -", pod("new", "migrating", "5")).ok();
        assertThat(awaitRunning("new")).isEqualTo("node-1");
        eventually(() ->
                assertThat(jsonPath(STATUS, "{.status.currentOwners[*].name}")).isEqualTo("new"));
    }

    @Test
    void allocatePolicyOtherThanRestrictedIsReportedOnTheReservation() {
        run("create -f -", pod("old", "migrating", "5")).ok();
        awaitRunning("old");
        run("create -f -", reservation("Aligned")).ok();

        eventually(() -> assertThat(jsonPath(STATUS, "{.status.conditions[0].reason} {.status.conditions[0].message}"))
                .contains(
                        "Unschedulable",
                        "node(s) reservation pre allocation is unsupported with current attributes",
                        "spec.allocatePolicy Restricted"));
    }

    private static String pod(String name, String app, String cpu) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  labels: {app: %s}
                spec:
                  schedulerName: koord-scheduler
                  nodeSelector: {kubernetes.io/hostname: node-1}
                  containers:
                  - name: main
                    image: nginx
                    resources: {requests: {cpu: "%s"}}
                """.formatted(name, app, cpu);
    }

    private static String reservation(String policy) {
        return """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata:
                  name: takes-over
                  labels: {scheduling.koordinator.sh/pre-allocation-required: "true"}
                spec:
                  preAllocation: true
                  allocateOnce: false
                  allocatePolicy: %s
                  template:
                    spec:
                      schedulerName: koord-scheduler
                      containers:
                      - name: main
                        resources: {requests: {cpu: "5"}}
                  owners:
                  - labelSelector: {matchLabels: {app: migrating}}
                """.formatted(policy);
    }
}
