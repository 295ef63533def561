package dev.berth.core.preemption;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DefaultPreemptionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final PreemptionScene scene =
            new PreemptionScene().upsert(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder low(String name, String cpu) {
        return aPod(name).asking(cpu).ofPriority(1).on("n1");
    }

    private static PodBuilder high(String name, String cpu) {
        return aPod(name).asking(cpu).ofPriority(10);
    }

    @Test
    void aPodOfHigherPriorityPreemptsALowerOne() {
        scene.upsert(low("low", "3 cpu"), high("high", "2 cpu"));

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
        assertThat(scene.unschedulableMessages).containsEntry("high", "0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(scene.events).contains("Pod default/low Preempted: Preempted by pod high on node n1");

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.hasNominationHold("high")).isFalse();
        assertThat(scene.cpuFree("n1")).isEqualTo(2_000);
    }

    @Test
    void preemptionAttemptsAndVictimsAreCounted() {
        scene.upsert(low("a", "2 cpu"), low("b", "2 cpu"), high("high", "3 cpu"));
        scene.upsert(aPod("lowest").asking("1 cpu"));

        assertThat(scene.preemption.stats().victims().sum()).isEqualTo(2);
        assertThat(scene.preemption.stats().victims().count()).isEqualTo(1);
        assertThat(scene.preemption.stats().attempts()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void noOtherPodGetsTheCapacityOfTheVictims() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu"));

        scene.upsert(aPod("other").asking("2 cpu").ofPriority(10)).deletePod("low");
        scene.upsert(aPod("late").asking("2 cpu").ofPriority(5)).advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.nodeOf("late")).isEmpty();
    }

    @Test
    void noVictimIsDeletedBeforeTheNominationIsWritten() {
        scene.delayAnswers(true).upsert(low("low", "4 cpu"), high("high", "3 cpu"));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.hasNominationHold("high")).isTrue();

        scene.delayAnswers(false);

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void noMorePodsThanNecessaryArePreempted() {
        scene.upsert(
                low("a", "1 cpu").with(pod -> pod.startTime(Optional.of(Instant.EPOCH))),
                low("b", "1 cpu").with(pod -> pod.startTime(Optional.of(Instant.EPOCH.plusSeconds(9)))),
                low("c", "2 cpu").ofPriority(3),
                high("high", "1 cpu"));

        assertThat(scene.writes).as("the younger of the least important").contains("delete b");
        assertThat(scene.writes).doesNotContain("delete a", "delete c");
    }

    @Test
    void aPodThatNeverPreemptsWaits() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu").with(pod -> pod.mayPreempt(false)));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.unschedulableMessages)
                .containsEntry(
                        "high",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to"
                                + " preemptionPolicy=Never.");
    }

    @Test
    void podsOfEqualPriorityAreNotPreempted() {
        scene.upsert(low("low", "4 cpu"), aPod("same").asking("3 cpu").ofPriority(1));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.unschedulableMessages)
                .containsEntry(
                        "same",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No"
                                + " preemption victims found for incoming pod.");
    }

    @Test
    void noPodIsPreemptedOnANodeThatCouldNotTakeThePodAnyway() {
        scene.upsert(low("low", "4 cpu"), high("huge", "5 cpu"));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.unschedulableMessages)
                .containsEntry(
                        "huge",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1"
                                + " Preemption is not helpful for scheduling.");
    }

    @Test
    void aPodWhoseCapacityWouldReturnToItsHoldIsNotPreempted() {
        Hold shared = aHold("koordinator/r")
                .on("n1")
                .keeping("3 cpu")
                .forPodsLabelled("a", "b")
                .build();
        scene.addObject(new Fact.HoldUpserted(shared));

        scene.upsert(low("claimant", "3 cpu").using("koordinator/r"), high("high", "2 cpu"));

        assertThat(scene.writes)
                .as("its place would be kept for others all the same")
                .isEmpty();
    }

    @Test
    void theNodeWithTheLeastImportantVictimsIsNominated() {
        scene.upsert(aNode("n2").with("4 cpu"));
        scene.upsert(
                low("a", "4 cpu").ofPriority(2),
                aPod("b").asking("4 cpu").ofPriority(1).on("n2"),
                high("high", "4 cpu"));

        assertThat(scene.writes).containsExactly("nominate high to n2", "mark b", "delete b");
    }

    @Test
    void aPodProtectedByABudgetIsSparedIfAnotherCanBePreempted() {
        scene.upsert(aNode("n2").with("4 cpu"));
        LabelSelector web = LabelSelector.of(Labels.of("app", "web"));
        scene.addObject(new PreemptionFact.BudgetUpserted(
                new PodDisruptionBudget("pdb", "default", Optional.of(web), 0, Set.of())));
        scene.upsert(
                low("web", "4 cpu").labelled("app", "web"),
                aPod("db").asking("4 cpu").ofPriority(5).on("n2"),
                high("high", "4 cpu"));

        assertThat(scene.writes).containsExactly("nominate high to n2", "mark db", "delete db");
    }

    @Test
    void theHoldIsReleasedWhenThePreemptorIsDeleted() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu")).deletePod("high");

        assertThat(scene.hasNominationHold("high")).isFalse();

        scene.deletePod("low").upsert(aPod("next").asking("4 cpu")).advance(A_WHILE);

        assertThat(scene.nodeOf("next")).isEqualTo("n1");
    }

    @Test
    void theHoldIsReleasedWhenThePreemptorIsPlacedElsewhere() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.upsert(aNode("n2").with("4 cpu")).advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n2");
        assertThat(scene.hasNominationHold("high")).isFalse();
    }

    @Test
    void deletingTheNominatedNodeEndsTheNomination() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu")).deleteNode("n1");

        assertThat(scene.hasNominationHold("high")).isFalse();
        assertThat(scene.writes).endsWith("nominate high nowhere");
    }

    @Test
    void noFurtherPodsArePreemptedWhileVictimsTerminate() {
        scene.upsert(aNode("n2").with("4 cpu"));
        scene.upsert(low("a", "4 cpu"), aPod("b").asking("4 cpu").ofPriority(2).on("n2"), high("high", "3 cpu"));
        scene.advance(Duration.ofMinutes(6));

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark a", "delete a");
        assertThat(scene.unschedulableMessages.get("high"))
                .endsWith("preemption: not eligible due to a terminating pod on the nominated node.");
    }

    @Test
    void aPodOfEvenHigherPriorityTakesOverTheNominatedNode() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.upsert(aPod("top").asking("4 cpu").ofPriority(100));

        assertThat(scene.writes).contains("nominate high nowhere", "nominate top to n1");

        scene.deletePod("low").advance(Duration.ofMinutes(6));

        assertThat(scene.nodeOf("top")).isEqualTo("n1");
        assertThat(scene.nodeOf("high")).isEmpty();
    }

    @Test
    void aDeniedEvictionIsReportedAndTheHoldReleased() {
        scene.deny("Delete").upsert(low("low", "4 cpu"), high("high", "3 cpu"));

        assertThat(scene.hasNominationHold("high")).isFalse();
        assertThat(scene.events)
                .contains("Pod default/high WriteDenied: The API server denied a write: it is forbidden. Preemption"
                        + " failed: pod default/low could not be deleted. Berth tries again, at least every 5"
                        + " minutes.");
    }

    @Test
    void aRestartKeepsTheNominatedNodeForThePreemptor() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu")).restart();

        assertThat(scene.hasNominationHold("high")).isTrue();

        scene.deletePod("low")
                .upsert(aPod("thief").asking("3 cpu").ofPriority(9))
                .advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.nodeOf("thief")).isEmpty();
    }

    @Test
    void aRestartBeforeAnyVictimIsMarkedStartsPreemptionAgain() {
        scene.delayAnswers(true)
                .upsert(low("low", "4 cpu"), high("high", "3 cpu"))
                .restart();

        scene.delayAnswers(false).advance(A_WHILE);

        assertThat(scene.writes).contains("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void aNodeNominatedByAnotherSchedulerIsHeldForItsPod() {
        scene.upsert(aPod("theirs")
                .asking("3 cpu")
                .ofPriority(5)
                .with(pod -> pod.schedulerName("another").nominatedNodeName(Optional.of("n1"))));

        scene.upsert(aPod("ours").asking("2 cpu").ofPriority(5));

        assertThat(scene.nodeOf("ours")).isEmpty();
        assertThat(scene.unschedulableMessages.get("ours")).contains("held by nominated pod default/theirs)");
    }

    @Test
    void aVictimWithAReturnKeyIsPreemptedWithoutAReturnHold() {
        scene.upsert(
                low("low", "4 cpu")
                        .annotated("godel.bytedance.com/reservation", "true")
                        .annotated("godel.bytedance.com/reservation-index", "i"),
                high("high", "3 cpu"));

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
    }

    @Test
    void podsArePreemptedForHostPorts() {
        scene.upsert(
                low("low", "1 cpu").withHostPort(80),
                low("bystander", "1 cpu"),
                high("high", "1 cpu").withHostPort(80));

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void severalPodsArePreemptedForOne() {
        scene.withoutGracePeriod()
                .upsert(low("a", "2 cpu"), low("b", "2 cpu"), high("high", "4 cpu"))
                .advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(List.of(scene.hasPod("a"), scene.hasPod("b"))).containsOnly(false);
    }

    @Test
    void aPodThatTakesOverANominationWithoutRemainingVictimsIsPlacedAtOnce() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu")).deletePod("low");
        scene.upsert(aPod("top").asking("4 cpu").ofPriority(100)).advance(A_WHILE);

        assertThat(scene.nodeOf("top")).isEqualTo("n1");
    }

    @Test
    void aVictimWithAReturnKeyIsPreemptedWithoutAReturnHoldAfterARestart() {
        scene.upsert(
                        low("low", "4 cpu")
                                .annotated("godel.bytedance.com/reservation", "true")
                                .annotated("godel.bytedance.com/reservation-index", "i"),
                        high("high", "3 cpu"))
                .restart();

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
    }

    @Test
    void anEvictionThatMetAConflictIsRetried() {
        scene.conflictOnce("Mark").upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        assertThat(scene.writes).containsExactly("nominate high to n1");

        scene.touch("low");

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void anEvictionThatMetAConflictIsRetriedThoughTheWatchShowsNothing() {
        scene.conflictOnce("Mark")
                .conflictOnce("Delete")
                .upsert(aPod("small").asking("3 cpu").on("n1"));
        scene.upsert(aPod("big").asking("3 cpu").ofPriority(10));
        assertThat(scene.writes).doesNotContain("mark small");
        scene.advance(Duration.ofSeconds(6));
        assertThat(scene.writes).contains("mark small").doesNotContain("delete small");
        scene.advance(Duration.ofSeconds(6));
        assertThat(scene.writes).contains("delete small");
    }

    @Test
    void aNominationThatMetAConflictIsRetried() {
        scene.conflictOnce("SetNominatedNode")
                .upsert(low("low", "4 cpu"), high("high", "3 cpu"))
                .advance(A_WHILE);

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void aNominationThatMetAConflictKeepsItsHoldUntilItIsWritten() {
        scene.conflictOnce("SetNominatedNode").upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        assertThat(scene.writes).isEmpty();
        assertThat(scene.hasNominationHold("high")).isTrue();

        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void aDeniedRetractionOfANominationIsRetriedWhenTheDenialEnds() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.deny("SetNominatedNode").deleteNode("n1").advance(A_WHILE);
        assertThat(scene.pod("high").nominatedNodeName()).contains("n1");
        assertThat(scene.events)
                .contains(
                        "Pod default/high WriteDenied: The API server denied a write: it is forbidden. status.nominatedNodeName still names a node that Berth does not hold for the pod. Berth tries again, at least once a"
                                + " minute.");

        scene.allow("SetNominatedNode").advance(Duration.ofMinutes(1));
        assertThat(scene.pod("high").nominatedNodeName()).isEmpty();
        assertThat(scene.events)
                .contains("Pod default/high WriteAllowed: The API server accepts the write that it denied before.");
    }

    @Test
    void aRetractionThatMetAConflictIsRetriedAndTheNominationNotAdoptedAgain() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.conflictOnce("SetNominatedNode")
                .upsert(high("high", "5 cpu").with(pod -> pod.nominatedNodeName(Optional.of("n1"))));
        assertThat(scene.pod("high").nominatedNodeName()).contains("n1");
        scene.touch("high");
        assertThat(scene.hasNominationHold("high")).isFalse();

        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.pod("high").nominatedNodeName()).isEmpty();
    }

    @Test
    void aDeletionThatTheWatchDoesNotShowIsSentAgain() {
        scene.dropOnce("Delete").upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low");

        scene.advance(Duration.ofSeconds(10));
        assertThat(scene.writes).endsWith("delete low");
    }

    @Test
    void aRestartBetweenTwoVictimsDeletesTheSecondToo() {
        scene.upsert(low("a", "2 cpu"), low("b", "2 cpu").with(pod -> pod.priority(1)));
        scene.upsert(high("high", "4 cpu").with(pod -> pod.nominatedNodeName(Optional.of("n1"))))
                .delayAnswers(true);
        scene.showEvicted("a").restart().delayAnswers(false).advance(A_WHILE);

        assertThat(scene.writes).contains("delete b");

        scene.deletePod("a").deletePod("b").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
    }

    @Test
    void aPreemptorThatLosesItsNominatedNodeIsRequeued() {
        scene.upsert(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.upsert(aNode("n2").with("4 cpu"));
        scene.upsert(aPod("other").asking("4 cpu").ofPriority(2).on("n2"));
        scene.deleteNode("n1").advance(A_WHILE);

        assertThat(scene.writes).endsWith("nominate high to n2", "mark other", "delete other");
    }

    @Test
    void aNodeClearedByAnotherSchedulerIsHeldOnceTheVictimsTerminate() {
        scene.upsert(low("low", "4 cpu"));
        scene.upsert(aPod("theirs")
                .asking("3 cpu")
                .ofPriority(5)
                .with(pod -> pod.schedulerName("another").nominatedNodeName(Optional.of("n1"))));
        assertThat(scene.hasNominationHold("theirs")).isFalse();

        scene.showEvicted("low")
                .deletePod("low")
                .upsert(aPod("ours").asking("3 cpu"))
                .advance(A_WHILE);

        assertThat(scene.hasNominationHold("theirs")).isTrue();
        assertThat(scene.nodeOf("ours")).isEmpty();
    }

    @Test
    void theNominationOfAnotherSchedulersPodIsNotChanged() {
        scene.upsert(aPod("theirs")
                .asking("3 cpu")
                .ofPriority(5)
                .with(pod -> pod.schedulerName("another").nominatedNodeName(Optional.of("n1"))));
        scene.upsert(high("high", "4 cpu")).advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.pod("theirs").nominatedNodeName()).contains("n1");
    }
}
