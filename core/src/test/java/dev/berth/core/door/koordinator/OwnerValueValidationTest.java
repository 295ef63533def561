package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
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
class OwnerValueValidationTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String UID = "4c0cf1b2-1e0a-4f5a-9a0e-0a1b2c3d4e5f";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithAReservation() {
        cluster.upsert(aNode("n1").with("8 cpu")).createReservation(reservation(labelled("app", "web")));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    private static ReservationBuilder reservation(Owner owner) {
        return aReservation("r").requesting("2 cpu").forOwner(owner);
    }

    private static Owner labelled(String key, String value) {
        return selecting(LabelSelector.of(Labels.of(key, value)));
    }

    private static Owner selecting(LabelSelector selector) {
        return Owner.ofLabels(selector);
    }

    private static Owner requiring(String key, Requirement.Operator operator, String... values) {
        return selecting(new LabelSelector(Labels.NONE, List.of(new Requirement(key, operator, List.of(values)))));
    }

    private static Owner controlledBy(String uid) {
        return Owner.ofController(new Owner.ControllerMatch(
                Optional.of("apps/v1"),
                Optional.of("ReplicaSet"),
                Optional.empty(),
                Optional.of("web"),
                Optional.of(uid)));
    }

    private static Owner pod(String uid) {
        return Owner.ofPod(new Owner.PodMatch(Optional.of(uid), Optional.empty(), Optional.empty()));
    }

    private String message() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.OWNERS_USABLE)
                .map(ReservationCondition::message)
                .orElse("");
    }

    @Test
    void aLabelValueThatNoPodCanHaveIsReportedUntilItIsCorrected() {
        cluster.edit(reservation(labelled("app", "x y")));
        assertThat(cluster.conditions("r")).contains("OwnersUsable=false/InvalidOwnerLabel");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].labelSelector.matchLabels: app (x y) matches no pod: it is not a valid label value. Correct it");
        assertThat(cluster.eventTargetsOf("InvalidOwnerLabel")).containsExactly("Reservation r");

        cluster.edit(reservation(labelled("app", "web")));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aLabelKeyThatNoPodCanHaveIsReported() {
        cluster.edit(reservation(labelled("my app", "web")));
        assertThat(message()).contains("matchLabels: key (my app) matches no pod");

        cluster.edit(reservation(requiring("my app", Requirement.Operator.EXISTS)));
        assertThat(message()).contains("matchExpressions: key (my app) matches no pod");
    }

    @Test
    void anInRequirementIsReportedOnlyIfNoneOfItsValuesIsValid() {
        cluster.edit(reservation(requiring("app", Requirement.Operator.IN, "x y", "-z")));
        assertThat(message()).contains("matchExpressions: app In (x y, -z) matches no pod");

        cluster.edit(reservation(requiring("app", Requirement.Operator.IN, "x y", "z")));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        cluster.edit(reservation(requiring("app", Requirement.Operator.NOT_IN, "x y")));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aUidThatNoObjectCanHaveIsReported() {
        cluster.edit(reservation(controlledBy("zz")));
        assertThat(cluster.conditions("r")).contains("OwnersUsable=false/InvalidOwnerUID");
        assertThat(message())
                .isEqualTo(
                        "spec.owners[0].controller.uid (zz) matches no pod: it is not a UID of Kubernetes. Write metadata.uid of the controller, or \"\" for any");

        cluster.edit(reservation(pod("zz")));
        assertThat(message()).contains("spec.owners[0].object.uid (zz) matches no pod");
    }

    @Test
    void validLabelsAndUidsAreNotReported() {
        for (Owner owner : List.of(
                selecting(LabelSelector.EVERYTHING),
                labelled("app", ""),
                labelled("app.kubernetes.io/name", "a_b.C-9"),
                labelled("a", "x".repeat(63)),
                controlledBy(UID),
                pod(UID))) {
            cluster.edit(reservation(owner));
            assertThat(cluster.conditions("r")).as("%s", owner).isEqualTo(READY);
        }
        cluster.edit(reservation(labelled("a", "x".repeat(64))));
        assertThat(cluster.conditions("r")).contains("OwnersUsable=false/InvalidOwnerLabel");
    }
}
