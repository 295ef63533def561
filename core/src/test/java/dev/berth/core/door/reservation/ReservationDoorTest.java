package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.reservation.Status.Phase;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reservation from its first day to its last. */
class ReservationDoorTest {
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";

    private final Scene scene = new Scene();

    @BeforeEach
    void aClusterWithOneNode() {
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    @Test
    void aReservationGetsAPlaceAndSaysWhere() {
        scene.reservation(aReservation("r").keeping("3 cpu", "2Gi memory"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");
        assertThat(scene.status("r").allocatable()).isEqualTo(amounts("3 cpu", "2Gi memory"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        assertThat(scene.events).containsExactly("Scheduled: Successfully assigned r to n1");
        assertThat(scene.writes).isEqualTo(1);
    }

    @Test
    void othersAreKeptOffAndAnOwnerUsesIt() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.pod(aPod("other").asking("4 cpu")).pod(web("web", "4 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.nodeOf("web")).contains("n1");
        assertThat(scene.annotation("web", ALLOCATED)).isEqualTo("{\"name\":\"r\",\"uid\":\"r\"}");
        assertThat(scene.annotation("web", Claim.ANNOTATION)).isEqualTo("reservation/r");
    }

    @Test
    void theFirstOwnerEndsAReservationForOnceAndTheRestIsFree() {
        scene.reservation(aReservation("r").keeping("6 cpu")).pod(web("web", "4 cpu"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(scene.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(scene.status("r").currentOwners()).containsExactly(new CurrentOwner("default", "web", "web"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Succeeded");
        scene.pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).contains("n1");
        scene.delete("web").pass(Duration.ofHours(1));
        assertThat(scene.status("r").phase()).as("it stays so").isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void aSharedOneGivesBackWhatItsOwnersLeave() {
        scene.reservation(aReservation("r").keeping("6 cpu").shared());
        scene.pod(web("b", "2 cpu")).pod(web("a", "2 cpu"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("a", "b");
        scene.delete("a").pod(aPod("other").asking("4 cpu"));
        assertThat(scene.status("r").allocated()).isEqualTo(amounts("2 cpu"));
        assertThat(scene.nodeOf("other"))
                .as("the room is the reservation's again")
                .isEmpty();
    }

    @Test
    void anAlignedOneLetsItsOwnerTakeTheRestFromTheNode() {
        scene.reservation(aReservation("r").keeping("6 cpu").shared()).pod(web("web", "7 cpu"));
        assertThat(scene.annotation("web", ALLOCATED)).isNotEmpty();
        assertThat(scene.status("r").allocated()).as("more than is kept").isEqualTo(amounts("7 cpu"));
    }

    @Test
    void aRestrictedOneGivesNoMoreThanItHas() {
        scene.reservation(aReservation("r").keeping("6 cpu").shared().restricted());
        scene.pod(web("large", "7 cpu")).pod(web("small", "2 cpu", "10Gi memory"));
        assertThat(scene.nodeOf("large")).isEmpty();
        assertThat(scene.annotation("small", ALLOCATED))
                .as("what is not kept comes from the node")
                .isNotEmpty();
    }

    @Test
    void aReservationWithoutRoomSaysWhyOnceAndGetsAPlaceWhenThereIsRoom() {
        scene.pod(aPod("big").asking("6 cpu")).reservation(aReservation("r").keeping("4 cpu"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.PENDING);
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        scene.pass(Duration.ofMinutes(6)).pass(Duration.ofMinutes(6));
        assertThat(scene.writes).isEqualTo(1);
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("FailedScheduling"))
                .containsExactly("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.");
        scene.delete("big").pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
    }

    @Test
    void aNamedNodeIsTheOnlyOne() {
        scene.node(aNode("n2").with("2 cpu", "2Gi memory"));
        scene.reservation(aReservation("on-n2").keeping("2 cpu").onlyOn("n2"));
        scene.reservation(aReservation("too-large").keeping("4 cpu").onlyOn("n2"));
        assertThat(scene.status("on-n2").nodeName()).isEqualTo("n2");
        assertThat(scene.status("too-large").phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aReservationForANodeThatDoesNotExistSaysSoUntilThereIsOne() {
        scene.reservation(aReservation("r").keeping("2 cpu").onlyOn("n99"));
        assertThat(scene.status("r").conditions().get(0).message())
                .endsWith("node(s) didn't match the requested node name. There is no node n99, which"
                        + " spec.template.spec.nodeName names.");
        assertThat(scene.events)
                .as("the event names the mistake as the condition does")
                .containsOnlyOnce("FailedScheduling: "
                        + scene.status("r").conditions().get(0).message());
        scene.node(aNode("n99").with("2 cpu", "2Gi memory")).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").nodeName()).isEqualTo("n99");
    }

    @Test
    void aDeniedStatusIsCountedWhileItWaitsForAnotherTry() {
        scene.server(Scene.Mood.DENYING).reservation(aReservation("r").keeping("2 cpu"));
        assertThat(scene.retrying())
                .as("a monitor would see no unfinished write")
                .isEqualTo(1);
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(2));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.retrying()).isZero();
    }

    @Test
    void nobodyUsesAPlaceThatIsNotWritten() {
        scene.server(Scene.Mood.SILENT)
                .reservation(aReservation("r").keeping("6 cpu").shared());
        scene.pod(aPod("other").asking("4 cpu")).pod(web("web", "4 cpu"));
        scene.restart().server(Scene.Mood.TAKING).pass(Duration.ofSeconds(10));
        assertThat(scene.annotation("web", ALLOCATED))
                .as("decided when the place is known")
                .isNotEmpty();
        assertThat(scene.nodeOf("other")).as("its room was never free").isEmpty();
    }

    @Test
    void aReservationEndsWithItsTime() {
        scene.reservation(
                aReservation("r").keeping("6 cpu").until(scene.clock.instant().plusSeconds(60)));
        scene.pod(aPod("other").asking("4 cpu"));
        scene.pass(Duration.ofSeconds(59));
        assertThat(scene.nodeOf("other")).isEmpty();
        scene.pass(Duration.ofSeconds(1)).pass(Duration.ofSeconds(10));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        assertThat(scene.nodeOf("other")).contains("n1");
    }

    @Test
    void oneThatNeverHadAPlaceEndsWithItsTimeToo() {
        scene.reservation(
                aReservation("r").keeping("60 cpu").until(scene.clock.instant().plusSeconds(60)));
        scene.pass(Duration.ofSeconds(60));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable Ready=false/Expired");
        scene.node(aNode("huge").with("90 cpu", "16Gi memory"));
        assertThat(scene.status("r").nodeName()).isEmpty();
    }

    @Test
    void aReservationEndsWithItsNode() {
        scene.reservation(aReservation("r").keeping("6 cpu")).nodeGone("n1");
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void aNodeThatWentWhileNobodyLookedEndsItToo() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.server(Scene.Mood.SILENT).nodeGone("n1").restart().server(Scene.Mood.TAKING);
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void aDeletedOneLeavesItsOwnersRunningAndItsRoomFree() {
        scene.reservation(aReservation("r").keeping("6 cpu").shared()).pod(web("web", "2 cpu"));
        scene.deleteReservation("r").pod(aPod("other").asking("6 cpu"));
        assertThat(scene.nodeOf("web")).contains("n1");
        assertThat(scene.nodeOf("other")).contains("n1");
    }

    @Test
    void aDeletedOneSeeksNoPlaceAnyMore() {
        scene.reservation(aReservation("r").keeping("60 cpu")).deleteReservation("r");
        scene.node(aNode("huge").with("90 cpu", "16Gi memory")).pass(Duration.ofMinutes(10));
        assertThat(scene.events).hasSize(1);
    }

    @Test
    void whileItIsUnschedulableOrBeingDeletedNobodyMoreUsesIt() {
        scene.reservation(aReservation("r").keeping("6 cpu").shared());
        scene.edit(aReservation("r").keeping("6 cpu").shared().unschedulable(true))
                .pod(web("web", "4 cpu"));
        assertThat(scene.nodeOf("web")).isEmpty();
        scene.edit(aReservation("r").keeping("6 cpu").shared().terminating()).pass(Duration.ofMinutes(1));
        assertThat(scene.nodeOf("web")).isEmpty();
        scene.edit(aReservation("r").keeping("6 cpu").shared()).pass(Duration.ofMinutes(1));
        assertThat(scene.annotation("web", ALLOCATED)).isNotEmpty();
    }

    @Test
    void anOwnerMustTolerateItsTaints() {
        Toleration tolerated = new Toleration("team", Toleration.Operator.EQUAL, "a", Optional.empty());
        scene.reservation(aReservation("r").keeping("6 cpu").shared().tainted("team", "a"));
        scene.pod(web("not", "4 cpu"))
                .pod(web("tolerates", "4 cpu").shaped(shape -> shape.tolerations(List.of(tolerated))));
        assertThat(scene.nodeOf("not")).isEmpty();
        assertThat(scene.annotation("tolerates", ALLOCATED)).isNotEmpty();
    }

    @Test
    void aHostPortIsKeptForTheOwner() {
        scene.reservation(
                aReservation("r").keeping("1 cpu").keepingHostPort(8080).shared());
        scene.pod(aPod("other").asking("1 cpu").withHostPort(8080))
                .pod(web("web", "1 cpu").withHostPort(8080))
                .pod(web("second", "1 cpu").withHostPort(8080));
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.nodeOf("web")).contains("n1");
        assertThat(scene.nodeOf("second")).as("a port is used once").isEmpty();
    }

    @Test
    void aReservationKeepsOnePodSlot() {
        scene.node(aNode("n2").with("8 cpu", "16Gi memory", "1 pods"));
        scene.reservation(aReservation("r").keeping("1 cpu").onlyOn("n2").shared());
        scene.pod(aPod("other").asking("9 cpu")).pod(web("web", "1 cpu"));
        assertThat(scene.nodeOf("web")).contains("n2");
    }

    @Test
    void oneThatMakesNoSenseIsAnsweredAndKeepsNothing() {
        scene.reservation(aReservation("r").senseless("spec.ttl (-1h) is negative"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        assertThat(scene.status("r").conditions().get(0).message()).isEqualTo("spec.ttl (-1h) is negative");
        assertThat(scene.events).containsExactly("InvalidReservation: spec.ttl (-1h) is negative");
        scene.edit(aReservation("r").keeping("6 cpu"));
        assertThat(scene.status("r").phase()).as("once it does").isEqualTo(Phase.AVAILABLE);
    }

    @Test
    void whatWasPromisedIsKeptThoughAnEditMakesNoSense() {
        scene.reservation(aReservation("r").keeping("6 cpu"))
                .edit(aReservation("r").senseless("owners are odd"));
        scene.pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.events).anyMatch(event -> event.startsWith("InvalidReservation: owners are odd; "));
    }

    @Test
    void aReservationOfAnotherSchedulerGetsNoPlaceFromBerth() {
        scene.reservation(aReservation("r").keeping("6 cpu").scheduledBy("another-scheduler"));
        assertThat(scene.status("r")).isEqualTo(Status.NEW);
        assertThat(scene.writes).isZero();
    }

    @Test
    void aPlaceOfAnotherSchedulersReservationKeepsPodsOffAndIsNeverWritten() {
        scene.reservation(placedByAnother("r", "6 cpu")).pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();
        scene.pass(Duration.ofDays(2)).restart();
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.writes).isZero();
        scene.deleteReservation("r").pass(Duration.ofMinutes(1));
        assertThat(scene.nodeOf("other")).contains("n1");
    }

    @Test
    void aPlaceOfAnotherSchedulersReservationIsNotGivenToItsOwnersByBerth() {
        scene.reservation(placedByAnother("r", "6 cpu")).pod(web("web", "4 cpu"));
        assertThat(scene.nodeOf("web")).isEmpty();
    }

    @Test
    void aReservationThatNoSchedulerServesSaysSoAfterAMinute() {
        scene.reservation(aReservation("r")
                .keeping("6 cpu")
                .scheduledBy("another-scheduler")
                .createdAt(scene.clock.instant()));
        scene.pass(Duration.ofSeconds(59));
        assertThat(scene.status("r")).isEqualTo(Status.NEW);
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(scene.status("r").conditions().get(0).message())
                .contains("schedulerName (another-scheduler)", "Berth serves: koord-scheduler");
        assertThat(scene.events).singleElement().asString().startsWith("SchedulerNotServed: no Berth serves");
        assertThat(scene.subjectsOf("SchedulerNotServed")).containsExactly("Reservation r");
        scene.pass(Duration.ofHours(1)).restart().pass(Duration.ofHours(1));
        assertThat(scene.writes).as("it is said once").isEqualTo(1);
        assertThat(scene.events).hasSize(1);
    }

    @Test
    void aReservationThatNoSchedulerServesNamesTheSchedulersThatAreServedNow() {
        scene.reservation(aReservation("r").keeping("6 cpu").scheduledBy("another-scheduler"))
                .pass(Duration.ofMinutes(1))
                .restartServing("berth-scheduler", "koord-scheduler");
        assertThat(scene.status("r").conditions().get(0).message())
                .contains("Berth serves: berth-scheduler, koord-scheduler");
    }

    @Test
    void aReservationThatBecomesServedGetsItsPlaceAndNoLongerSaysOtherwise() {
        scene.pod(aPod("big").asking("6 cpu"))
                .reservation(aReservation("r").keeping("6 cpu").scheduledBy("another-scheduler"))
                .pass(Duration.ofMinutes(1))
                .restartServing("another-scheduler", Scene.SCHEDULER);
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        scene.delete("big").pass(Duration.ofMinutes(1));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void theStatusThatAnotherSchedulerWroteIsNeverTouched() {
        Status refused = Status.NEW.unschedulable("it found no node", scene.clock.instant());
        scene.reservation(aReservation("r").keeping("6 cpu").scheduledBy("another-scheduler"))
                .wrote("r", refused)
                .pass(Duration.ofHours(1))
                .restart()
                .pass(Duration.ofHours(1));
        assertThat(scene.status("r")).isEqualTo(refused);
        assertThat(scene.events).isEmpty();
    }

    @Test
    void aReservationThatNamesNoSchedulerIsBerths() {
        scene.reservation(aReservation("r").keeping("6 cpu").scheduledBy(""));
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");
    }

    private ReservationBuilder placedByAnother(String name, String size) {
        Status placed = Status.NEW.available("n1", amounts(size), scene.clock.instant());
        return aReservation(name)
                .keeping(size)
                .shared()
                .scheduledBy("another-scheduler")
                .saying(placed);
    }

    @Test
    void theSizeInTheStatusCounts() {
        Status enlarged = Status.NEW.available("n1", amounts("7 cpu"), scene.clock.instant());
        scene.reservation(aReservation("r").keeping("1 cpu").saying(enlarged))
                .pod(aPod("other").asking("2 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();
    }

    @Test
    void whatEndedIsRemovedAfterADay() {
        scene.reservation(aReservation("r").keeping("6 cpu")).pod(web("web", "4 cpu"));
        scene.pass(Duration.ofHours(23));
        assertThat(scene.exists("r")).isTrue();
        scene.pass(Duration.ofHours(1));
        assertThat(scene.exists("r")).isFalse();
        assertThat(scene.nodeOf("web")).contains("n1");
    }

    @Test
    void aWriteThatIsDeniedIsTriedAgainAfterAWhile() {
        scene.server(Scene.Mood.DENYING).reservation(aReservation("r").keeping("6 cpu"));
        scene.server(Scene.Mood.TAKING);
        assertThat(scene.status("r").phase()).isEqualTo(Phase.PENDING);
        scene.pass(Duration.ofSeconds(30));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
    }

    @Test
    void aReservationThatIsEditedAfterItsStatusWasDeniedSeeksAPlaceAgain() {
        scene.server(Scene.Mood.DENYING).reservation(aReservation("r").keeping("6 cpu"));
        scene.server(Scene.Mood.TAKING).edit(aReservation("r").keeping("6 cpu").shared());
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
    }

    @Test
    void aConflictThatBringsNoNewVersionIsTriedAgain() {
        scene.server(Scene.Mood.CONTRADICTING).reservation(aReservation("r").keeping("6 cpu"));
        scene.server(Scene.Mood.TAKING);
        assertThat(scene.status("r").phase()).isEqualTo(Phase.PENDING);
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
    }

    @Test
    void aStatusWriteThatIsAnsweredWithNotFoundIsTriedAgain() {
        scene.server(Scene.Mood.MISSING).reservation(aReservation("r").keeping("6 cpu"));
        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(10));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
    }

    @Test
    void aPlaceWhoseStatusWriteIsDeniedIsFreeForPods() {
        scene.server(Scene.Mood.DENYING).reservation(aReservation("r").keeping("6 cpu"));
        assertThat(scene.ledger().hold(new HoldId("reservation/r"))).isEmpty();
        assertThat(scene.events)
                .containsExactly(
                        "WriteDenied: The API server denied a write: forbidden. Until the status is written, the place of the"
                                + " Reservation on node n1 is free for other pods. Berth tries again, at least once a minute.");
        scene.server(Scene.Mood.TAKING).pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).contains("n1");
    }

    @Test
    void aReservationForOnceStaysUsedUpIfItsOwnerLeavesBeforeTheStatusIsWritten() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.server(Scene.Mood.CONTRADICTING)
                .pod(web("owner", "6 cpu").on("n1").using("reservation/r"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        scene.delete("owner");
        assertThat(scene.ledger()
                        .hold(new HoldId("reservation/r"))
                        .orElseThrow()
                        .closed())
                .as("to another owner that would take the room a second time")
                .isTrue();
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(scene.status("r").currentOwners()).hasSize(1);
        assertThat(scene.ledger().hold(new HoldId("reservation/r"))).isEmpty();
    }

    @Test
    void aDeniedStatusWriteIsTriedOnceAMinuteAndToldOnce() {
        scene.server(Scene.Mood.DENYING).reservation(aReservation("r").keeping("6 cpu"));
        for (int i = 0; i < 60; i++) {
            scene.pass(Duration.ofSeconds(10));
        }
        assertThat(scene.attempts).isBetween(12, 18);
        assertThat(scene.events).hasSize(1);
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.events.get(1)).startsWith("WriteAllowed: ");
    }

    @Test
    void aPlaceThatWasWrittenIsKeptAlthoughTheWatchDoesNotShowIt() {
        scene.server(Scene.Mood.HIDING).reservation(aReservation("r").keeping("6 cpu"));
        scene.restart();
        for (int i = 0; i < 30; i++) {
            scene.pass(Duration.ofSeconds(20));
        }
        scene.pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();
        scene.server(Scene.Mood.TAKING).pod(web("web", "6 cpu"));
        assertThat(scene.nodeOf("web")).contains("n1");
    }

    @Test
    void anEditWhileTheStatusIsWrittenIsDecidedOnAnew() {
        scene.server(Scene.Mood.SILENT).reservation(aReservation("r").keeping("6 cpu"));
        scene.edit(aReservation("r").keeping("7 cpu")).server(Scene.Mood.TAKING);
        assertThat(scene.status("r").allocatable()).isEqualTo(amounts("7 cpu"));
    }

    @Test
    void aClaimWhoseStatusWasNotWrittenIsFoundAfterARestart() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.pod(web("web", "4 cpu").on("n1").using("reservation/r"));
        scene.restart();
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        scene.pod(web("second", "4 cpu"));
        assertThat(scene.annotation("second", ALLOCATED)).isEmpty();
    }

    @Test
    void afterARestartTheSameIsKeptAndNothingIsWritten() {
        scene.reservation(aReservation("r").keeping("6 cpu").shared()).pod(web("web", "2 cpu"));
        int before = scene.writes;
        scene.restart().pod(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.writes).isEqualTo(before);
        scene.pod(web("more", "4 cpu"));
        assertThat(scene.status("r").allocated()).isEqualTo(amounts("6 cpu"));
    }

    private static PodBuilder web(String name, String... amounts) {
        return aPod(name).asking(amounts).labelled("app", "web");
    }
}
