package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.Scenario;
import dev.berth.e2e.pages.PreemptingReservations;
import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Preemption in Reservations and by Reservations. */
@PreemptingReservations
final class PreemptionPageTest extends UserPage {
    private static final String RESERVATION = "get reservations.scheduling.koordinator.sh ";
    private static final String ALLOCATED =
            "{.metadata.annotations.scheduling\\.koordinator\\.sh/reservation-allocated}";

    @BeforeEach
    void createPriorityClasses() {
        run("apply -f -", priorityClass("low", 10)).ok();
        run("apply -f -", priorityClass("high", 1_000)).ok();
        run("apply -f -", priorityClass("highest", 1_000_000_000)).ok();
    }

    @AfterEach
    void deleteEverything() {
        run("delete reservations.scheduling.koordinator.sh --all").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    @Scenario(125)
    void aNonOwnerOfTheHighestPriorityDoesNotEvictAnOwnerInTheReservation() {
        createAvailable("shared", "");
        run("apply -f -", pod("owner", "low", "labels: {app: shared}")).ok();
        assertThat(awaitRunning("owner")).isEqualTo("node-0");

        run("apply -f -", pod("stranger", "highest", "")).ok();

        assertThat(unschedulableMessage("stranger")).contains("Insufficient cpu");
        assertThat(jsonPath("get pod owner", "{.status.phase} {.metadata.deletionTimestamp}"))
                .isEqualTo("Running ");
    }

    @Test
    @Scenario(126)
    void anOwnerOfHigherPriorityEvictsAnOwnerAndUsesTheReservation() {
        createAvailable("aligned", "");
        assertThatHighReplacesLowIn("aligned");
        run("delete pod --all --now").ok();
        run("delete reservations.scheduling.koordinator.sh aligned").ok();

        createAvailable("restricted", "allocatePolicy: Restricted");
        assertThatHighReplacesLowIn("restricted");
    }

    private void assertThatHighReplacesLowIn(String reservation) {
        String labels = "labels: {app: %s}".formatted(reservation);
        run("apply -f -", pod(reservation + "-low", "low", labels)).ok();
        assertThat(awaitRunning(reservation + "-low")).isEqualTo("node-0");
        run("apply -f -", pod(reservation + "-high", "high", labels)).ok();

        assertThat(awaitRunning(reservation + "-high")).isEqualTo("node-0");
        assertThat(jsonPath("get pod " + reservation + "-high", ALLOCATED)).contains("\"" + reservation + "\"");
        eventually(() -> assertThat(jsonPath(RESERVATION + reservation, "{.status.currentOwners[*].name}"))
                .isEqualTo(reservation + "-high"));
    }

    @Test
    void aReservationEvictsAPodOnceAlthoughBerthIsKilled() throws InterruptedException {
        run("apply -f -", slowToTerminate(pod("victim", "low", "annotations: {simulate.berth.dev/stop-after: 600s}")))
                .ok();
        assertThat(awaitRunning("victim")).isEqualTo("node-0");

        run("apply -f -", reservation("vip", "priority: 1000", "")).ok();
        eventually(() -> assertThat(jsonPath("get pod victim", "{.metadata.deletionTimestamp}"))
                .isNotEmpty());
        String deleted = jsonPath("get pod victim", "{.metadata.deletionTimestamp}");
        assertThat(jsonPath(RESERVATION + "vip", "{.status.phase} {.status.nominatedNodeName}"))
                .isEqualTo("Pending node-0");
        assertThat(jsonPath(RESERVATION + "vip", "{.status.conditions[?(@.type=='NodeNominated')].message}"))
                .isEqualTo("node-0");
        eventually(
                () -> assertThat(jsonPath(RESERVATION + "vip", "{.status.conditions[?(@.type=='Scheduled')].message}"))
                        .contains("Berth evicts pods on node node-0 for this Reservation: default/victim"));
        eventually(() -> assertThat(
                        run("get events -o jsonpath={.items[*].message}").ok().out())
                .contains("Preempted by Reservation vip on node node-0"));
        cluster().restartBerth();

        run("apply -f -", pod("late", "low", "")).ok();
        assertThat(unschedulableMessage("late")).contains("Insufficient cpu");
        assertThat(jsonPath("get pod victim", "{.metadata.deletionTimestamp}")).isEqualTo(deleted);
        run("delete pod victim --grace-period=0 --force").ok();

        eventually(() -> assertThat(jsonPath(RESERVATION + "vip", "{.status.phase} {.status.nodeName}"))
                .isEqualTo("Available node-0"));
        assertThat(jsonPath(RESERVATION + "vip", "{.status.nominatedNodeName}")).isEmpty();
        assertThat(jsonPath("get pod late", "{.spec.nodeName}")).isEmpty();
    }

    private void createAvailable(String name, String spec) {
        run("apply -f -", reservation(name, "nodeName: node-0", spec)).ok();
        eventually(() ->
                assertThat(jsonPath(RESERVATION + name, "{.status.phase}")).isEqualTo("Available"));
    }

    private static String reservation(String name, String template, String spec) {
        return """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata:
                  name: %1$s
                spec:
                  allocateOnce: false
                  %3$s
                  template:
                    spec:
                      %2$s
                      schedulerName: koord-scheduler
                      nodeSelector:
                        kubernetes.io/hostname: node-0
                      containers:
                        - name: app
                          image: nginx
                          resources:
                            requests:
                              cpu: 8
                  owners:
                    - labelSelector:
                        matchLabels:
                          app: %1$s
                  ttl: 1h
                """.formatted(name, template, spec);
    }

    private static String pod(String name, String priority, String metadata) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                %sspec:
                  schedulerName: koord-scheduler
                  priorityClassName: %s
                  nodeSelector:
                    kubernetes.io/hostname: node-0
                  terminationGracePeriodSeconds: 1
                  containers:
                    - name: app
                      image: nginx
                      resources:
                        requests:
                          cpu: 8
                """.formatted(name, metadata.indent(2), priority);
    }

    private static String slowToTerminate(String pod) {
        return pod.replace("terminationGracePeriodSeconds: 1", "terminationGracePeriodSeconds: 600");
    }

    private static String priorityClass(String name, int value) {
        return """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: %s}
                value: %d
                """.formatted(name, value);
    }
}
