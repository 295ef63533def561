package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * What koord-descheduler does for a PodMigrationJob in the mode ReservationFirst: it reserves a place for the successor
 * of a pod on another node, waits for the place, evicts the pod, waits until the successor uses the place, and deletes the
 * Reservation. If the place cannot be had, it aborts the job and deletes the Reservation.
 */
final class DeschedulerPageTest extends DeschedulerPage {
    private static final String READY = "{.status.conditions[?(@.type=='Ready')].%s}";

    @Test
    void aPodIsMigratedToTheNodeOfItsReservation() {
        String before = createRunningPod();
        create(reservationForSuccessor(JOB, before));
        awaitAvailable();
        String reserved = status("{.status.nodeName}");
        assertThat(reserved).isNotEqualTo(node(before));
        assertThat(status("{range .status.conditions[*]}{.type}={.status} {end}"))
                .as("no field of the pod is reported as a problem")
                .isEqualTo("Scheduled=True Ready=True ");

        run("delete pod %s --wait=false".formatted(before)).ok();
        eventually(() -> assertThat(podNames("app=migrated")).hasSize(1).doesNotContain(before));
        String successor = pod();
        assertThat(awaitRunning(successor)).isEqualTo(reserved);
        eventually(() -> assertThat(status("{.status.currentOwners[*].uid}")).isEqualTo(uid(successor)));
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo("Succeeded"));

        run("delete reservation " + JOB).ok();
        assertThat(awaitRunning(successor)).isEqualTo(reserved);
    }

    @Test
    void aPendingPodUsesTheReservationThatNamesItByItsUid() {
        String[] nodes = nodes();
        for (String node : nodes) {
            run("cordon " + node).ok();
        }
        run("create -f -", PENDING).ok();
        assertThat(unschedulableMessage("pending")).contains("unschedulable");
        create(reservationForPendingPod("pending"));
        awaitUnschedulable();
        awaitEndOfBackoff();

        run("uncordon " + nodes[1]).ok();
        assertThat(awaitRunning("pending")).isEqualTo(nodes[1]);
        eventually(() -> assertThat(status("{.status.phase} {.status.nodeName} {.status.currentOwners[*].uid}"))
                .isEqualTo("Succeeded %s %s".formatted(nodes[1], uid("pending"))));
    }

    @Test
    void aReservationWithoutAPlaceSaysSoAndItsDeletionLeavesThePodWhereItIs() {
        String pod = createRunningPod();
        String node = node(pod);
        for (String other : nodes()) {
            run("cordon " + other).ok();
        }
        create(reservationForSuccessor(JOB, pod));
        awaitUnschedulable();
        assertThat(status("{.status.phase} {.status.nodeName}")).isEqualTo("Pending ");

        run("delete reservation " + JOB).ok();
        assertThat(awaitRunning(pod)).isEqualTo(node);
    }

    @Test
    void aReservationThatExpiresFailsWithTheReasonExpired() {
        String pod = createRunningPod();
        String node = node(pod);
        ObjectNode reservation = reservationForSuccessor(JOB, pod);
        ((ObjectNode) reservation.get("spec")).put("ttl", "5s");
        create(reservation);
        eventually(() -> assertThat(status("{.status.phase} " + READY.formatted("status") + READY.formatted("reason")))
                .isEqualTo("Failed FalseExpired"));
        assertThat(status("{.status.nodeName}")).isNotEqualTo(node);
        assertThat(status("{.status.currentOwners[*].uid}")).isEmpty();

        run("delete reservation " + JOB).ok();
        assertThat(awaitRunning(pod)).isEqualTo(node);
    }

    @Test
    void aReservationWhosePlaceAnotherPodTookNamesThatPod() {
        String pod = createRunningPod();
        create(reservationForSuccessor(JOB, pod));
        awaitAvailable();
        run("scale deployment migrated --replicas=2").ok();
        eventually(() -> assertThat(podNames("app=migrated")).hasSize(2));
        String other = podNames("app=migrated").stream()
                .filter(name -> !name.equals(pod))
                .findFirst()
                .orElseThrow();
        eventually(() -> assertThat(status("{.status.phase} {.status.currentOwners[*].uid}"))
                .isEqualTo("Succeeded " + uid(other)));
        assertThat(awaitRunning(other)).isEqualTo(status("{.status.nodeName}"));

        run("delete reservation " + JOB).ok();
        assertThat(awaitRunning(pod)).isNotEmpty();
        assertThat(awaitRunning(other)).isNotEmpty();
    }

    @Test
    void theSuccessorUsesTheReservationWithTheSmallestOrder() {
        String before = createRunningPod();
        create(withOrder(reservationForSuccessor("a-without-order", before), ""));
        create(withOrder(reservationForSuccessor("b-later-job", before), "1789000000001"));
        create(reservationForSuccessor(JOB, before));
        for (String name : new String[] {"a-without-order", "b-later-job", JOB}) {
            eventually(() -> assertThat(jsonPath("get reservation " + name, "{.status.phase}"))
                    .isEqualTo("Available"));
        }
        run("delete pod %s --wait=false".formatted(before)).ok();
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo("Succeeded"));
        assertThat(jsonPath("get reservation a-without-order", "{.status.phase}"))
                .isEqualTo("Available");
        assertThat(jsonPath("get reservation b-later-job", "{.status.phase}")).isEqualTo("Available");
    }

    private static ObjectNode withOrder(ObjectNode reservation, String order) {
        ObjectNode labels = (ObjectNode) reservation.at("/metadata/labels");
        labels.remove("scheduling.koordinator.sh/reservation-order");
        if (!order.isEmpty()) {
            labels.put("scheduling.koordinator.sh/reservation-order", order);
        }
        return reservation;
    }

    /** Without a back-off the Reservation is tried before the pod, because its priority is higher. */
    private void awaitEndOfBackoff() {
        eventually(() -> assertThat(Instant.now())
                .isAfter(Instant.parse(status("{.status.conditions[?(@.type=='Scheduled')].lastProbeTime}"))
                        .plusSeconds(3)));
    }

    /** koord-descheduler aborts the job then. */
    private void awaitUnschedulable() {
        String scheduled = "{.status.conditions[?(@.type=='Scheduled')].%s}";
        eventually(() -> assertThat(status(scheduled.formatted("status") + scheduled.formatted("reason")))
                .isEqualTo("FalseUnschedulable"));
    }

    /** The Reservation and the pod do not fit on one node together. */
    private static final String PENDING = """
            apiVersion: v1
            kind: Pod
            metadata: {name: pending}
            spec:
              schedulerName: koord-scheduler
              terminationGracePeriodSeconds: 0
              containers:
              - name: main
                image: nginx
                resources: {requests: {cpu: "6"}}
            """;
}
