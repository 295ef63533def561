package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pods that reach a node without Berth, through {@code spec.nodeName} or another scheduler. */
class ForcedPodTest {
    private static final String HELD = "koordinator/held";
    private static final Duration BATCH = CheckpointLimits.DEFAULT.batchInterval();
    private static final String REFUSAL =
            "Pod default/thief: No Reservation was created: Berth has no record that it placed the pod, and node n1 lacks the"
                    + " capacity: Insufficient cpu: 3 requested, 0 of 4 free (4 held by Reservation koordinator/held). Let Berth"
                    + " place the pod, not spec.nodeName or another scheduler";

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private static PodBuilder requestingPod(String name) {
        return GodelScene.requestingPod(name, name);
    }

    private static PodBuilder thief() {
        return requestingPod("thief").on("n1");
    }

    /** The whole node is held for one pod. */
    private void holdNode() {
        scene.addObject(new Fact.HoldUpserted(aHold(HELD)
                .on("n1")
                .keeping("4 cpu", "1 pods")
                .forPodsLabelled("app", "owner")
                .build()));
    }

    private void assertOwnerGetsTheNode() {
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isEqualTo(4000);
        assertThat(scene.cpuFree("n1")).isZero();
        scene.upsert(aPod("owner").asking("4 cpu").labelled("app", "owner"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void podOnHeldCapacityLeavesNoPlaceAndAnEventSaysWhy() {
        holdNode();
        scene.upsert(thief()).advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();

        scene.deletePod("thief");

        assertOwnerGetsTheNode();
        assertThat(scene.events).containsOnlyOnce(REFUSAL);
    }

    @Test
    void podOnHeldCapacityThatTerminatesGracefullyLeavesNoPlace() {
        holdNode();
        scene.upsert(thief()).upsert(thief().terminating()).advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();

        scene.deletePod("thief");

        assertOwnerGetsTheNode();
        assertThat(scene.events).containsOnlyOnce(REFUSAL);
    }

    @Test
    void podOnHeldCapacityLeavesNoPlaceAfterARestart() {
        holdNode();
        scene.upsert(thief()).advance(BATCH).restart().advance(BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();

        scene.deletePod("thief");

        assertOwnerGetsTheNode();
        assertThat(scene.events).containsOnlyOnce(REFUSAL);
    }

    @Test
    void podOnHeldCapacityThatIsDeletedWhileBerthIsDownLeavesNoPlace() {
        holdNode();
        Pod thief = thief().build();
        scene.upsert(thief).advance(BATCH).deletePodUnseen("thief").restart(thief);

        assertOwnerGetsTheNode();
        assertThat(scene.events)
                .containsOnlyOnce(
                        "Pod default/thief: No Reservation was created: node n1 has insufficient capacity for it next"
                                + " to other pods after Berth restarted");
    }

    @Test
    void forgedRecordsDoNotProveThatThePodHadItsCapacity() {
        holdNode();
        for (String record : new String[] {HELD, "koordinator/unknown", "godel/default/thief/thief"}) {
            scene.upsert(thief().annotated(Claim.ANNOTATION, record)
                            .annotated(GodelAnnotations.MATCHED_PLACEHOLDER, "default/thief-placeholder"))
                    .advance(BATCH);
            assertThat(scene.checkpoint().podsReservedOnDeletion()).as(record).isEmpty();
            scene.deletePod("thief");
            assertThat(scene.reservationNames()).as(record).isEmpty();
            assertThat(scene.cpuFree("n1")).as(record).isZero();
        }
        assertOwnerGetsTheNode();
    }

    @Test
    void forcedPodLeavesItsPlaceIfTheHeldCapacityIsFreedBeforeItsDeletion() {
        holdNode();
        scene.upsert(thief()).removeHoldObject(new HoldId(HELD));
        scene.apply(new Fact.HoldDeleted(new HoldId(HELD))).runTurns();

        scene.deletePod("thief");

        assertThat(scene.reservationNames()).containsExactly("thief");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void podThatBerthPlacedKeepsItsPlaceIfALaterPodOvercommitsTheNode() {
        scene.upsert(requestingPod("placed")).upsert(thief());
        assertThat(scene.cpuFree("n1")).isEqualTo(-2000);

        scene.deletePod("placed");

        assertThat(scene.reservationNames()).containsExactly("placed");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.deletePod("thief");
        assertThat(scene.reservationNames()).containsExactly("placed");
        scene.upsert(requestingPod("back").annotated(GodelAnnotations.INDEX, "placed"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/placed-placeholder");
    }

    @Test
    void podThatBerthPlacedKeepsItsPlaceIfItsBindingIsShownAfterTheNodeIsOvercommitted() {
        Pod placed = requestingPod("placed").build();
        scene.apply(new Fact.PodUpserted(placed));
        scene.ledger().assume(placed.uid(), scene.node("n1").uid(), Optional.empty());
        scene.upsert(thief());
        assertThat(scene.cpuFree("n1")).isEqualTo(-2000);
        scene.upsert(placed.boundTo("n1"));

        scene.deletePod("placed");

        assertThat(scene.reservationNames()).containsExactly("placed");
    }

    @Test
    void podThatBerthPlacedKeepsItsPlaceIfItRequestsItAfterTheNodeIsOvercommitted() {
        scene.upsert(aPod("placed").asking("3 cpu")).upsert(thief());
        scene.upsert(requestingPod("placed").on("n1"));

        scene.deletePod("placed");

        assertThat(scene.reservationNames()).containsExactly("placed");
    }

    @Test
    void podThatBerthPlacedKeepsItsPlaceAcrossARestartOnAnOvercommittedNode() {
        scene.upsert(requestingPod("placed")).advance(BATCH);
        scene.upsertUnseen(thief()).restart().advance(BATCH);

        scene.deletePod("placed").deletePod("thief");

        assertThat(scene.reservationNames()).containsExactly("placed");
    }

    @Test
    void podThatIsDeletedWhileBerthIsDownKeepsItsPlaceOnAnOvercommittedNode() {
        scene.upsert(requestingPod("placed")).advance(BATCH);
        scene.upsertUnseen(thief().with(pod -> pod.schedulerName("other")))
                .deletePodUnseen("placed")
                .restartWithoutHistory();

        assertThat(scene.reservationNames()).containsExactly("placed");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void podOfAnotherSchedulerInFreeCapacityLeavesItsPlaceAlsoIfALaterPodOvercommitsTheNode() {
        scene.upsert(requestingPod("foreign")
                        .with(pod -> pod.schedulerName("other"))
                        .on("n1"))
                .upsert(thief());

        scene.deletePod("foreign");

        assertThat(scene.reservationNames()).containsExactly("foreign");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.events).noneMatch(event -> event.contains("No Reservation was created"));
    }
}
