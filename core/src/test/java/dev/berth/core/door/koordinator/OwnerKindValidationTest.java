package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Owner;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reservation whose owner is of a kind that controls no pods says so. */
class OwnerKindValidationTest {
    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    private static Owner controller(String apiVersion, String kind) {
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.of(apiVersion), Optional.of(kind), Optional.empty(), Optional.of("web"), Optional.empty());
        return Owner.ofController(match);
    }

    private static ReservationBuilder reservation(Owner owner) {
        return aReservation("r").requesting("2 cpu").forOwner(owner);
    }

    private String message() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.OWNERS_USABLE)
                .map(ReservationCondition::message)
                .orElse("");
    }

    @Test
    void aDeploymentAsOwnerIsNotReported() {
        cluster.createReservation(reservation(controller("apps/v1", "Deployment")));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aDeploymentWithoutANameIsReportedUntilTheOwnersAreCorrected() {
        cluster.createReservation(reservation(Owner.ofController(new Owner.ControllerMatch(
                Optional.of("apps/v1"),
                Optional.of("Deployment"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()))));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.conditions("r")).contains("Ready=true/Available", "OwnersUsable=false/OwnerControlsNoPods");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.kind (Deployment) matches no pod without a name and a uid. Name the"
                                + " Deployment, or use labelSelector with the labels of the pods");
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("OwnerControlsNoPods: spec.owners[0]"))
                .hasSize(1);
        cluster.edit(reservation(controller("apps/v1", "ReplicaSet")));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aCronJobAsOwnerIsReportedBeforeThereIsAPlace() {
        cluster.createReservation(aReservation("r").requesting("9 cpu").forOwner(controller("batch/v1", "CronJob")));
        assertThat(cluster.conditions("r"))
                .contains("Scheduled=false/Unschedulable", "OwnersUsable=false/OwnerControlsNoPods");
        assertThat(message()).contains("the controller of such a pod is a Job");
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("OwnerControlsNoPods"))
                .hasSize(1);
    }

    @Test
    void aKindOfTheSameNameInAnotherGroupIsNotReported() {
        cluster.createReservation(reservation(controller("example.com/v1", "Deployment")));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anOwnerObjectThatIsNotAPodIsReportedUntilTheOwnersAreCorrected() {
        cluster.createReservation(reservation(object("StatefulSet")));
        assertThat(cluster.conditions("r"))
                .as("the Reservation keeps room that no pod of the StatefulSet can use")
                .contains("OwnersUsable=false/OwnerNotAPod");
        assertThat(message())
                .isEqualTo("spec.owners[0].object.kind (StatefulSet) matches no pod: object names a Pod. Name the"
                        + " StatefulSet in controller, or use labelSelector with the labels of the pods");

        cluster.edit(reservation(object("Deployment")));
        assertThat(message())
                .isEqualTo("spec.owners[0].object.kind (Deployment) matches no pod: object names a Pod. Name the"
                        + " Deployment in controller, or use labelSelector with the labels of the pods");

        cluster.edit(reservation(object("Pod")));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aMisspeltKindOfControllerIsReported() {
        cluster.createReservation(reservation(controller("apps/v1", "StatefullSet")));
        assertThat(cluster.conditions("r")).contains("OwnersUsable=false/UnknownOwnerKind");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.kind (StatefullSet) matches no pod: apps/v1 has no kind of this name that"
                                + " controls pods. Did you mean StatefulSet?");

        cluster.edit(reservation(kind("statefulset")));
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.kind (statefulset) matches no pod: Kubernetes has no kind of this name that"
                                + " controls pods. Did you mean StatefulSet?");
    }

    @Test
    void aKindUnderTheWrongApiVersionIsReported() {
        cluster.createReservation(reservation(controller("v1", "StatefulSet")));
        assertThat(cluster.conditions("r")).contains("OwnersUsable=false/UnknownOwnerKind");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.apiVersion (v1) matches no pod: the apiVersion of a StatefulSet is"
                                + " apps/v1. Write apps/v1");
    }

    @Test
    void kindsThatControlPodsAndKindsOfOtherGroupsAreNotReported() {
        cluster.createReservation(reservation(controller("apps/v1", "StatefulSet")));
        for (Owner owner : List.of(
                controller("v1", "ReplicationController"),
                controller("batch/v1", "Job"),
                controller("apps.kruise.io/v1beta1", "StatefulSet"),
                controller("apps.kruise.io/v1alpha1", "CloneSet"),
                controller("v1", "ConfigMap"),
                kind("CloneSet"),
                kind("DaemonSet"))) {
            cluster.edit(reservation(owner));
            assertThat(cluster.conditions("r"))
                    .as("%s", owner)
                    .isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        }
    }

    private static Owner kind(String kind) {
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.empty(), Optional.of(kind), Optional.empty(), Optional.of("web"), Optional.empty());
        return Owner.ofController(match);
    }

    private static Owner object(String kind) {
        Owner.PodMatch match =
                new Owner.PodMatch(Optional.empty(), Optional.of("default"), Optional.of("web"), Optional.of(kind));
        return Owner.ofPod(match);
    }
}
