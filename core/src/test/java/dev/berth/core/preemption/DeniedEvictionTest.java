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
            new PreemptionScene().withoutGracePeriod().node(aNode("n").with("4 cpu"));

    private static PodBuilder low(String name, String node) {
        return aPod(name).asking("4 cpu").ofPriority(1).on(node);
    }

    private static PodBuilder vip() {
        return aPod("vip").asking("4 cpu").ofPriority(100);
    }

    private PreemptionScene passInSteps(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(A_WHILE)) {
            scene.pass(A_WHILE);
        }
        return scene;
    }

    @Test
    void whenAnEvictionIsDeniedAnotherNodeIsNominated() {
        scene.node(aNode("m").with("4 cpu"));
        scene.pods(low("guarded", "n"), aPod("w").asking("4 cpu").ofPriority(2).on("m"));

        scene.deny("Delete guarded").listed().pods(vip()).pass(A_WHILE).pass(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("m");
        assertThat(scene.nodeOf("guarded")).isEqualTo("n");
        assertThat(scene.refused).containsExactly("Delete guarded");
    }

    @Test
    void whenAnEvictionIsDeniedOtherPodsOfTheNodeArePreempted() {
        scene.node(aNode("n").with("8 cpu"));
        scene.pods(
                low("guarded", "n"),
                aPod("a").asking("2 cpu").ofPriority(2).on("n"),
                aPod("b").asking("2 cpu").ofPriority(2).on("n"));

        scene.deny("Mark guarded").listed().pods(vip()).pass(A_WHILE).pass(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertThat(scene.has("a") || scene.has("b")).isFalse();
        assertThat(scene.refused).containsExactly("Mark guarded");
    }

    @Test
    void whenAllEvictionsAreDeniedTheConditionQuotesTheDenialAndNoneIsRetriedForAWhile() {
        scene.pods(low("guarded", "n")).deny("Delete").listed().pods(vip());

        passInSteps(Duration.ofMinutes(4));

        assertThat(scene.conditions)
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
            scene.node(aNode("n" + i).with("4 cpu"));
            scene.pods(
                    aPod("free-" + i).asking("2 cpu").ofPriority(1).on("n" + i),
                    aPod("guarded-" + i).asking("2 cpu").ofPriority(1).on("n" + i));
            scene.deny("Delete guarded-" + i);
        }
        scene.pods(low("guarded", "n")).deny("Delete guarded");
        scene.listed().pods(vip());

        passInSteps(Duration.ofMinutes(4));

        long left = IntStream.range(0, 10).filter(i -> scene.has("free-" + i)).count();
        assertThat(left).as("of ten that could go").isGreaterThanOrEqualTo(9);
        assertThat(scene.conditions.get("vip"))
                .contains(
                        "preemption: Berth deletes no more victims for now. The API server denied the deletion: default/guarded");
    }

    @Test
    void withoutPermissionToDeleteFewEvictionsAreTriedHoweverManyNodesThereAre() {
        for (int i = 0; i < 60; i++) {
            scene.node(aNode("n" + i).with("4 cpu")).pods(low("low-" + i, "n" + i));
        }
        scene.pods(low("low", "n")).deny("Delete").listed().pods(vip());

        passInSteps(Duration.ofMinutes(4));

        assertThat(scene.refused).hasSize(3);
        assertThat(scene.conditions.get("vip"))
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
        scene.node(aNode("n").with("8 cpu"));
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            scene.pods(aPod(name).asking("1 cpu").ofPriority(1).on("n"));
        }
        scene.deny("Delete").listed().pods(aPod("vip").asking("8 cpu").ofPriority(100));

        passInSteps(Duration.ofMinutes(1));

        assertThat(scene.conditions.get("vip"))
                .endsWith("default/a (it is forbidden), default/b (it is forbidden), default/c (it is forbidden) and 2"
                        + " more.");
    }

    @Test
    void removingTheProtectionOfAPodRetriesItsEvictionAtOnce() {
        scene.pods(low("guarded", "n")).deny("Delete").listed().pods(vip());
        passInSteps(Duration.ofMinutes(1));

        scene.allow("Delete").touch("guarded").pass(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertThat(scene.refused).hasSize(1);
    }

    @Test
    void aTerminatingVictimIsAwaited() {
        scene.pods(low("guarded", "n")).deny("Delete").listed().pods(vip());
        passInSteps(Duration.ofMinutes(1));

        scene.showEvicted("guarded").deletePod("guarded").pass(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertThat(scene.preemption.ignoresPlainPods())
                .as("nothing is remembered")
                .isTrue();
    }

    @Test
    void aDeniedNominationIsNotRetriedAtEveryBackOff() {
        scene.pods(low("low", "n")).deny("SetNominatedNode").listed().pods(vip());

        passInSteps(Duration.ofMinutes(4));
        assertThat(scene.refused)
                .as("after 1 s, 2 s, 4 s, and at last once a minute")
                .hasSizeLessThan(12);

        assertThat(scene.conditions.get("vip")).endsWith("preemption: no node could be nominated: it is forbidden.");
        assertThat(scene.events)
                .filteredOn(event -> event.contains("WriteDenied"))
                .hasSize(1);

        scene.allow("SetNominatedNode");
        passInSteps(Duration.ofMinutes(2));

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }
}
