package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.door.koordinator.UpgradeScene.allocatedPod;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.ReservationRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Koordinator's scheduler takes over from Berth: it finds what it needs, and Berth writes nothing more. */
class ReturnToKoordinatorTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";

    private final KoordinatorScene cluster = new KoordinatorScene();

    private KoordinatorScene withSharedReservation() {
        return cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(aPod("a").labelled("app", "web").asking("2 cpu"));
    }

    private KoordinatorScene yieldToKoordinator() {
        return cluster.restartYieldingTo(KoordinatorScene.SCHEDULER);
    }

    @Test
    void everyPodThatBerthBoundNamesItsReservation() {
        withSharedReservation();

        assertThat(cluster.annotation("a", ReservationRecord.ANNOTATION)).isEqualTo("{\"name\":\"r\",\"uid\":\"r\"}");
        assertThat(cluster.status("r").currentOwners()).containsExactly(new CurrentOwner("default", "a", "a"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu"));
    }

    @Test
    void berthLeavesThePlacedReservationsToTheSchedulerThatRunsAgain() {
        withSharedReservation();
        yieldToKoordinator();
        int writes = cluster.writes;

        cluster.advance(Duration.ofHours(1));

        assertThat(cluster.conditions("r"))
                .as("Koordinator's scheduler serves it, even if it has nothing to write")
                .isEqualTo(READY);
        assertThat(cluster.writes).isEqualTo(writes);
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);
    }

    @Test
    void theExpiryIsLeftToTheSchedulerThatRunsAgain() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .shared()
                        .until(cluster.clock.instant().plusSeconds(600)));
        yieldToKoordinator();
        int writes = cluster.writes;

        cluster.advance(Duration.ofHours(1));

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.writes).isEqualTo(writes);
    }

    @Test
    void theProblemsThatBerthReportedAreRemovedAtOnce() {
        withSharedReservation()
                .upsertPodOfOtherScheduler(aPod("intruder").asking("4 cpu").on("n1"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Overcommitted");

        yieldToKoordinator();

        assertThat(cluster.conditions("r"))
                .as("Koordinator's scheduler would leave the condition for ever")
                .isEqualTo(READY);
    }

    @Test
    void podsOfBothSchedulersCountOnceWhenBerthServesTheNameAgain() {
        withSharedReservation();
        yieldToKoordinator().upsert(allocatedPod("b", "r", "2 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);

        cluster.restartServing(KoordinatorScene.SCHEDULER);

        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("a", "b");
    }

    @Test
    void noEventWarnsOfAReservationThatTheOtherSchedulerHasWritten() {
        withSharedReservation();
        yieldToKoordinator()
                .upsert(allocatedPod("b", "r", "2 cpu"))
                .writeStatusAsOtherScheduler(
                        "r",
                        cluster.status("r")
                                .withCurrentOwners(
                                        List.of(
                                                new CurrentOwner("default", "a", "a"),
                                                new CurrentOwner("default", "b", "b")),
                                        amounts("4 cpu")));
        cluster.restart().advance(Duration.ofMinutes(5));

        assertThat(cluster.eventTargetsOf("SchedulerNotServed")).isEmpty();
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }
}
