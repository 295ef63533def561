package dev.berth.e2e.pages.draws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each test has a node of 8 cpus for itself, and Berth is killed and started again in the middle. */
final class DrawsPageTest extends UserPage {
    private static final String RESERVATIONS = "get reservations.scheduling.koordinator.sh ";
    private static final String RETURN_HOLDS = "get reservations.scheduling.godel.kubewharf.io --no-headers -o name";
    private static final String HOLD = "{.metadata.annotations.berth\\.dev/hold}";

    @BeforeEach
    void createPriorityClasses() {
        run("apply -f -", priorityClass("low", 10)).ok();
        run("apply -f -", priorityClass("high", 1000)).ok();
    }

    @Test
    void ownerThatPreemptsAnotherOwnerUsesTheirReservation() throws InterruptedException {
        reservation("owners", "node-0", "8", false);
        run("apply -f -", pod("low", "node-0", "8", "low", "labels: {app: owners}"))
                .ok();
        assertThat(awaitRunning("low")).isEqualTo("node-0");

        run("apply -f -", pod("high", "node-0", "8", "high", "labels: {app: owners}"))
                .ok();
        eventually(() -> assertThat(
                        run("get pod low --ignore-not-found -o name").ok().out())
                .isEmpty());
        cluster().restartBerth();

        assertThat(awaitRunning("high")).isEqualTo("node-0");
        assertThat(jsonPath("get pod high", HOLD)).isEqualTo("koordinator/" + uid("owners"));
        eventually(() -> assertThat(jsonPath(RESERVATIONS + "owners", "{.status.currentOwners[*].name}"))
                .isEqualTo("high"));
        run("delete pod high --now").ok();
        run("delete reservations.scheduling.koordinator.sh owners").ok();
    }

    @Test
    void ownerThatPreemptsAStrangerUsesItsAllocateOnceReservation() {
        reservation("once", "node-1", "4", true);
        run("apply -f -", pod("stranger", "node-1", "4", "low", "")).ok();
        assertThat(awaitRunning("stranger")).isEqualTo("node-1");

        run("apply -f -", pod("owner", "node-1", "8", "high", "labels: {app: once}"))
                .ok();
        assertThat(awaitRunning("owner")).isEqualTo("node-1");
        assertThat(jsonPath("get pod owner", HOLD)).isEqualTo("koordinator/" + uid("once"));
        run("delete pod owner --now").ok();
        run("delete reservations.scheduling.koordinator.sh once").ok();
    }

    @Test
    void returnHoldThatDrawsOnAReservationHoldsTheCapacityOnce() throws InterruptedException {
        reservation("shared", "node-2", "6", false);
        String returning = "labels: {app: shared}\nannotations: {godel.bytedance.com/reservation: \"true\","
                + " godel.bytedance.com/reservation-index: draws, godel.bytedance.com/reservation-ttl: \"600\"}";
        run("apply -f -", pod("first", "node-2", "6", "low", returning)).ok();
        assertThat(awaitRunning("first")).isEqualTo("node-2");
        run("delete pod first").ok();
        eventually(() -> assertThat(run(RETURN_HOLDS).ok().out()).contains("first"));
        cluster().restartBerth();

        run("apply -f -", pod("small", "node-2", "2", "low", "")).ok();
        assertThat(awaitRunning("small")).as("the room is kept once").isEqualTo("node-2");
        run("apply -f -", pod("second", "node-2", "6", "low", returning)).ok();
        assertThat(awaitRunning("second")).isEqualTo("node-2");
        assertThat(jsonPath("get pod second", HOLD)).isEqualTo("koordinator/" + uid("shared"));
        eventually(() -> assertThat(run(RETURN_HOLDS).ok().out()).doesNotContain("first"));
        run("delete pod small --now").ok();

        run("patch reservations.scheduling.koordinator.sh shared --type=merge -p"
                        + " {\"spec\":{\"owners\":[{\"labelSelector\":{\"matchLabels\":{\"app\":\"other\"}}}]}}")
                .ok();
        run("delete pod second").ok();
        eventually(() -> assertThat(
                        run("get events -o jsonpath={.items[*].message}").ok().out())
                .contains("the capacity returns to Reservation shared, which does not admit the pod's successor"));
        assertThat(run(RETURN_HOLDS).ok().out()).doesNotContain("second");
        run("delete reservations.scheduling.koordinator.sh shared").ok();
    }

    @Test
    void aFinishedPodWithAFinalizerHoldsNoCapacityAfterItsReturnTtl() throws InterruptedException {
        String kept = "finalizers: [example.com/wait]\nannotations: {godel.bytedance.com/reservation: \"true\","
                + " godel.bytedance.com/reservation-index: done, godel.bytedance.com/reservation-ttl: \"2\"}";
        run("apply -f -", pod("done", "node-1", "8", "low", kept)).ok();
        assertThat(awaitRunning("done")).isEqualTo("node-1");
        run("delete pod done --wait=false").ok();
        run("patch pod done --subresource=status --type=merge -p {\"status\":{\"phase\":\"Succeeded\"}}")
                .ok();
        cluster().restartBerth();

        run("apply -f -", pod("next", "node-1", "8", "low", "")).ok();
        assertThat(awaitRunning("next")).isEqualTo("node-1");
        run("patch pod done --type=merge -p {\"metadata\":{\"finalizers\":null}}")
                .ok();
        run("delete pod next --now").ok();
    }

    private String uid(String reservation) {
        return jsonPath(RESERVATIONS + reservation, "{.metadata.uid}");
    }

    private void reservation(String name, String node, String cpu, boolean once) {
        run("apply -f -", """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata:
                  name: %1$s
                spec:
                  allocateOnce: %4$s
                  template:
                    spec:
                      nodeName: %2$s
                      schedulerName: koord-scheduler
                      containers:
                        - name: app
                          image: nginx
                          resources:
                            requests:
                              cpu: %3$s
                  owners:
                    - labelSelector:
                        matchLabels:
                          app: %1$s
                  ttl: 1h
                """.formatted(name, node, cpu, once)).ok();
        eventually(() ->
                assertThat(jsonPath(RESERVATIONS + name, "{.status.phase}")).isEqualTo("Available"));
    }

    private static String pod(String name, String node, String cpu, String priority, String metadata) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                %sspec:
                  schedulerName: koord-scheduler
                  priorityClassName: %s
                  nodeSelector:
                    kubernetes.io/hostname: %s
                  terminationGracePeriodSeconds: 1
                  containers:
                    - name: app
                      image: nginx
                      resources:
                        requests:
                          cpu: "%s"
                """.formatted(name, metadata.indent(2), priority, node, cpu);
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
