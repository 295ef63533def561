package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.PreemptingReservations;
import dev.berth.kubernetes.crd.CrdManifest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Preemption, a move and a resize while Koordinator's own CRD is installed: the API server drops Berth's fields. */
@PreemptingReservations
final class CrdOfKoordinatorPageTest extends ScenarioPage {
    private static final String SCHEDULED = "{.status.conditions[?(@.type=='Scheduled')].message}";
    private static final String ON_NODE_0_OR_1 = """
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions:
                    - {key: kubernetes.io/hostname, operator: In, values: [node-0, node-1]}""";

    @BeforeEach
    void installTheCrdOfKoordinator() {
        run("replace -f -", CrdOfKoordinator.yaml()).ok();
        // The API server may store an object by the old definition for a moment.
        eventually(() -> {
            run("delete reservation probe --ignore-not-found").ok();
            createAvailable(reservationYaml("probe", SHARED, "cpu: 1"));
            assertThat(reservation("probe", "{.status.berth}")).isEmpty();
        });
        run("delete reservation probe").ok();
    }

    @AfterEach
    void installTheCrdOfBerth() {
        run("uncordon node-0").ok();
        run("replace -f -", CrdManifest.KOORDINATOR_RESERVATIONS.yaml()).ok();
    }

    @Test
    void aReservationEvictsAPodOnceAlthoughBerthIsKilled() throws InterruptedException {
        create(podYaml(
                        "victim",
                        "annotations: {simulate.berth.dev/stop-after: 600s}",
                        ON_NODE_0 + "\npriority: 0",
                        requests("cpu: 8"))
                .replace("terminationGracePeriodSeconds: 1", "terminationGracePeriodSeconds: 600"));
        assertThat(awaitRunning("victim")).isEqualTo("node-0");

        create(reservationYaml("vip", "", SHARED, ON_NODE_0 + "\npriority: 1000", requests("cpu: 8")));
        eventually(() -> assertThat(jsonPath("get pod victim", "{.metadata.deletionTimestamp}"))
                .isNotEmpty());
        String deleted = jsonPath("get pod victim", "{.metadata.deletionTimestamp}");
        eventually(() -> assertThat(reservation("vip", SCHEDULED))
                .contains("Berth evicts pods on node node-0 for this Reservation: default/victim"));
        assertThat(reservation("vip", "{.status.conditions[?(@.type=='NodeNominated')].message}"))
                .isEqualTo("node-0");
        assertThat(reservation("vip", "{.status.phase}{.status.nominatedNodeName}"))
                .as("the API server does not store the node")
                .isEqualTo("Pending");
        cluster().restartBerth();

        create(podYaml("late", "", ON_NODE_0, requests("cpu: 8")));
        assertThat(unschedulableMessage("late")).contains("Insufficient cpu");
        assertThat(jsonPath("get pod victim", "{.metadata.deletionTimestamp}")).isEqualTo(deleted);
        assertThat(jsonPath("get events", "{.items[?(@.reason=='Preempted')].involvedObject.name}"))
                .as("evictions")
                .isEqualTo("victim");
        run("delete pod victim --grace-period=0 --force").ok();
        eventually(() -> assertThat(reservation("vip", "{.status.phase} {.status.nodeName}"))
                .isEqualTo("Available node-0"));
        assertThat(nodeOf("late")).isEmpty();
    }

    @Test
    void aReservationMovesWhenItsNodeIsCordonedAndStaysThereAfterARestart() throws InterruptedException {
        createAvailable(reservationYaml("moving", "", SHARED, ON_NODE_0_OR_1, requests("cpu: 6")));
        String node = reservation("moving", "{.status.nodeName}");
        String other = node.equals("node-0") ? "node-1" : "node-0";
        run("cordon " + node).ok();
        eventually(() -> assertThat(reservation("moving", "{.status.nodeName}")).isEqualTo(other));
        cluster().restartBerth();
        run("uncordon " + node).ok();
        create(podYaml("user", "labels: {app: moving}", "", requests("cpu: 6")));
        assertThat(awaitRunning("user")).isEqualTo(other);
        awaitOwners("moving", "user");
    }

    @Test
    void anEditOfTheTemplateResizesAReservationOnceAlsoAcrossARestart() throws InterruptedException {
        createAvailable(reservationYaml("resized", SHARED, "cpu: 2"));
        run("patch reservation resized --type=json -p "
                        + "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/resources/requests/cpu\",\"value\":\"4\"}]")
                .ok();
        eventually(() ->
                assertThat(reservation("resized", "{.status.allocatable.cpu}")).isEqualTo("4"));
        run("patch reservation resized --subresource=status --type=merge -p {\"status\":{\"allocatable\":{\"cpu\":\"3\"}}}")
                .ok();
        cluster().restartBerth();
        create(ownerYaml("user", "resized", "cpu: 1"));
        awaitOwners("resized", "user");
        assertThat(reservation("resized", "{.status.allocatable.cpu}"))
                .as("the template that was applied before is not applied again")
                .isEqualTo("3");
    }
}
