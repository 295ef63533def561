package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A webhook protects pods: the API server denies every write about them. */
class DeniedEvictionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final PreemptionScene scene =
            new PreemptionScene().withoutGracePeriod().upsert(aNode("n").with("4 cpu"));

    private static PodBuilder low(String name, String node) {
        return aPod(name).asking("4 cpu").ofPriority(1).on(node);
    }

    private static PodBuilder vip() {
        return aPod("vip").asking("4 cpu").ofPriority(100);
    }

    private PreemptionScene passInSteps(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(A_WHILE)) {
            scene.advance(A_WHILE);
        }
        return scene;
    }

    @Test
    void whenAnEvictionIsDeniedAnotherNodeIsNominated() {
        scene.upsert(aNode("m").with("4 cpu"));
        scene.upsert(
                low("guarded", "n"), aPod("w").asking("4 cpu").ofPriority(2).on("m"));

        scene.deny("Delete guarded").listed().upsert(vip()).advance(A_WHILE).advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("m");
        assertThat(scene.nodeOf("guarded")).isEqualTo("n");
        assertThat(scene.refused).containsExactly("Delete guarded");
    }

    @Test
    void whenAnEvictionIsDeniedOtherPodsOfTheNodeArePreempted() {
        scene.upsert(aNode("n").with("8 cpu"));
        scene.upsert(
                low("guarded", "n"),
                aPod("a").asking("2 cpu").ofPriority(2).on("n"),
                aPod("b").asking("2 cpu").ofPriority(2).on("n"));

        scene.deny("Mark guarded").listed().upsert(vip()).advance(A_WHILE).advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertThat(scene.hasPod("a") || scene.hasPod("b")).isFalse();
        assertThat(scene.refused).containsExactly("Mark guarded");
    }

    @Test
    void whenAllEvictionsAreDeniedTheConditionQuotesTheDenialAndNoneIsRetriedForAWhile() {
        scene.upsert(low("guarded", "n")).deny("Delete").listed().upsert(vip());

        passInSteps(Duration.ofMinutes(4));

        assertThat(scene.unschedulableMessages)
                .containsEntry(
                        "vip",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 node(s) had preemption victims that could not be deleted. The API server denied the deletion: default/guarded (it"
                                + " is forbidden).");
        assertThat(scene.refused).hasSize(1);
        assertThat(scene.events).filteredOn(event -> event.contains("failed")).hasSize(1);
        assertThat(scene.hasNominationHold("vip")).isFalse();

        scene.allow("Delete");
        passInSteps(Duration.ofMinutes(2));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }

    /** Each protected pod is evicted together with another pod: this must not happen on one node after the other. */
    @Test
    void whenOneOfTwoVictimsIsDeniedNoOtherNodeIsClearedInVain() {
        for (int i = 0; i < 10; i++) {
            scene.upsert(aNode("n" + i).with("4 cpu"));
            scene.upsert(
                    aPod("free-" + i).asking("2 cpu").ofPriority(1).on("n" + i),
                    aPod("guarded-" + i).asking("2 cpu").ofPriority(1).on("n" + i));
            scene.deny("Delete guarded-" + i);
        }
        scene.upsert(low("guarded", "n")).deny("Delete guarded");
        scene.listed().upsert(vip());

        passInSteps(Duration.ofMinutes(4));

        long left =
                IntStream.range(0, 10).filter(i -> scene.hasPod("free-" + i)).count();
        assertThat(left).as("of ten that could go").isGreaterThanOrEqualTo(9);
        assertThat(scene.unschedulableMessages.get("vip"))
                .contains(
                        "preemption: Berth deletes no more victims for now. The API server denied the deletion: default/guarded");
    }

    @Test
    void withoutPermissionToDeleteFewEvictionsAreTriedHoweverManyNodesThereAre() {
        for (int i = 0; i < 60; i++) {
            scene.upsert(aNode("n" + i).with("4 cpu")).upsert(low("low-" + i, "n" + i));
        }
        scene.upsert(low("low", "n")).deny("Delete").listed().upsert(vip());

        passInSteps(Duration.ofMinutes(4));

        assertThat(scene.refused).hasSize(3);
        assertThat(scene.unschedulableMessages.get("vip"))
                .contains(
                        "Berth deletes no more victims for now. The API server denied the deletion: ",
                        " (it is forbidden)");

        passInSteps(Duration.ofMinutes(16));

        assertThat(scene.refused).as("some each five minutes").hasSizeLessThan(30);

        scene.allow("Delete");
        passInSteps(Duration.ofMinutes(6));

        assertThat(scene.nodeOf("vip")).isNotEmpty();
    }

    @Test
    void onlyTheFirstDeniedVictimsAreNamed() {
        scene.upsert(aNode("n").with("8 cpu"));
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            scene.upsert(aPod(name).asking("1 cpu").ofPriority(1).on("n"));
        }
        scene.deny("Delete").listed().upsert(aPod("vip").asking("8 cpu").ofPriority(100));

        passInSteps(Duration.ofMinutes(1));

        assertThat(scene.unschedulableMessages.get("vip"))
                .endsWith("default/a (it is forbidden), default/b (it is forbidden), default/c (it is forbidden) and 2"
                        + " more.");
    }

    @Test
    void removingTheProtectionOfAPodRetriesItsEvictionAtOnce() {
        scene.upsert(low("guarded", "n")).deny("Delete").listed().upsert(vip());
        passInSteps(Duration.ofMinutes(1));

        scene.allow("Delete").touch("guarded").advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertThat(scene.refused).hasSize(1);
    }

    @Test
    void aTerminatingVictimIsAwaited() {
        scene.upsert(low("guarded", "n")).deny("Delete").listed().upsert(vip());
        passInSteps(Duration.ofMinutes(1));

        scene.showEvicted("guarded").deletePod("guarded").advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertThat(scene.preemption.ignoresPlainPods())
                .as("nothing is remembered")
                .isTrue();
    }

    @Test
    void aDeniedNominationIsNotRetriedAtEveryBackOff() {
        scene.upsert(low("low", "n")).deny("SetNominatedNode").listed().upsert(vip());

        passInSteps(Duration.ofMinutes(4));
        assertThat(scene.refused)
                .as("after 1 s, 2 s, 4 s, and at last once a minute")
                .hasSizeLessThan(12);

        assertThat(scene.unschedulableMessages.get("vip"))
                .endsWith("preemption: no node could be nominated: it is forbidden.");
        assertThat(scene.events)
                .filteredOn(event -> event.contains("WriteDenied"))
                .hasSize(1);

        scene.allow("SetNominatedNode");
        passInSteps(Duration.ofMinutes(2));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }
}
