package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reservation.Status.Phase;
import dev.berth.core.hold.Owner;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reservation whose owner is of a kind that controls no pods says so. */
class OwnerKindsTest {
    private final Scene scene = new Scene();

    @BeforeEach
    void aClusterWithOneNode() {
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    private static Owner controller(String apiVersion, String kind) {
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.of(apiVersion), Optional.of(kind), Optional.empty(), Optional.of("web"), Optional.empty());
        return new Owner(Optional.empty(), Optional.of(match), Optional.empty());
    }

    private static ReservationBuilder reservation(Owner owner) {
        return aReservation("r").keeping("2 cpu").forOwner(owner);
    }

    private String message() {
        return scene.status("r")
                .condition(Condition.Type.OWNERS_USABLE)
                .map(Condition::message)
                .orElse("");
    }

    @Test
    void aDeploymentAsOwnerIsReportedUntilTheOwnersAreCorrected() {
        scene.reservation(reservation(controller("apps/v1", "Deployment")));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.conditions("r")).contains("Ready=true/Available", "OwnersUsable=false/OwnerControlsNoPods");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.kind (Deployment) matches no pod: the controller of such a pod is a"
                                + " ReplicaSet. Name the ReplicaSet, or use labelSelector with the labels of the pods");
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("OwnerControlsNoPods: spec.owners[0]"))
                .hasSize(1);
        scene.edit(reservation(controller("apps/v1", "ReplicaSet")));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aCronJobAsOwnerIsReportedBeforeThereIsAPlace() {
        scene.reservation(aReservation("r").keeping("9 cpu").forOwner(controller("batch/v1", "CronJob")));
        assertThat(scene.conditions("r"))
                .contains("Scheduled=false/Unschedulable", "OwnersUsable=false/OwnerControlsNoPods");
        assertThat(message()).contains("the controller of such a pod is a Job");
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("OwnerControlsNoPods"))
                .hasSize(1);
    }

    @Test
    void aKindOfTheSameNameInAnotherGroupIsNotReported() {
        scene.reservation(reservation(controller("example.com/v1", "Deployment")));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anObjectThatIsNoPodIsReportedUntilTheOwnersAreCorrected() {
        scene.reservation(reservation(object("StatefulSet")));
        assertThat(scene.conditions("r"))
                .as("the Reservation keeps room that no pod of the StatefulSet can use")
                .contains("OwnersUsable=false/OwnerIsNoPod");
        assertThat(message())
                .isEqualTo("spec.owners[0].object.kind (StatefulSet) matches no pod: object names a Pod. Name the"
                        + " StatefulSet in controller, or use labelSelector with the labels of the pods");

        scene.edit(reservation(object("Deployment")));
        assertThat(message())
                .isEqualTo("spec.owners[0].object.kind (Deployment) matches no pod: object names a Pod. Name the"
                        + " ReplicaSet in controller, or use labelSelector with the labels of the pods");

        scene.edit(reservation(object("Pod")));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aMisspeltKindOfControllerIsReported() {
        scene.reservation(reservation(controller("apps/v1", "StatefullSet")));
        assertThat(scene.conditions("r")).contains("OwnersUsable=false/OwnerKindUnknown");
        assertThat(message())
                .isEqualTo("spec.owners[0].controller.kind (StatefullSet) matches no pod: apps/v1 has no such kind that"
                        + " controls pods. Did you mean StatefulSet?");

        scene.edit(reservation(kind("statefulset")));
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.kind (statefulset) matches no pod: Kubernetes has no such kind that"
                                + " controls pods. Did you mean StatefulSet?");
    }

    @Test
    void aKindUnderTheWrongApiVersionIsReported() {
        scene.reservation(reservation(controller("v1", "StatefulSet")));
        assertThat(scene.conditions("r")).contains("OwnersUsable=false/OwnerKindUnknown");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.apiVersion (v1) matches no pod: the apiVersion of a StatefulSet is"
                                + " apps/v1. Write apps/v1");
    }

    @Test
    void kindsThatControlPodsAndKindsOfOtherGroupsAreNotReported() {
        scene.reservation(reservation(controller("apps/v1", "StatefulSet")));
        for (Owner owner : List.of(
                controller("v1", "ReplicationController"),
                controller("batch/v1", "Job"),
                controller("apps.kruise.io/v1beta1", "StatefulSet"),
                controller("apps.kruise.io/v1alpha1", "CloneSet"),
                controller("v1", "ConfigMap"),
                kind("CloneSet"),
                kind("DaemonSet"))) {
            scene.edit(reservation(owner));
            assertThat(scene.conditions("r"))
                    .as("%s", owner)
                    .isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        }
    }

    private static Owner kind(String kind) {
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.empty(), Optional.of(kind), Optional.empty(), Optional.of("web"), Optional.empty());
        return new Owner(Optional.empty(), Optional.of(match), Optional.empty());
    }

    private static Owner object(String kind) {
        Owner.PodMatch match =
                new Owner.PodMatch(Optional.empty(), Optional.of("default"), Optional.of("web"), Optional.of(kind));
        return new Owner(Optional.of(match), Optional.empty(), Optional.empty());
    }
}
