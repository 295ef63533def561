package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Objects of the checkpoint that Berth did not write. */
class CheckpointLimitTest {
    private static final int OBJECTS = 1;
    private static final int PODS_IN_ONE = 2;

    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Decider decider = decider(65536, PODS_IN_ONE);

    private static Decider decider(int objectBytes, int objectPods) {
        Ledger ledger = new Ledger();
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("default-scheduler"),
                List.of(new ComebackDoor(
                        Duration.ofSeconds(60),
                        new CheckpointLimits(4096, objectBytes, objectPods, OBJECTS, 5, Duration.ofMillis(500)))));
    }

    @Test
    void objectBeyondTheLimitGetsNoPodsAndDoesNotHangTheLoop() {
        decider.learn(new ComebackFact.CheckpointSeen(new CheckpointObject("return-7", "c7", 1, Map.of())), now);
        seePods(4);

        List<CheckpointWrite> filled = assertTimeoutPreemptively(Duration.ofSeconds(10), this::filled);

        assertThat(filled).extracting(CheckpointWrite::name).containsExactly("return-0");
    }

    @Test
    void objectsBeyondTheLimitLeaveTheObjectsWithinItToBerth() {
        IntStream.range(100, 110)
                .forEach(i -> decider.learn(
                        new ComebackFact.CheckpointSeen(new CheckpointObject("return-" + i, "c" + i, 1, Map.of())),
                        now));
        seePods(1);

        assertThat(filled()).extracting(CheckpointWrite::name).containsExactly("return-0");
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
    void aKeptPlaceLeavesItsEntryToAPodThatFindsTheCheckpointFull() {
        seePods(PODS_IN_ONE);
        leavePlace("p0");
        see("p9");

        theCheckpointHas("p1", "p9");
    }

    @Test
    void aKeptPlaceKeepsItsEntryIfThatIsTooSmallToMakeRoomForAPod() {
        decider = decider(4096 + 1000, 10);
        seePods(1);
        decider.settle(now);
        see("large", "i".repeat(2000));
        leavePlace("p0");
        see("p9");

        theCheckpointHas("p0", "large");
    }

    @Test
    void severalKeptPlacesLeaveTheirEntriesIfOneIsTooSmallToMakeRoomForAPod() {
        decider = decider(4096 + 1000, 10);
        seePods(2);
        decider.settle(now);
        see("large", "i".repeat(600));
        leavePlace("p0");
        leavePlace("p1");
        see("p9");

        theCheckpointHas("large", "p9");
    }

    private void leavePlace(String pod) {
        decider.settle(now);
        decider.learn(new Fact.PodGone(new PodUid(pod)), now);
        decider.settle(now);
        ComebackWrite.Create reservation = decider.takeEffects().stream()
                .filter(ComebackWrite.Create.class::isInstance)
                .map(ComebackWrite.Create.class::cast)
                .findFirst()
                .orElseThrow();
        decider.learn(new ComebackFact.PlaceholderSeen(CreatedReservation.of(reservation, "r-" + pod, now)), now);
    }

    private void theCheckpointHas(String... pods) {
        assertThat(filled())
                .singleElement()
                .isInstanceOfSatisfying(
                        CheckpointWrite.Create.class,
                        write -> assertThat(write.pods().keySet())
                                .as("running pods, and proofs of kept places that no running pod needs the room of")
                                .extracting(PodUid::value)
                                .containsExactlyInAnyOrder(pods));
    }

    private void seePods(int count) {
        decider.learn(new Fact.NodeSeen(aNode("n1").with("40 cpu").build()), now);
        IntStream.range(0, count).forEach(i -> see("p" + i));
    }

    private void see(String pod) {
        see(pod, "i");
    }

    private void see(String pod, String key) {
        decider.learn(
                new Fact.PodSeen(aPod(pod)
                        .asking("1 cpu")
                        .on("n1")
                        .annotated(Words.RESERVATION, "true")
                        .annotated(ReturnKey.INDEX, key)
                        .build()),
                now);
    }

    /** The writes that put pods into objects; empty objects are deleted. */
    private List<CheckpointWrite> filled() {
        decider.settle(now);
        decider.settle(now.plusSeconds(1));
        return decider.takeEffects().stream()
                .filter(CheckpointWrite.class::isInstance)
                .map(CheckpointWrite.class::cast)
                .filter(write -> !(write instanceof CheckpointWrite.Delete))
                .toList();
    }
}
