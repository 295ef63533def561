package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The template's requests of a placed reservation are edited. */
class ReservationResizeTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String WAITING = READY + " Resized=false/InsufficientCapacity";
    private static final HoldId R = new HoldId("koordinator/r");

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aReservationOfFourCpusOnANodeWithEight() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory", "20 pods")).createReservation(sized("4 cpu"));
    }

    @AfterEach
    void noCapacityIsPromisedTwice() {
        assertThat(cluster.cpuFree("n1")).isNotNegative();
    }

    private static ReservationBuilder sized(String... amounts) {
        return aReservation("r").requesting(amounts).shared();
    }

    private static PodBuilder stranger(String cpus) {
        return aPod("stranger").asking(cpus);
    }

    private static PodBuilder owner(String name, String cpus) {
        return aPod(name).asking(cpus).labelled("app", "web");
    }

    private String message() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.RESIZED)
                .orElseThrow()
                .message();
    }

    private List<String> resizedEvents() {
        return cluster.events.stream()
                .filter(event -> event.startsWith("Resized: "))
                .toList();
    }

    private void assertSize(String... expected) {
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts(expected));
    }

    @Test
    void aReservationGrowsIntoFreeCapacityOfItsNode() {
        cluster.edit(sized("6 cpu"));
        assertSize("6 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(resizedEvents()).containsExactly("Resized: Resized from 4 cpu to 6 cpu on node n1");
        cluster.upsert(stranger("3 cpu")).upsert(owner("web", "6 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEmpty();
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void aReservationThatCannotGrowSaysWhyAndGrowsWhenCapacityBecomesFree() {
        cluster.upsert(stranger("3 cpu")).edit(sized("6 cpu"));
        assertSize("4 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(WAITING);
        assertThat(message())
                .isEqualTo(
                        "Insufficient cpu on node n1: the Reservation keeps its size (4 cpu), and the requested size is 6 cpu."
                                + " Berth resizes it when enough is free");
        assertThat(cluster.events).containsOnlyOnce("InsufficientCapacity: " + message());

        int writes = cluster.writes;
        cluster.upsert(aPod("tiny").asking("0 cpu")).advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).as("the same message is not written again").isEqualTo(writes);

        cluster.deletePod("stranger");
        assertSize("6 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(resizedEvents()).hasSize(1);
    }

    @Test
    void aReservationThatCannotGrowGrowsAfterARestart() {
        cluster.upsert(stranger("3 cpu")).edit(sized("6 cpu")).restart();
        assertThat(cluster.conditions("r")).isEqualTo(WAITING);
        cluster.deletePodUnseen("stranger").restart();
        assertSize("6 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditThatIsTakenBackIsNoLongerReported() {
        cluster.edit(sized("60 cpu")).edit(sized("4 cpu"));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        cluster.upsert(stranger("4 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void aReservationDoesNotGrowIntoCapacityThatAnotherReservationHolds() {
        cluster.createReservation(aReservation("other").requesting("3 cpu").shared());
        cluster.edit(sized("6 cpu"));
        assertThat(cluster.conditions("r")).isEqualTo(WAITING);
        cluster.deleteReservation("other");
        assertSize("6 cpu");
    }

    @Test
    void twoReservationsThatWaitForOneNodeGrowOneAfterTheOther() {
        cluster.createReservation(aReservation("s").requesting("1 cpu").shared())
                .upsert(stranger("3 cpu"));
        cluster.edit(sized("6 cpu")).edit(aReservation("s").requesting("2 cpu").shared());
        assertThat(cluster.conditions("s")).isEqualTo(WAITING);
        cluster.deletePod("stranger");
        assertSize("6 cpu");
        assertThat(cluster.status("s").allocatable()).isEqualTo(amounts("2 cpu"));
    }

    @Test
    void aReservationShrinksAtOnce() {
        cluster.edit(sized("1 cpu")).upsert(stranger("7 cpu"));
        assertSize("1 cpu");
        assertThat(resizedEvents()).containsExactly("Resized: Resized from 4 cpu to 1 cpu on node n1");
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void aReservationThatShrinksHoldsItsCapacityUntilTheStatusShowsTheNewSize() {
        cluster.setServerMode(ServerMode.SILENT).edit(sized("1 cpu")).upsert(stranger("7 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(4_000);
        cluster.restart();
        assertThat(cluster.cpuFree("n1")).isEqualTo(4_000);
    }

    @Test
    void aReservationThatShrinksBelowWhatItsOwnersUseHasNothingLeft() {
        cluster.upsert(owner("web", "3 cpu")).edit(sized("1 cpu"));
        assertSize("1 cpu");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("3 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(5_000);
        cluster.deletePod("web");
        assertThat(cluster.cpuFree("n1")).isEqualTo(7_000);
    }

    @Test
    void aReservationWhoseOwnersUseMoreThanItHasGrowsByWhatIsMissing() {
        cluster.upsert(owner("web", "7 cpu")).edit(sized("8 cpu"));
        assertSize("8 cpu");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("7 cpu"));
        assertThat(cluster.cpuFree("n1")).isZero();
    }

    @Test
    void anEditThatGrowsOneResourceAndShrinksAnotherIsAppliedAsAWhole() {
        cluster.edit(sized("4 cpu", "8Gi memory")).upsert(stranger("4 cpu"));
        cluster.edit(sized("5 cpu", "2Gi memory"));
        assertSize("4 cpu", "8Gi memory");
        assertThat(message()).startsWith("Insufficient cpu on node n1");
        cluster.deletePod("stranger");
        assertSize("5 cpu", "2Gi memory");
    }

    @Test
    void aResourceThatIsRemovedFromTheTemplateIsNoLongerHeld() {
        cluster.edit(sized("4 cpu", "8Gi memory")).edit(sized("4 cpu"));
        assertThat(cluster.status("r").allocatable().has(ResourceName.MEMORY)).isFalse();
        cluster.upsert(aPod("stranger").asking("16Gi memory"));
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void theRestrictedResourcesFollowTheNewSize() {
        cluster.edit(sized("4 cpu").restricted())
                .edit(sized("4 cpu", "2Gi memory").restricted());
        assertThat(cluster.ledger().hold(R).orElseThrow().policy())
                .isEqualTo(new AllocatePolicy.Restricted(Set.of(ResourceName.CPU, ResourceName.MEMORY)));
        cluster.upsert(owner("web", "1 cpu").asking("1 cpu", "3Gi memory"));
        assertThat(cluster.status("r").currentOwners()).isEmpty();
    }

    @Test
    @Scenario(148)
    void aPatchOfTheStatusResizesTheReservationInBothDirections() {
        cluster.patchAllocatable("r", "7 cpu").upsert(stranger("2 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEmpty();
        cluster.patchAllocatable("r", "2 cpu");
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
        assertSize("2 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(resizedEvents())
                .containsExactly(
                        "Resized: Resized from 4 cpu to 7 cpu on node n1",
                        "Resized: Resized from 7 cpu to 2 cpu on node n1");
    }

    @Test
    void anUnchangedTemplateThatIsAppliedAgainKeepsAPatchedSize() {
        cluster.patchAllocatable("r", "6 cpu").edit(sized("4 cpu"));
        assertSize("6 cpu");
        cluster.restart().edit(sized("4 cpu"));
        assertSize("6 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anUnchangedTemplateKeepsASizeThatWasPatchedWhileNoBerthRan() {
        cluster.setServerMode(ServerMode.SILENT)
                .patchAllocatable("r", "6 cpu")
                .restart()
                .setServerMode(ServerMode.ACCEPTING);
        assertSize("6 cpu");
    }

    @Test
    void theLaterOfAnEditAndAPatchWins() {
        cluster.patchAllocatable("r", "6 cpu").edit(sized("5 cpu"));
        assertSize("5 cpu");
        cluster.patchAllocatable("r", "2 cpu");
        assertSize("2 cpu");
        cluster.restart().edit(sized("3 cpu"));
        assertSize("3 cpu");
    }

    @Test
    void aPatchThatFollowsAnEditBeforeBerthWroteItWins() {
        cluster.setServerMode(ServerMode.SILENT).edit(sized("6 cpu")).patchAllocatable("r", "2 cpu");
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertSize("2 cpu");
        cluster.restart();
        assertSize("2 cpu");
    }

    @Test
    void anEditThatFollowsAPatchBeforeBerthRecordedItWins() {
        cluster.setServerMode(ServerMode.SILENT).patchAllocatable("r", "2 cpu").edit(sized("6 cpu"));
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertSize("6 cpu");
    }

    @Test
    void aPatchEndsTheWaitForCapacity() {
        cluster.edit(sized("60 cpu")).patchAllocatable("r", "5 cpu");
        assertSize("5 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        cluster.upsert(aNode("n1").with("80 cpu", "16Gi memory", "20 pods"));
        assertSize("5 cpu");
    }

    @Test
    void aPatchWhileNoBerthRunsEndsTheWaitForCapacity() {
        cluster.edit(sized("60 cpu")).setServerMode(ServerMode.SILENT).patchAllocatable("r", "5 cpu");
        cluster.restart().setServerMode(ServerMode.ACCEPTING);
        assertSize("5 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfOneResourceKeepsThePatchOfAnother() {
        cluster.edit(sized("4 cpu", "8Gi memory"));
        cluster.patchAllocatable("r", "6 cpu", "8Gi memory").edit(sized("4 cpu", "10Gi memory"));
        assertSize("6 cpu", "10Gi memory");
    }

    @Test
    void aRestartBeforeTheNewSizeIsWrittenStillAppliesTheEdit() {
        cluster.setServerMode(ServerMode.SILENT).edit(sized("6 cpu"));
        assertThat(cluster.cpuFree("n1")).as("the growth is held").isEqualTo(2_000);
        cluster.restart().setServerMode(ServerMode.ACCEPTING);
        assertSize("6 cpu");
    }

    @Test
    void aRestartAfterTheNewSizeIsWrittenKeepsIt() {
        cluster.setServerMode(ServerMode.WATCH_STALLED).edit(sized("6 cpu"));
        cluster.restart().setServerMode(ServerMode.ACCEPTING);
        assertSize("6 cpu");
        cluster.patchAllocatable("r", "5 cpu").restart();
        assertSize("5 cpu");
    }

    @Test
    void theCapacityOfAGrowthThatIsDeniedIsFreeForOtherPods() {
        cluster.setServerMode(ServerMode.DENYING).acceptBindsOnly().edit(sized("8 cpu"));
        cluster.upsert(stranger("4 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertSize("4 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(WAITING);
        cluster.deletePod("stranger");
        assertSize("8 cpu");
    }

    @Test
    void aGrowthWhoseWriteIsInFlightAtTheDeadlineIsHeldUntilTheStatusSaysFailed() {
        Instant end = cluster.clock.instant().plusSeconds(60);
        cluster.edit(sized("4 cpu").until(end)).setServerMode(ServerMode.SILENT);
        cluster.edit(sized("8 cpu").until(end)).advance(Duration.ofMinutes(1));
        cluster.upsert(stranger("2 cpu"));
        assertThat(cluster.cpuFree("n1")).isZero();
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.FAILED);
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void aReservationThatAnotherSchedulerPlacedKeepsItsSizeUntilItsTemplateIsEdited() {
        ReservationStatus placed =
                ReservationStatus.ABSENT.toAvailable("n1", amounts("2 cpu"), cluster.clock.instant());
        cluster.deleteReservation("r").createReservation(sized("4 cpu").withStatus(placed));
        assertSize("2 cpu");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        cluster.restart();
        assertSize("2 cpu");
        cluster.edit(sized("5 cpu"));
        assertSize("5 cpu");
    }

    @Test
    void anEditBeforeBerthRecordedTheSizeOfAnotherSchedulersReservationIsApplied() {
        ReservationStatus placed =
                ReservationStatus.ABSENT.toAvailable("n1", amounts("4 cpu"), cluster.clock.instant());
        cluster.deleteReservation("r").setServerMode(ServerMode.SILENT);
        cluster.createReservation(sized("4 cpu").withStatus(placed)).edit(sized("5 cpu"));
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertSize("5 cpu");
    }

    @Test
    void aTemplateThatWasMalformedInBetweenIsAppliedWhenItIsCorrected() {
        cluster.patchAllocatable("r", "3 cpu").edit(aReservation("r").malformed("six is no quantity"));
        assertSize("3 cpu");
        cluster.edit(sized("6 cpu"));
        assertSize("6 cpu");
    }

    @Test
    void aReservationThatIsBeingDeletedIsNotResized() {
        cluster.edit(sized("6 cpu").terminating());
        assertSize("4 cpu");
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Terminating");
    }

    @Test
    void theRecordOfTheAppliedSizeIsInTheConditionScheduled() {
        cluster.patchAllocatable("r", "6 cpu");
        assertThat(cluster.status("r")
                        .findCondition(ReservationCondition.Type.SCHEDULED)
                        .orElseThrow()
                        .message())
                .isEqualTo("written by Berth for requests cpu=4 and allocatable cpu=6");
    }
}
