package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod that is not what it was any more when the room is there that is cleared for it. */
class ChangingPreemptorTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final PreemptionScene scene =
            new PreemptionScene().upsert(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder vip(String cpu, int priority) {
        return aPod("vip").asking(cpu).ofPriority(priority);
    }

    private static PodBuilder nominated(PodBuilder pod) {
        return pod.with(it -> it.nominatedNodeName(Optional.of("n1")));
    }

    private void clearing() {
        scene.upsert(aPod("low").asking("4 cpu").ofPriority(1).on("n1"), vip("3 cpu", 10));
        assertThat(scene.writes).containsExactly("nominate vip to n1", "mark low", "delete low");
        assertThat(scene.hasNominationHold("vip")).isTrue();
    }

    @Test
    void aPreemptorThatOutgrowsItsNominatedNodeReleasesItsHold() {
        clearing();
        scene.upsert(nominated(vip("5 cpu", 10))).advance(A_WHILE);
        assertThat(scene.hasNominationHold("vip")).isFalse();
        assertThat(scene.writes).endsWith("nominate vip nowhere");

        scene.deletePod("low").upsert(aPod("next").asking("4 cpu")).advance(A_WHILE);
        assertThat(scene.nodeOf("next")).isEqualTo("n1");
    }

    @Test
    void aPreemptorThatShrinksHoldsOnlyItsNewRequests() {
        clearing();
        scene.upsert(nominated(vip("1 cpu", 10)));
        assertThat(scene.writes).contains("nominate vip nowhere");

        scene.deletePod("low").upsert(aPod("next").asking("3 cpu")).advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
        assertThat(scene.nodeOf("next")).isEqualTo("n1");
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void aPreemptorThatLosesItsPriorityReleasesItsHold() {
        clearing();
        scene.upsert(nominated(vip("3 cpu", 0))).advance(A_WHILE);
        assertThat(scene.hasNominationHold("vip")).isFalse();

        scene.upsert(aPod("next").asking("4 cpu").ofPriority(5))
                .deletePod("low")
                .advance(A_WHILE);
        assertThat(scene.nodeOf("next")).isEqualTo("n1");
        assertThat(scene.nodeOf("vip")).isEmpty();
    }

    @Test
    void aPreemptorWhosePriorityRisesKeepsItsPlace() {
        clearing();
        scene.upsert(nominated(vip("3 cpu", 20)));
        scene.deletePod("low").advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
        assertThat(scene.writes).filteredOn("delete low"::equals).hasSize(1);
    }

    @Test
    void aGatedPodHoldsNothingOnItsNominatedNode() {
        scene.upsert(nominated(vip("3 cpu", 10)).with(pod -> pod.schedulingGates(List.of("first"))));
        assertThat(scene.hasNominationHold("vip")).isFalse();

        scene.upsert(aPod("next").asking("4 cpu"));
        assertThat(scene.nodeOf("next")).isEqualTo("n1");
    }

    @Test
    void aPodWhoseGateIsRemovedGoesToItsNominatedNode() {
        scene.upsert(aNode("n0").with("8 cpu"));
        scene.upsert(nominated(vip("3 cpu", 10)).with(pod -> pod.schedulingGates(List.of("first"))));
        scene.upsert(nominated(vip("3 cpu", 10))).advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }
}
