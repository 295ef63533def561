package dev.berth.app.pages.draws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each test has a node of 8 cpus for itself, and Berth is killed and started again in the middle. */
abstract class DrawsPage extends UserPage {
    private static final String RESERVATIONS = "get reservations.scheduling.koordinator.sh ";
    private static final String RETURN_HOLDS = "get reservations.scheduling.godel.kubewharf.io --no-headers -o name";
    private static final String HOLD = "{.metadata.annotations.berth\\.dev/hold}";

    DrawsPage(Opening opening) {
        super(opening);
    }

    @BeforeAll
    final void priorities() {
        type("create priorityclass low --value=10").ok();
        type("create priorityclass high --value=1000").ok();
    }

    @Test
    void anOwnerThatPreemptsAnotherOwnerLandsInTheirReservation() throws InterruptedException {
        reservation("owners", "node-0", "8", false);
        type("apply -f -", pod("low", "node-0", "8", "low", "labels: {app: owners}"))
                .ok();
        assertThat(nodeOfRunning("low")).isEqualTo("node-0");

        type("apply -f -", pod("high", "node-0", "8", "high", "labels: {app: owners}"))
                .ok();
        eventually(() -> assertThat(
                        type("get pod low --ignore-not-found -o name").ok().out())
                .isEmpty());
        cluster().restartBerth();

        assertThat(nodeOfRunning("high")).isEqualTo("node-0");
        assertThat(print("get pod high", HOLD)).isEqualTo("reservation/" + uid("owners"));
        eventually(() -> assertThat(print(RESERVATIONS + "owners", "{.status.currentOwners[*].name}"))
                .isEqualTo("high"));
        type("delete pod high --now").ok();
        type("delete reservations.scheduling.koordinator.sh owners").ok();
    }

    @Test
    void anOwnerThatPreemptsAStrangerLandsInItsReservationForOnce() {
        reservation("once", "node-1", "4", true);
        type("apply -f -", pod("stranger", "node-1", "4", "low", "")).ok();
        assertThat(nodeOfRunning("stranger")).isEqualTo("node-1");

        type("apply -f -", pod("owner", "node-1", "8", "high", "labels: {app: once}"))
                .ok();
        assertThat(nodeOfRunning("owner")).isEqualTo("node-1");
        assertThat(print("get pod owner", HOLD)).isEqualTo("reservation/" + uid("once"));
        type("delete pod owner --now").ok();
        type("delete reservations.scheduling.koordinator.sh once").ok();
    }

    @Test
    void aReturnHoldInsideAReservationKeepsTheRoomOnce() throws InterruptedException {
        reservation("shared", "node-2", "6", false);
        String returning = "labels: {app: shared}\nannotations: {godel.bytedance.com/reservation: \"true\","
                + " godel.bytedance.com/reservation-index: draws, godel.bytedance.com/reservation-ttl: \"600\"}";
        type("apply -f -", pod("first", "node-2", "6", "low", returning)).ok();
        assertThat(nodeOfRunning("first")).isEqualTo("node-2");
        type("delete pod first").ok();
        eventually(() -> assertThat(type(RETURN_HOLDS).ok().out()).contains("first"));
        cluster().restartBerth();

        type("apply -f -", pod("small", "node-2", "2", "low", "")).ok();
        assertThat(nodeOfRunning("small")).as("the room is kept once").isEqualTo("node-2");
        type("apply -f -", pod("second", "node-2", "6", "low", returning)).ok();
        assertThat(nodeOfRunning("second")).isEqualTo("node-2");
        assertThat(print("get pod second", HOLD)).isEqualTo("reservation/" + uid("shared"));
        eventually(() -> assertThat(type(RETURN_HOLDS).ok().out()).doesNotContain("first"));
        type("delete pod small --now").ok();

        type("patch reservations.scheduling.koordinator.sh shared --type=merge -p"
                        + " {\"spec\":{\"owners\":[{\"labelSelector\":{\"matchLabels\":{\"app\":\"other\"}}}]}}")
                .ok();
        type("delete pod second").ok();
        eventually(() -> assertThat(
                        type("get events -o jsonpath={.items[*].message}").ok().out())
                .contains("the room goes back to Reservation shared, which does not admit the pod's successor"));
        assertThat(type(RETURN_HOLDS).ok().out()).doesNotContain("second");
        type("delete reservations.scheduling.koordinator.sh shared").ok();
    }

    @Test
    void aFinishedPodWithAFinalizerHoldsNoRoomAfterItsReturnTtl() throws InterruptedException {
        String kept = "finalizers: [example.com/wait]\nannotations: {godel.bytedance.com/reservation: \"true\","
                + " godel.bytedance.com/reservation-index: done, godel.bytedance.com/reservation-ttl: \"2\"}";
        type("apply -f -", pod("done", "node-1", "8", "low", kept)).ok();
        assertThat(nodeOfRunning("done")).isEqualTo("node-1");
        type("delete pod done --wait=false").ok();
        type("patch pod done --subresource=status --type=merge -p {\"status\":{\"phase\":\"Succeeded\"}}")
                .ok();
        cluster().restartBerth();

        type("apply -f -", pod("next", "node-1", "8", "low", "")).ok();
        assertThat(nodeOfRunning("next")).isEqualTo("node-1");
        type("patch pod done --type=merge -p {\"metadata\":{\"finalizers\":null}}")
                .ok();
        type("delete pod next --now").ok();
    }

    private String uid(String reservation) {
        return print(RESERVATIONS + reservation, "{.metadata.uid}");
    }

    private void reservation(String name, String node, String cpu, boolean once) {
        type("apply -f -", """
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
        eventually(
                () -> assertThat(print(RESERVATIONS + name, "{.status.phase}")).isEqualTo("Available"));
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
}
