package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Berth is killed while a Reservation preempts: no victim is deleted twice, and no other pod is evicted. */
class PreemptingReservationRestartTest {
    private static final int RESTARTS = 100;
    private static final List<String> VICTIMS = List.of("low-1", "low-2");

    private final KoordinatorScene scene = new KoordinatorScene()
            .withPreemptingReservations()
            .upsert(aNode("n1").with("4 cpu"))
            .upsert(aNode("n2").with("4 cpu"))
            .upsert(aPod("low-1").asking("2 cpu").ofPriority(1).on("n1"))
            .upsert(aPod("low-2").asking("2 cpu").ofPriority(1).on("n1"))
            .upsert(aPod("middle").asking("4 cpu").ofPriority(5).on("n2"));

    private List<String> deletions() {
        return scene.podWrites().stream()
                .filter(write -> write.startsWith("delete"))
                .sorted()
                .toList();
    }

    @RandomHistories(count = 15)
    void noVictimIsEvictedTwiceAcrossAHundredRestarts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int firstGone = random.nextInt(RESTARTS);
        int secondGone = random.nextInt(RESTARTS);
        scene.delayAnswers(true)
                .createReservation(aReservation("r").requesting("4 cpu").ofPriority(10))
                .upsert(aPod("late").asking("2 cpu").ofPriority(0))
                .delayAnswers(false);
        for (int restart = 0; restart < RESTARTS; restart++) {
            scene.restartForTurns(1 + random.nextInt(4));
            deleteIfDue("low-1", restart >= firstGone);
            deleteIfDue("low-2", restart >= secondGone);
            if (random.nextInt(4) == 0) {
                scene.clock.advance(Duration.ofSeconds(random.nextInt(20)));
            }
            assertThat(deletions())
                    .as("seed %d, restart %d", seed, restart)
                    .doesNotHaveDuplicates()
                    .isSubsetOf("delete low-1", "delete low-2");
            assertThat(scene.nodeOf("late"))
                    .as("seed %d, restart %d: node of a pod of lower priority", seed, restart)
                    .isNotEqualTo("n1");
        }
        scene.restart();
        VICTIMS.forEach(victim -> deleteIfDue(victim, true));
        scene.restart().advance(Duration.ofMinutes(1)).restart().advance(Duration.ofMinutes(1));

        assertThat(deletions()).as("seed %d", seed).containsExactly("delete low-1", "delete low-2");
        assertThat(scene.status("r").nodeName()).as("seed %d", seed).isEqualTo("n1");
        assertThat(scene.conditions("r"))
                .as("seed %d", seed)
                .isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    /** Its kubelet reports the end of a terminating pod. */
    private void deleteIfDue(String pod, boolean due) {
        if (due && scene.findPod(pod).filter(it -> it.terminating()).isPresent()) {
            scene.deletePodUnseen(pod);
        }
    }

    @Test
    void theRestIsEvictedIfBerthStopsBetweenTwoVictims() {
        scene.upsertUnseen(aPod("low-1")
                .asking("2 cpu")
                .ofPriority(1)
                .on("n1")
                .with(pod -> pod.preempted(true).terminating(true)));
        scene.delayAnswers(true)
                .createReservation(aReservation("r")
                        .requesting("4 cpu")
                        .ofPriority(10)
                        .withStatus(ReservationStatus.ABSENT.withNominatedNode("n1", scene.clock.instant())));
        scene.deletePodUnseen("low-1").upsert(aPod("late").asking("2 cpu").ofPriority(0));
        scene.delayAnswers(false).restart();

        assertThat(deletions()).containsExactly("delete low-2");
        assertThat(scene.nodeOf("late")).isEmpty();
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void aRestartWithTheSettingOffRemovesTheRecord() {
        scene.createReservation(aReservation("r").requesting("4 cpu").ofPriority(10));
        assertThat(scene.conditions("r")).contains("NodeNominated");

        scene.withSettings(dev.berth.core.door.koordinator.settings.ReservationSettings.DEFAULT)
                .restart();

        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
    }

    /** Otherwise the status names a node on which nothing is held. */
    @Test
    void aNominatedNodeIsRemovedIfTheTemplateForbidsPreemptionSinceTheRestart() {
        scene.createReservation(aReservation("r").requesting("4 cpu").ofPriority(10));
        assertThat(scene.status("r").nominatedNode()).isEqualTo("n1");

        scene.setServerMode(SchedulerScene.ServerMode.WATCH_STALLED)
                .edit(aReservation("r").requesting("40 cpu").ofPriority(10).neverPreempting())
                .deletePod("low-1")
                .deletePod("low-2")
                .restart()
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofMinutes(1));

        assertThat(scene.status("r").nominatedNode()).isEmpty();
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
    }
}
