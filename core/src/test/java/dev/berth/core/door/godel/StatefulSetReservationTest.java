package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Reservations of the pods of a StatefulSet. */
class StatefulSetReservationTest {
    private static final Workload WEB =
            new Workload(Workload.Kind.STATEFUL_SET, "default", "web", LabelSelector.EVERYTHING);

    private static final String R = "koordinator/r";

    private final GodelScene scene = new GodelScene()
            .upsert(aNode("n1").with("4 cpu"))
            .apply(new Fact.WorkloadUpserted(WEB))
            .sync();

    private static PodBuilder web0() {
        return aPod("web-0").asking("3 cpu").ownedBy("StatefulSet/web");
    }

    private static HoldBuilder shared() {
        return aHold(R).on("n1").keeping("3 cpu", "10 pods");
    }

    private GodelScene annotated() {
        return scene.apply(new GodelFact.RequestUpserted(new ReservationRequest(
                ReservationRequest.RequesterKind.STATEFUL_SET, "default", "web", "s1", "true", "90")));
    }

    @Test
    void podsOfAnAnnotatedStatefulSetAreHeldOnDeletion() {
        annotated();
        scene.upsert(web0().on("n1")).deletePod("web-0");
        assertThat(scene.findReservation("web-0").orElseThrow().ttlSeconds()).contains(90L);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.upsert(web0().uid("next"));
        assertThat(scene.matchedReservationOf("web-0")).isEqualTo("default/web-0-placeholder");
    }

    @Test
    void deploymentOfTheSameNameDoesNotRequestReservationsForAStatefulSetsPods() {
        scene.apply(new GodelFact.RequestUpserted(new ReservationRequest("default", "web", "d1", "true", "")))
                .upsert(web0().on("n1"))
                .deletePod("web-0");
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podsDeletedAfterTheirStatefulSetAreNotHeld() {
        annotated();
        scene.upsert(web0().on("n1")).apply(new Fact.WorkloadDeleted(WEB.key())).deletePod("web-0");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void reservationsEndWhenTheirStatefulSetIsDeletedAfterItsPods() {
        annotated();
        scene.upsert(web0().on("n1")).deletePod("web-0");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.apply(new Fact.WorkloadDeleted(WEB.key())).runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void unwrittenReservationEndsWhenItsStatefulSetIsDeleted() {
        annotated();
        scene.upsert(web0().on("n1")).delayAnswers(true).deletePod("web-0");
        scene.apply(new Fact.WorkloadDeleted(WEB.key())).runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.delayAnswers(false).advance(Duration.ofSeconds(2));
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void cancelledReservationIsNotHeldUnderADifferentNameWhenAUserCreatesOneUnderItsName() {
        annotated();
        scene.upsert(web0().on("n1"))
                .setServerMode(SchedulerScene.ServerMode.WATCH_STALLED)
                .deletePod("web-0");
        scene.apply(new Fact.WorkloadDeleted(WEB.key())).runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();

        // The watch never shows the Reservation that Berth created: a user replaced it.
        scene.deleteReservation("web-0").setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        scene.upsertReservation(scene.handWrittenReservation("web-0")).runTurns();
        for (int i = 0; i < 10; i++) {
            scene.advance(Duration.ofSeconds(2));
            assertThat(scene.cpuHeld("n1")).isZero();
        }
        assertThat(scene.reservationNames()).containsExactly("web-0");
    }

    @Test
    void reservationThatLostItsCapacityAndItsStatefulSetIsDeletedWithoutAMarkThoughASuccessorIsBound() {
        annotated();
        scene.apply(new Fact.HoldUpserted(shared().forPodsLabelled("app", "web").build()));
        scene.upsert(web0().labelled("app", "web").on("n1").using(R)).deletePod("web-0");
        HoldId returnHold = scene.findReservation("web-0").orElseThrow().holdId();
        scene.setServerMode(SchedulerScene.ServerMode.DENYING)
                .apply(new Fact.HoldUpserted(
                        shared().forPodsLabelled("app", "other").build()))
                .runTurns();
        assertThat(scene.events)
                .contains("Reservation default/web-0: The Reservation ended before its TTL: Reservation " + R
                        + " reclaimed its capacity on node n1");

        scene.upsert(web0().uid("next").on("n1").using(returnHold.value()));
        assertThat(scene.pendingDurability()).containsExactly(new PodUid("next"));
        scene.apply(new Fact.WorkloadDeleted(WEB.key())).runTurns();
        scene.writes.clear();
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(20));
        assertThat(scene.writes).containsExactly("delete web-0");
    }
}
