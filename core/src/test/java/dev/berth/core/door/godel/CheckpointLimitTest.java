package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checkpoint objects that Berth did not write. */
class CheckpointLimitTest {
    private static final int OBJECTS = 1;
    private static final int PODS_IN_ONE = 2;

    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Scheduler scheduler = decider(65536, PODS_IN_ONE);

    private static Scheduler decider(int objectBytes, int objectPods) {
        Ledger ledger = new Ledger();
        return aScheduler(ledger)
                .withDoors(new GodelDoor(
                        Duration.ofSeconds(60),
                        new CheckpointLimits(4096, objectBytes, objectPods, OBJECTS, 5, Duration.ofMillis(500))))
                .build();
    }

    @Test
    void objectBeyondTheLimitGetsNoPodsAndDoesNotHangTheLoop() {
        scheduler.apply(new GodelFact.CheckpointUpserted(new CheckpointObject("godel-7", "c7", 1, Map.of())), now);
        seePods(4);

        List<CheckpointWrite> filled = assertTimeoutPreemptively(Duration.ofSeconds(10), this::fillCheckpoint);

        assertThat(filled).extracting(CheckpointWrite::name).containsExactly("godel-0");
    }

    @Test
    void checkpointObjectsBeyondTheLimitDoNotReduceTheNumberOfBerthsOwn() {
        IntStream.range(100, 110)
                .forEach(i -> scheduler.apply(
                        new GodelFact.CheckpointUpserted(new CheckpointObject("godel-" + i, "c" + i, 1, Map.of())),
                        now));
        seePods(1);

        assertThat(fillCheckpoint()).extracting(CheckpointWrite::name).containsExactly("godel-0");
    }

    @Test
    void podThatIsTooLargeForTheCheckpointIsReportedOnce() {
        seePods(0);
        see("large", "x".repeat(5_000));
        scheduler.reconcileComponents(now);
        see("large", "y".repeat(5_000));
        scheduler.reconcileComponents(now.plusSeconds(10));

        assertThat(scheduler.drainEffects())
                .filteredOn(effect -> effect instanceof Effect.RecordEvent event
                        && event.kind().reason().equals("NotCheckpointed"))
                .as("the pod changed, and its author knows already")
                .hasSize(1);
    }

    @Test
    void entryWithANegativeRequestIsRefused() {
        assertThatThrownBy(() -> new CheckpointedPod(
                        new PodUid("u"),
                        "default",
                        "p",
                        "n1",
                        "n1",
                        "i",
                        Duration.ofSeconds(60),
                        Resources.of(ResourceName.CPU, -1),
                        List.of(),
                        "default-scheduler",
                        0,
                        CheckpointedPod.Controller.NONE,
                        "",
                        List.of(),
                        true,
                        "",
                        Labels.NONE,
                        List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("requests of cpu (-1) must not be negative");
    }

    @Test
    void reservationRecordIsEvictedForAPodIfTheCheckpointIsFull() {
        seePods(PODS_IN_ONE);
        deletePodWithReservation("p0");
        see("p9");

        assertCheckpointed("p1", "p9");
    }

    @Test
    void reservationRecordIsNotEvictedIfThatMakesNoCapacityForAPod() {
        scheduler = decider(4096 + 1000, 10);
        seePods(1);
        scheduler.reconcileComponents(now);
        see("large", "i".repeat(2000));
        deletePodWithReservation("p0");
        see("p9");

        assertCheckpointed("p0", "large");
    }

    @Test
    void severalReservationRecordsAreEvictedIfOneIsTooSmall() {
        scheduler = decider(4096 + 1000, 10);
        seePods(2);
        scheduler.reconcileComponents(now);
        see("large", "i".repeat(600));
        deletePodWithReservation("p0");
        deletePodWithReservation("p1");
        see("p9");

        assertCheckpointed("large", "p9");
    }

    private void deletePodWithReservation(String pod) {
        scheduler.reconcileComponents(now);
        scheduler.apply(new Fact.PodDeleted(new PodUid(pod)), now);
        scheduler.reconcileComponents(now);
        GodelWrite.CreateReservation reservation = scheduler.drainEffects().stream()
                .filter(GodelWrite.CreateReservation.class::isInstance)
                .map(GodelWrite.CreateReservation.class::cast)
                .findFirst()
                .orElseThrow();
        scheduler.apply(new GodelFact.ReservationUpserted(ReservationEcho.of(reservation, "r-" + pod, now)), now);
    }

    private void assertCheckpointed(String... pods) {
        assertThat(fillCheckpoint())
                .singleElement()
                .isInstanceOfSatisfying(
                        CheckpointWrite.CreateCheckpoint.class,
                        write -> assertThat(write.pods().keySet())
                                .as("running pods, and reservation records where no running pod needs the room")
                                .extracting(PodUid::value)
                                .containsExactlyInAnyOrder(pods));
    }

    private void seePods(int count) {
        scheduler.apply(new Fact.NodeUpserted(aNode("n1").with("40 cpu").build()), now);
        IntStream.range(0, count).forEach(i -> see("p" + i));
    }

    private void see(String pod) {
        see(pod, "i");
    }

    private void see(String pod, String key) {
        scheduler.apply(
                new Fact.PodUpserted(aPod(pod)
                        .asking("1 cpu")
                        .on("n1")
                        .annotated(GodelAnnotations.RESERVATION, "true")
                        .annotated(GodelAnnotations.INDEX, key)
                        .build()),
                now);
    }

    /** The writes that put pods into objects. Empty objects are deleted. */
    private List<CheckpointWrite> fillCheckpoint() {
        scheduler.reconcileComponents(now);
        scheduler.reconcileComponents(now.plusSeconds(1));
        return scheduler.drainEffects().stream()
                .filter(CheckpointWrite.class::isInstance)
                .map(CheckpointWrite.class::cast)
                .filter(write -> !(write instanceof CheckpointWrite.DeleteCheckpoint))
                .toList();
    }
}
