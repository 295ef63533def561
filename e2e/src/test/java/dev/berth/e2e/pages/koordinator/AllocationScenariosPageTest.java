package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.Scenario;
import org.junit.jupiter.api.Test;

/** Koordinator's end-to-end scenarios of allocation and policies. */
final class AllocationScenariosPageTest extends ScenarioPage {
    private static final String STATUS_AMOUNTS = "{.status.allocatable.cpu} {.status.allocatable.memory}"
            + " {.status.allocated.cpu} {.status.allocated.memory}";

    @Test
    @Scenario({1, 137})
    void anAllocateOnceReservationSucceedsWithItsFirstOwnerForGood() {
        createAvailable(reservationYaml("once", "allocateOnce: true", "cpu: 1, memory: 1Gi"));
        create(ownerYaml("owner", "once", "cpu: 1, memory: 1Gi"));
        assertThat(awaitRunning("owner")).isEqualTo("node-0");
        eventually(() -> assertThat(reservation("once", "{.status.phase}")).isEqualTo("Succeeded"));
        assertThat(allocatedReservation("owner")).isEqualTo("once");
        assertThat(reservation("once", STATUS_AMOUNTS)).isEqualTo("1 1Gi 1 1Gi");
        awaitOwners("once", "owner");

        run("delete pod owner --now").ok();
        create(ownerYaml("next", "once", "cpu: 1, memory: 1Gi"));
        awaitRunning("next");
        assertThat(reservation("once", "{.status.phase}")).isEqualTo("Succeeded");
        assertThat(allocatedReservation("next")).isEmpty();
    }

    @Test
    @Scenario({2, 17})
    void twoOwnersShareAReservation() {
        createAvailable(reservationYaml("shared", SHARED, "cpu: 2, memory: 2Gi"));
        create(ownerYaml("a", "shared", "cpu: 1, memory: 1Gi"), ownerYaml("b", "shared", "cpu: 1, memory: 1Gi"));
        awaitRunning("a");
        awaitRunning("b");
        awaitOwners("shared", "a", "b");
        assertThat(allocatedReservation("a") + allocatedReservation("b")).isEqualTo("sharedshared");
        eventually(() -> assertThat(reservation("shared", "{.status.phase} " + STATUS_AMOUNTS))
                .isEqualTo("Available 2 2Gi 2 2Gi"));
    }

    @Test
    @Scenario({5, 6, 16, 18})
    void otherPodsAndReservationsGetWhatIsNotReserved() {
        createAvailable(reservationYaml("half", SHARED, "cpu: 4"));
        create(podYaml("beside", "", ON_NODE_0, requests("cpu: 3")));
        assertThat(awaitRunning("beside")).isEqualTo("node-0");
        assertThat(allocatedReservation("beside")).isEmpty();
        assertThat(reservation("half", "{.status.currentOwners}")).isEmpty();

        create(podYaml("other", "", ON_NODE_0, requests("cpu: 4")));
        assertThat(unschedulableMessage("other")).contains("Insufficient cpu");

        create(ownerYaml("owner", "half", "cpu: 4"));
        assertThat(awaitRunning("owner")).isEqualTo("node-0");
        assertThat(allocatedReservation("owner")).isEqualTo("half");
        createAvailable(reservationYaml("second", SHARED, "cpu: 1"));
        assertThat(reservation("second", "{.status.nodeName}")).isEqualTo("node-0");
    }

    @Test
    @Scenario(30)
    void aRestrictedReservationGivesNoMoreMemoryThanItHasLeft() {
        createAvailable(reservationYaml("strict", SHARED + "\nallocatePolicy: Restricted", "cpu: 4, memory: 8Gi"));
        create(podYaml("rest", "", ON_NODE_0, requests("memory: 24Gi")));
        awaitRunning("rest");
        createFourOwnersOf("strict");

        assertThat(unschedulableMessage("d")).contains("Insufficient memory");
        awaitOwners("strict", "a", "b", "c");
        assertThat(reservation("strict", "{.status.allocated.memory}")).isEqualTo("7Gi");
    }

    @Test
    @Scenario(31)
    void anOwnerOfAnAlignedReservationTakesTheRestFromTheNode() {
        createAvailable(reservationYaml("aligned", SHARED + "\nallocatePolicy: Aligned", "cpu: 4, memory: 8Gi"));
        createFourOwnersOf("aligned");

        awaitRunning("d");
        awaitOwners("aligned", "a", "b", "c", "d");
        eventually(() ->
                assertThat(reservation("aligned", "{.status.allocated.memory}")).isEqualTo("9Gi"));
    }

    private void createFourOwnersOf(String reservation) {
        create(
                ownerYaml("a", reservation, "cpu: 2, memory: 2Gi"),
                ownerYaml("b", reservation, "cpu: 2, memory: 2Gi"),
                ownerYaml("c", reservation, "memory: 3Gi"));
        awaitRunning("a");
        awaitRunning("b");
        awaitRunning("c");
        create(ownerYaml("d", reservation, "memory: 2Gi"));
    }

    @Test
    @Scenario(32)
    void anOwnerCannotCombineTwoReservations() {
        for (String part : new String[] {"part-1", "part-2"}) {
            createAvailable(reservationYaml(part, SHARED, "cpu: 4").replace("app: " + part, "app: parts"));
        }
        create(ownerYaml("large", "parts", "cpu: 5"));
        assertThat(unschedulableMessage("large")).contains("Insufficient cpu");
    }

    @Test
    @Scenario(60)
    void aReservationAffinityRequiresAReservationWithTheLabel() {
        createAvailable(reservationYaml("chosen", "fast: \"true\"", SHARED, ON_NODE_0, requests("cpu: 2")));
        create(withAffinity("wrong", "false"));
        assertThat(unschedulableMessage("wrong")).contains("no reservations match reservation affinity");
        create(withAffinity("right", "true"));
        assertThat(awaitRunning("right")).isEqualTo("node-0");
        assertThat(allocatedReservation("right")).isEqualTo("chosen");
    }

    private static String withAffinity(String name, String value) {
        return podYaml(name, """
                labels: {app: chosen}
                annotations:
                  scheduling.koordinator.sh/reservation-affinity: >-
                    {"requiredDuringSchedulingIgnoredDuringExecution": {"reservationSelectorTerms":
                    [{"matchExpressions": [{"key": "fast", "operator": "In", "values": ["%s"]}]}]}}
                """.formatted(value), "", requests("cpu: 1"));
    }

    @Test
    @Scenario(67)
    void anOwnerThatToleratesTheTaintUsesTheReservation() {
        createAvailable(
                reservationYaml("tainted", SHARED + "\ntaints: [{key: team, value: a, effect: NoSchedule}]", "cpu: 8"));
        create(ownerYaml("not", "tainted", "cpu: 1"));
        assertThat(unschedulableMessage("not")).contains("Insufficient cpu");
        create(podYaml(
                "tolerates",
                "labels: {app: tainted}",
                ON_NODE_0 + "\ntolerations: [{key: team, value: a, effect: NoSchedule}]",
                requests("cpu: 1")));
        assertThat(awaitRunning("tolerates")).isEqualTo("node-0");
        assertThat(allocatedReservation("tolerates")).isEqualTo("tainted");
    }

    @Test
    @Scenario(132)
    void anUnusedReservationFailsAfterItsTtl() {
        createAvailable(reservationYaml("short", SHARED, "cpu: 8").replace("ttl: 1h", "ttl: 10s"));
        eventually(() -> assertThat(
                        reservation("short", "{.status.phase} {.status.conditions[?(@.type=='Ready')].reason}"))
                .isEqualTo("Failed Expired"));
        create(podYaml("other", "", ON_NODE_0, requests("cpu: 7")));
        assertThat(awaitRunning("other")).isEqualTo("node-0");
    }
}
