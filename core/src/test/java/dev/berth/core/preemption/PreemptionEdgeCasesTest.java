package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.UnsupportedFeature;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nominations while their victims terminate, and pods for which no victim should be evicted. */
class PreemptionEdgeCasesTest {
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final PreemptionScene scene = new PreemptionScene();

    @Test
    void noPodIsPreemptedForAPodThatCannotBePlacedAnyway() {
        scene.upsert(aNode("n").with("4 cpu")).upsert(aNode("m").with("4 cpu"));
        scene.upsert(
                aPod("v").asking("4 cpu").ofPriority(1).on("n"),
                aPod("w").asking("4 cpu").ofPriority(2).on("m"));
        scene.listed().upsert(aPod("lesser").asking("4 cpu").ofPriority(10));
        assertThat(scene.writes).containsExactly("nominate lesser to n", "mark v", "delete v");

        scene.upsert(aPod("claiming")
                        .asking("4 cpu")
                        .ofPriority(1000)
                        .withSpec(spec -> spec.unsupportedFeatures(Set.of(UnsupportedFeature.RESOURCE_CLAIMS))))
                .advance(A_WHILE)
                .advance(A_WHILE);

        assertThat(scene.hasNominationHold("claiming")).isFalse();
        assertThat(scene.hasNominationHold("lesser")).isTrue();
        assertThat(scene.writes).hasSize(3);
    }

    @Test
    void aPreemptorWhoseNominatedNodeIsFilledByAnotherPodIsRequeuedAtOnce() {
        scene.upsert(aNode("n").with("4 cpu")).upsert(aNode("m").with("4 cpu"));
        scene.upsert(
                aPod("v").asking("4 cpu").ofPriority(1).on("n"),
                aPod("w").asking("4 cpu").ofPriority(2).on("m"));
        scene.listed().upsert(aPod("vip").asking("4 cpu").ofPriority(100));
        scene.upsert(aPod("mirror").asking("2 cpu").ofPriority(2000).on("n")).advance(A_WHILE);

        scene.deletePod("v").advance(A_WHILE).advance(A_WHILE);

        assertThat(scene.writes).contains("nominate vip to m", "delete w");
        assertThat(scene.cpuFree("n")).as("nothing is kept there any more").isEqualTo(2000);
    }

    @Test
    void aVictimDeletedByAUserGetsNoReturnHoldInAdditionToTheNomination() {
        scene.upsert(aNode("n").with("4 cpu"));
        scene.upsert(aPod("v")
                .asking("3 cpu")
                .ofPriority(1)
                .on("n")
                .annotated("godel.bytedance.com/reservation", "true")
                .annotated("godel.bytedance.com/reservation-index", "i"));
        scene.listed().delayAnswers(true).upsert(aPod("vip").asking("4 cpu").ofPriority(100));
        assertThat(scene.hasNominationHold("vip")).isTrue();

        scene.deletePod("v");

        assertThat(scene.cpuFree("n")).isNotNegative();
        scene.delayAnswers(false).advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }

    @Test
    void aVictimThatFinishesIsNotDeleted() {
        scene.upsert(aNode("n").with("4 cpu"));
        scene.upsert(
                aPod("job").asking("2 cpu").ofPriority(1).on("n"),
                aPod("other").asking("2 cpu").ofPriority(1).on("n"));
        scene.listed().delayAnswers(true).upsert(aPod("vip").asking("4 cpu").ofPriority(100));

        scene.upsert(aPod("job").asking("2 cpu").ofPriority(1).on("n").in(PodPhase.SUCCEEDED));
        scene.delayAnswers(false).advance(A_WHILE);

        assertThat(scene.writes).containsExactly("nominate vip to n", "mark other", "delete other");
    }

    @Test
    void aNominationClearedByAnotherClientIsMadeAgain() {
        scene.upsert(aNode("n").with("4 cpu"));
        scene.upsert(aPod("low").asking("4 cpu").ofPriority(1).on("n"));
        scene.listed().upsert(aPod("vip").asking("4 cpu").ofPriority(100));
        assertThat(scene.pod("vip").nominatedNodeName()).contains("n");

        scene.upsert(aPod("vip").asking("4 cpu").ofPriority(100)).advance(A_WHILE);

        assertThat(scene.writes).filteredOn("nominate vip to n"::equals).hasSize(2);
        assertThat(scene.pod("vip").nominatedNodeName()).contains("n");
    }

    @Test
    void whenAPodOfEqualPriorityLeavesALowerPriorityPodIsPreemptedAtOnce() {
        scene.withoutGracePeriod().upsert(aNode("n").with("10 cpu"));
        scene.upsert(
                aPod("equal").asking("6 cpu").ofPriority(100).on("n"),
                aPod("low").asking("4 cpu").ofPriority(1).on("n"));
        scene.listed().upsert(aPod("vip").asking("8 cpu").ofPriority(100)).advance(A_WHILE);
        assertThat(scene.writes).isEmpty();

        scene.deletePod("equal").advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }

    @Test
    void whenANodeGrowsALowerPriorityPodIsPreemptedAtOnce() {
        scene.withoutGracePeriod().upsert(aNode("n").with("6 cpu"));
        scene.upsert(
                aPod("equal").asking("2 cpu").ofPriority(100).on("n"),
                aPod("low").asking("4 cpu").ofPriority(1).on("n"));
        scene.listed().upsert(aPod("vip").asking("5 cpu").ofPriority(100)).advance(A_WHILE);
        assertThat(scene.writes).isEmpty();

        scene.upsert(aNode("n").with("8 cpu")).advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("n");
    }

    @Test
    void whenThePodThatAntiAffinityAvoidsLeavesLowerPriorityPodsArePreempted() {
        PodAffinityTerm apart = new PodAffinityTerm(
                "topology.kubernetes.io/zone",
                Optional.of(LabelSelector.of(Labels.of("app", "x"))),
                List.of(),
                Optional.empty());
        scene.withoutGracePeriod().upsert(aNode("full").with("4 cpu").inZone("z"));
        scene.upsert(aNode("cordoned").with("4 cpu").inZone("z").unschedulable());
        scene.upsert(
                aPod("low").asking("4 cpu").ofPriority(1).on("full"),
                aPod("x").asking("1 cpu").ofPriority(200).labelled("app", "x").on("cordoned"));
        scene.listed()
                .upsert(aPod("vip")
                        .asking("4 cpu")
                        .ofPriority(100)
                        .withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(), List.of(apart), List.of()))))
                .advance(A_WHILE);
        assertThat(scene.writes).isEmpty();

        scene.deletePod("x").advance(A_WHILE);

        assertThat(scene.nodeOf("vip")).isEqualTo("full");
    }

    @Test
    void aPodThatNeverPreemptsKeepsNoNominationThatDoesNotHelp() {
        scene.upsert(aNode("n").with("4 cpu"));
        scene.upsert(aPod("v").asking("4 cpu").ofPriority(1).on("n")).listed();
        scene.showEvicted("v");
        scene.upsert(aPod("polite")
                .asking("4 cpu")
                .ofPriority(100)
                .with(pod -> pod.mayPreempt(false).nominatedNodeName(Optional.of("n"))));
        assertThat(scene.hasNominationHold("polite"))
                .as("somebody else sent v away for it")
                .isTrue();

        scene.upsert(aPod("mirror").asking("2 cpu").ofPriority(2000).on("n"));
        scene.deletePod("v").advance(A_WHILE).advance(A_WHILE);

        assertThat(scene.hasNominationHold("polite")).isFalse();
        assertThat(scene.cpuFree("n")).isEqualTo(2000);
    }
}
