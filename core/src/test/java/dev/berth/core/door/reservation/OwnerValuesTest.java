package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.hold.Owner;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reservation whose owners ask for what no pod can have says so. */
class OwnerValuesTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String UID = "4c0cf1b2-1e0a-4f5a-9a0e-0a1b2c3d4e5f";

    private final Scene scene = new Scene();

    @BeforeEach
    void aReservationForPodsThatThereMayBe() {
        scene.node(aNode("n1").with("8 cpu")).reservation(reservation(labelled("app", "web")));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    private static ReservationBuilder reservation(Owner owner) {
        return aReservation("r").keeping("2 cpu").forOwner(owner);
    }

    private static Owner labelled(String key, String value) {
        return selecting(LabelSelector.of(Labels.of(key, value)));
    }

    private static Owner selecting(LabelSelector selector) {
        return new Owner(Optional.empty(), Optional.empty(), Optional.of(selector));
    }

    private static Owner requiring(String key, Requirement.Operator operator, String... values) {
        return selecting(new LabelSelector(Labels.NONE, List.of(new Requirement(key, operator, List.of(values)))));
    }

    private static Owner controlledBy(String uid) {
        return new Owner(
                Optional.empty(),
                Optional.of(new Owner.ControllerMatch(
                        Optional.of("apps/v1"),
                        Optional.of("ReplicaSet"),
                        Optional.empty(),
                        Optional.of("web"),
                        Optional.of(uid))),
                Optional.empty());
    }

    private static Owner pod(String uid) {
        return new Owner(
                Optional.of(new Owner.PodMatch(Optional.of(uid), Optional.empty(), Optional.empty())),
                Optional.empty(),
                Optional.empty());
    }

    private String message() {
        return scene.status("r")
                .condition(Condition.Type.OWNERS_USABLE)
                .map(Condition::message)
                .orElse("");
    }

    @Test
    void aLabelValueThatNoPodCanHaveIsReportedUntilItIsCorrected() {
        scene.edit(reservation(labelled("app", "x y")));
        assertThat(scene.conditions("r")).contains("OwnersUsable=false/OwnerLabelInvalid");
        assertThat(message())
                .isEqualTo("spec.owners[0].labelSelector.matchLabels: app (x y) matches no pod: it is no label value of"
                        + " Kubernetes. Correct it");
        assertThat(scene.subjectsOf("OwnerLabelInvalid")).containsExactly("Reservation r");

        scene.edit(reservation(labelled("app", "web")));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aLabelKeyThatNoPodCanHaveIsReported() {
        scene.edit(reservation(labelled("my app", "web")));
        assertThat(message()).contains("matchLabels: key (my app) matches no pod");

        scene.edit(reservation(requiring("my app", Requirement.Operator.EXISTS)));
        assertThat(message()).contains("matchExpressions: key (my app) matches no pod");
    }

    @Test
    void aLabelIsReportedOnlyIfNoneOfItsValuesCanBe() {
        scene.edit(reservation(requiring("app", Requirement.Operator.IN, "x y", "-z")));
        assertThat(message()).contains("matchExpressions: app In (x y, -z) matches no pod");

        scene.edit(reservation(requiring("app", Requirement.Operator.IN, "x y", "z")));
        assertThat(scene.conditions("r")).isEqualTo(READY);
        scene.edit(reservation(requiring("app", Requirement.Operator.NOT_IN, "x y")));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aUidThatNoObjectCanHaveIsReported() {
        scene.edit(reservation(controlledBy("zz")));
        assertThat(scene.conditions("r")).contains("OwnersUsable=false/OwnerUidInvalid");
        assertThat(message())
                .isEqualTo("spec.owners[0].controller.uid (zz) matches no pod: it is no UID of Kubernetes. Write"
                        + " metadata.uid of the controller, or \"\" for any");

        scene.edit(reservation(pod("zz")));
        assertThat(message()).contains("spec.owners[0].object.uid (zz) matches no pod");
    }

    @Test
    void whatPodsCanHaveIsNotReported() {
        for (Owner owner : List.of(
                selecting(LabelSelector.EVERYTHING),
                labelled("app", ""),
                labelled("app.kubernetes.io/name", "a_b.C-9"),
                labelled("a", "x".repeat(63)),
                controlledBy(UID),
                pod(UID))) {
            scene.edit(reservation(owner));
            assertThat(scene.conditions("r")).as("%s", owner).isEqualTo(READY);
        }
        scene.edit(reservation(labelled("a", "x".repeat(64))));
        assertThat(scene.conditions("r")).contains("OwnersUsable=false/OwnerLabelInvalid");
    }
}
