package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reservation from its first day to its last. */
class KoordinatorDoorTest {
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    @Test
    @Scenario(81)
    void aReservationIsPlacedAndItsStatusNamesTheNode() {
        cluster.createReservation(aReservation("r").requesting("3 cpu", "2Gi memory"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.status("r").nodeName()).isEqualTo("n1");
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts("3 cpu", "2Gi memory"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        assertThat(cluster.events).containsExactly("Scheduled: Successfully assigned r to n1");
        assertThat(cluster.writes).isEqualTo(1);
    }

    @Test
    void otherPodsCannotUseTheReservedCapacityAndAnOwnerCan() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(aPod("other").asking("4 cpu")).upsert(web("web", "4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        assertThat(cluster.annotation("web", ALLOCATED)).isEqualTo("{\"name\":\"r\",\"uid\":\"r\"}");
        assertThat(cluster.annotation("web", Claim.ANNOTATION)).isEqualTo("koordinator/r");
    }

    @Test
    void anAllocateOnceReservationSucceedsWithItsFirstOwnerAndFreesTheRest() {
        cluster.createReservation(aReservation("r").requesting("6 cpu")).upsert(web("web", "4 cpu"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(cluster.status("r").currentOwners()).containsExactly(new CurrentOwner("default", "web", "web"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Succeeded");
        cluster.upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
        cluster.deletePod("web").advance(Duration.ofHours(1));
        assertThat(cluster.status("r").phase()).as("it stays so").isEqualTo(ReservationPhase.SUCCEEDED);
    }

    @Test
    void aSharedReservationKeepsTheCapacityThatItsOwnersLeave() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared());
        cluster.upsert(web("b", "2 cpu")).upsert(web("a", "2 cpu"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("a", "b");
        cluster.deletePod("a").upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu"));
        assertThat(cluster.nodeOf("other"))
                .as("the room is the reservation's again")
                .isEmpty();
    }

    @Test
    void anOwnerOfAnAlignedReservationTakesWhatIsMissingFromTheNode() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("web", "7 cpu"));
        assertThat(cluster.annotation("web", ALLOCATED)).isNotEmpty();
        assertThat(cluster.status("r").allocated()).as("more than is kept").isEqualTo(amounts("7 cpu"));
    }

    @Test
    void anOwnerOfARestrictedReservationGetsNoMoreThanItHasLeft() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted());
        cluster.upsert(web("large", "7 cpu")).upsert(web("small", "2 cpu", "10Gi memory"));
        assertThat(cluster.nodeOf("large")).isEmpty();
        assertThat(cluster.annotation("small", ALLOCATED))
                .as("what is not kept comes from the node")
                .isNotEmpty();
    }

    @Test
    void aReservationThatFitsNoNodeIsReportedOnceAndPlacedWhenANodeHasCapacity() {
        cluster.upsert(aPod("big").asking("6 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.PENDING);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        cluster.advance(Duration.ofMinutes(6)).advance(Duration.ofMinutes(6));
        assertThat(cluster.writes).isEqualTo(1);
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("FailedScheduling"))
                .containsExactly("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.");
        cluster.deletePod("big").advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
    }

    @Test
    void aReservationWithANodeNameIsPlacedOnlyOnThatNode() {
        cluster.upsert(aNode("n2").with("2 cpu", "2Gi memory"));
        cluster.createReservation(aReservation("on-n2").requesting("2 cpu").onNode("n2"));
        cluster.createReservation(aReservation("too-large").requesting("4 cpu").onNode("n2"));
        assertThat(cluster.status("on-n2").nodeName()).isEqualTo("n2");
        assertThat(cluster.status("too-large").phase()).isEqualTo(ReservationPhase.PENDING);
    }

    @Test
    void aReservationForAMissingNodeIsReportedUntilTheNodeExists() {
        cluster.createReservation(aReservation("r").requesting("2 cpu").onNode("n99"));
        assertThat(cluster.status("r").conditions().get(0).message())
                .endsWith(
                        "node(s) didn't match the nodeName specified by reservation. Node n99, which spec.template.spec.nodeName names, does not exist.");
        assertThat(cluster.events)
                .as("the event names the mistake as the condition does")
                .containsOnlyOnce("FailedScheduling: "
                        + cluster.status("r").conditions().get(0).message());
        cluster.upsert(aNode("n99").with("2 cpu", "2Gi memory")).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").nodeName()).isEqualTo("n99");
    }

    @Test
    void aDeniedStatusIsCountedWhileItWaitsForAnotherTry() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .createReservation(aReservation("r").requesting("2 cpu"));
        assertThat(cluster.retrying())
                .as("a monitor would see no unfinished write")
                .isEqualTo(1);
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.retrying()).isZero();
    }

    @Test
    void noPodUsesAReservationBeforeItsStatusIsWritten() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .createReservation(aReservation("r").requesting("6 cpu").shared());
        cluster.upsert(aPod("other").asking("4 cpu")).upsert(web("web", "4 cpu"));
        cluster.restart().setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(10));
        assertThat(cluster.annotation("web", ALLOCATED))
                .as("decided when the place is known")
                .isNotEmpty();
        assertThat(cluster.nodeOf("other")).as("its room was never free").isEmpty();
    }

    @Test
    void anAvailableReservationExpiresAtItsDeadline() {
        cluster.createReservation(aReservation("r")
                .requesting("6 cpu")
                .until(cluster.clock.instant().plusSeconds(60)));
        cluster.upsert(aPod("other").asking("4 cpu"));
        cluster.advance(Duration.ofSeconds(59));
        assertThat(cluster.nodeOf("other")).isEmpty();
        cluster.advance(Duration.ofSeconds(1)).advance(Duration.ofSeconds(10));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void aPendingReservationExpiresAtItsDeadline() {
        cluster.createReservation(aReservation("r")
                .requesting("60 cpu")
                .until(cluster.clock.instant().plusSeconds(60)));
        cluster.advance(Duration.ofSeconds(60));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable Ready=false/Expired");
        cluster.upsert(aNode("huge").with("90 cpu", "16Gi memory"));
        assertThat(cluster.status("r").nodeName()).isEmpty();
    }

    @Test
    void aReservationFailsWhenItsNodeIsDeleted() {
        cluster.withoutMoving().restart();
        cluster.createReservation(aReservation("r").requesting("6 cpu")).deleteNode("n1");
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
    }

    @Test
    void aReservationFailsWhenItsNodeWasDeletedWhileBerthWasDown() {
        cluster.withoutMoving().restart();
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .deleteNode("n1")
                .restart()
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
    }

    @Test
    void deletingAReservationFreesItsCapacityAndLeavesItsOwnersRunning() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("web", "2 cpu"));
        cluster.deleteReservation("r").upsert(aPod("other").asking("6 cpu"));
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void aDeletedPendingReservationIsNotPlaced() {
        cluster.createReservation(aReservation("r").requesting("60 cpu")).deleteReservation("r");
        cluster.upsert(aNode("huge").with("90 cpu", "16Gi memory")).advance(Duration.ofMinutes(10));
        assertThat(cluster.events).hasSize(1);
    }

    @Test
    void noFurtherPodUsesAnUnschedulableOrTerminatingReservation() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared());
        cluster.edit(aReservation("r").requesting("6 cpu").shared().unschedulable(true))
                .upsert(web("web", "4 cpu"));
        assertThat(cluster.nodeOf("web")).isEmpty();
        cluster.edit(aReservation("r").requesting("6 cpu").shared().terminating())
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("web")).isEmpty();
        cluster.edit(aReservation("r").requesting("6 cpu").shared()).advance(Duration.ofMinutes(1));
        assertThat(cluster.annotation("web", ALLOCATED)).isNotEmpty();
    }

    @Test
    void anOwnerMustTolerateTheTaintsOfTheReservation() {
        Toleration tolerated = new Toleration("team", Toleration.Operator.EQUAL, "a", Optional.empty());
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().tainted("team", "a"));
        cluster.upsert(web("not", "4 cpu"))
                .upsert(web("tolerates", "4 cpu").withSpec(spec -> spec.tolerations(List.of(tolerated))));
        assertThat(cluster.nodeOf("not")).isEmpty();
        assertThat(cluster.annotation("tolerates", ALLOCATED)).isNotEmpty();
    }

    @Test
    void aHostPortIsKeptForTheOwner() {
        cluster.createReservation(
                aReservation("r").requesting("1 cpu").requestingHostPort(8080).shared());
        cluster.upsert(aPod("other").asking("1 cpu").withHostPort(8080))
                .upsert(web("web", "1 cpu").withHostPort(8080))
                .upsert(web("second", "1 cpu").withHostPort(8080));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        assertThat(cluster.nodeOf("second")).as("a port is used once").isEmpty();
    }

    @Test
    void aReservationKeepsOnePodSlot() {
        cluster.upsert(aNode("n2").with("8 cpu", "16Gi memory", "1 pods"));
        cluster.createReservation(
                aReservation("r").requesting("1 cpu").onNode("n2").shared());
        cluster.upsert(aPod("other").asking("9 cpu")).upsert(web("web", "1 cpu"));
        assertThat(cluster.nodeOf("web")).isEqualTo("n2");
    }

    @Test
    void aMalformedReservationIsReportedAndHoldsNothing() {
        cluster.createReservation(aReservation("r").malformed("spec.ttl (-1h) is negative"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/InvalidReservation");
        assertThat(cluster.status("r").conditions().get(0).message()).isEqualTo("spec.ttl (-1h) is negative");
        assertThat(cluster.events).containsExactly("InvalidReservation: spec.ttl (-1h) is negative");
        cluster.edit(aReservation("r").requesting("6 cpu"));
        assertThat(cluster.status("r").phase()).as("once it does").isEqualTo(ReservationPhase.AVAILABLE);
    }

    @Test
    void aPlacedReservationKeepsItsCapacityAfterAMalformedEdit() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"))
                .edit(aReservation("r").malformed("owners are odd"));
        cluster.upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.events).anyMatch(event -> event.startsWith("InvalidReservation: owners are odd; "));
    }

    @Test
    void aReservationOfAnotherSchedulerIsNotPlacedByBerth() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").scheduledBy("another-scheduler"));
        assertThat(cluster.status("r")).isEqualTo(ReservationStatus.ABSENT);
        assertThat(cluster.writes).isZero();
    }

    @Test
    void theCapacityOfAnotherSchedulersReservationIsHeldAndItsStatusIsNeverWritten() {
        cluster.createReservation(placedByOtherScheduler("r", "6 cpu"))
                .upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        cluster.advance(Duration.ofDays(2)).restart();
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.writes).isZero();
        cluster.deleteReservation("r").advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void berthPlacesNoOwnersInAnotherSchedulersReservation() {
        cluster.createReservation(placedByOtherScheduler("r", "6 cpu")).upsert(web("web", "4 cpu"));
        assertThat(cluster.nodeOf("web")).isEmpty();
    }

    @Test
    void aReservationThatNoSchedulerServesIsReportedAfterAMinute() {
        cluster.createReservation(aReservation("r")
                .requesting("6 cpu")
                .scheduledBy("another-scheduler")
                .createdAt(cluster.clock.instant()));
        cluster.advance(Duration.ofSeconds(59));
        assertThat(cluster.status("r")).isEqualTo(ReservationStatus.ABSENT);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(cluster.status("r").conditions().get(0).message())
                .contains("schedulerName (another-scheduler)", "Berth serves: koord-scheduler");
        assertThat(cluster.events).singleElement().asString().startsWith("SchedulerNotServed: no Berth serves");
        assertThat(cluster.eventTargetsOf("SchedulerNotServed")).containsExactly("Reservation r");
        cluster.advance(Duration.ofHours(1)).restart().advance(Duration.ofHours(1));
        assertThat(cluster.writes).as("it is said once").isEqualTo(1);
        assertThat(cluster.events).hasSize(1);
    }

    @Test
    void aReservationThatNoSchedulerServesNamesTheSchedulersThatAreServedNow() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").scheduledBy("another-scheduler"))
                .advance(Duration.ofMinutes(1))
                .restartServing("berth-scheduler", "koord-scheduler");
        assertThat(cluster.status("r").conditions().get(0).message())
                .contains("Berth serves: berth-scheduler, koord-scheduler");
    }

    @Test
    void aReservationWhoseSchedulerBecomesServedIsPlacedAndRetractsTheReport() {
        cluster.upsert(aPod("big").asking("6 cpu"))
                .createReservation(aReservation("r").requesting("6 cpu").scheduledBy("another-scheduler"))
                .advance(Duration.ofMinutes(1))
                .restartServing("another-scheduler", KoordinatorScene.SCHEDULER);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        cluster.deletePod("big").advance(Duration.ofMinutes(1));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void theStatusThatAnotherSchedulerWroteIsNeverTouched() {
        ReservationStatus refused =
                ReservationStatus.ABSENT.withUnschedulable("it found no node", cluster.clock.instant());
        cluster.createReservation(aReservation("r").requesting("6 cpu").scheduledBy("another-scheduler"))
                .writeStatusAsOtherScheduler("r", refused)
                .advance(Duration.ofHours(1))
                .restart()
                .advance(Duration.ofHours(1));
        assertThat(cluster.status("r")).isEqualTo(refused);
        assertThat(cluster.events).isEmpty();
    }

    @Test
    void aReservationWithoutASchedulerNameIsServedByBerth() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").scheduledBy(""));
        assertThat(cluster.status("r").nodeName()).isEqualTo("n1");
    }

    private ReservationBuilder placedByOtherScheduler(String name, String size) {
        ReservationStatus placed = ReservationStatus.ABSENT.toAvailable("n1", amounts(size), cluster.clock.instant());
        return aReservation(name)
                .requesting(size)
                .shared()
                .scheduledBy("another-scheduler")
                .withStatus(placed);
    }

    @Test
    @Scenario(79)
    void theAllocatableInTheStatusDeterminesTheSizeOfTheHold() {
        ReservationStatus enlarged =
                ReservationStatus.ABSENT.toAvailable("n1", amounts("7 cpu"), cluster.clock.instant());
        cluster.createReservation(aReservation("r").requesting("1 cpu").withStatus(enlarged))
                .upsert(aPod("other").asking("2 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
    }

    @Test
    void aFinishedReservationIsDeletedAfterADay() {
        cluster.createReservation(aReservation("r").requesting("6 cpu")).upsert(web("web", "4 cpu"));
        cluster.advance(Duration.ofHours(23));
        assertThat(cluster.exists("r")).isTrue();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.exists("r")).isFalse();
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
    }

    @Test
    @Scenario(81)
    void aDeniedStatusWriteIsRetriedAfterABackOff() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.PENDING);
        cluster.advance(Duration.ofSeconds(30));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
    }

    @Test
    void aReservationThatIsEditedAfterADeniedStatusWriteIsPlacedAgain() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .edit(aReservation("r").requesting("6 cpu").shared());
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
    }

    @Test
    void aConflictWithoutANewVersionIsRetried() {
        cluster.setServerMode(SchedulerScene.ServerMode.CONFLICTING)
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.PENDING);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
    }

    @Test
    void aStatusWriteThatIsAnsweredWithNotFoundIsTriedAgain() {
        cluster.setServerMode(SchedulerScene.ServerMode.NOT_FOUND)
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofSeconds(10));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
    }

    @Test
    void aPlaceWhoseStatusWriteIsDeniedIsFreeForPods() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .createReservation(aReservation("r").requesting("6 cpu"));
        assertThat(cluster.ledger().hold(new HoldId("koordinator/r"))).isEmpty();
        assertThat(cluster.events)
                .containsExactly(
                        "WriteDenied: The API server denied a write: forbidden. Until the status is written, the place of the"
                                + " Reservation on node n1 is free for other pods. Berth tries again, at least once a minute.");
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void aReservationForOnceStaysUsedUpIfItsOwnerLeavesBeforeTheStatusIsWritten() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(SchedulerScene.ServerMode.CONFLICTING)
                .upsert(web("owner", "6 cpu").on("n1").using("koordinator/r"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        cluster.deletePod("owner");
        assertThat(cluster.ledger()
                        .hold(new HoldId("koordinator/r"))
                        .orElseThrow()
                        .isClosed())
                .as("to another owner that would take the room a second time")
                .isTrue();
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.status("r").currentOwners()).hasSize(1);
        assertThat(cluster.ledger().hold(new HoldId("koordinator/r"))).isEmpty();
    }

    @Test
    void aDeniedStatusWriteIsRetriedOnceAMinuteAndReportedOnce() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .createReservation(aReservation("r").requesting("6 cpu"));
        for (int i = 0; i < 60; i++) {
            cluster.advance(Duration.ofSeconds(10));
        }
        assertThat(cluster.attempts).isBetween(12, 18);
        assertThat(cluster.events).hasSize(1);
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.events.get(1)).startsWith("WriteAllowed: ");
    }

    @Test
    void aPlaceThatWasWrittenIsKeptAlthoughTheWatchDoesNotShowIt() {
        cluster.setServerMode(SchedulerScene.ServerMode.WATCH_STALLED)
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.restart();
        for (int i = 0; i < 30; i++) {
            cluster.advance(Duration.ofSeconds(20));
        }
        cluster.upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).upsert(web("web", "6 cpu"));
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void anEditDuringAStatusWriteIsReconciledAgain() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.edit(aReservation("r").requesting("7 cpu")).setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts("7 cpu"));
    }

    @Test
    void aClaimThatNoStatusListsIsRestoredAfterARestart() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(web("web", "4 cpu").on("n1").using("koordinator/r"));
        cluster.restart();
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        cluster.upsert(web("second", "4 cpu"));
        assertThat(cluster.annotation("second", ALLOCATED)).isEmpty();
    }

    @Test
    void aRestartRestoresTheHoldsAndWritesNothing() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("web", "2 cpu"));
        int before = cluster.writes;
        cluster.restart().upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.writes).isEqualTo(before);
        cluster.upsert(web("more", "4 cpu"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("6 cpu"));
    }

    private static PodBuilder web(String name, String... amounts) {
        return aPod(name).asking(amounts).labelled("app", "web");
    }
}
