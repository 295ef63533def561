package dev.berth.core.door.preemption;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PreemptionDoorTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder low(String name, String cpu) {
        return aPod(name).asking(cpu).ofPriority(1).on("n1");
    }

    private static PodBuilder high(String name, String cpu) {
        return aPod(name).asking(cpu).ofPriority(10);
    }

    @Test
    void aPodOfMorePriorityTakesTheRoomOfALesserOne() {
        scene.pods(low("low", "3 cpu"), high("high", "2 cpu"));

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
        assertThat(scene.told).containsEntry("high", "0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(scene.events).contains("Pod default/low Preempted: Preempted by pod high on node n1");

        scene.gone("low").pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.keepsFor("high")).isFalse();
        assertThat(scene.cpuFree("n1")).isEqualTo(2_000);
    }

    @Test
    void whoIsLookedForAndWhoHasToGoIsCounted() {
        scene.pods(low("a", "2 cpu"), low("b", "2 cpu"), high("high", "3 cpu"));
        scene.pods(aPod("lowest").asking("1 cpu"));

        assertThat(scene.preemption.toll().victims().sum()).isEqualTo(2);
        assertThat(scene.preemption.toll().victims().count()).isEqualTo(1);
        assertThat(scene.preemption.toll().attempts()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void nobodyElseGetsTheRoomThatIsCleared() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu"));

        scene.pods(aPod("other").asking("2 cpu").ofPriority(10)).gone("low");
        scene.pods(aPod("late").asking("2 cpu").ofPriority(5)).pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.nodeOf("late")).isEmpty();
    }

    @Test
    void nobodyIsSentAwayBeforeTheNominationIsWritten() {
        scene.silent(true).pods(low("low", "4 cpu"), high("high", "3 cpu"));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.keepsFor("high")).isTrue();

        scene.silent(false);

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void onlyAsManyAsMustGo() {
        scene.pods(
                low("a", "1 cpu").with(pod -> pod.started(Optional.of(Instant.EPOCH))),
                low("b", "1 cpu").with(pod -> pod.started(Optional.of(Instant.EPOCH.plusSeconds(9)))),
                low("c", "2 cpu").ofPriority(3),
                high("high", "1 cpu"));

        assertThat(scene.writes).as("the younger of the least important").contains("delete b");
        assertThat(scene.writes).doesNotContain("delete a", "delete c");
    }

    @Test
    void aPodThatNeverPreemptsWaits() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu").with(pod -> pod.preempting(false)));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.told)
                .containsEntry(
                        "high",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to"
                                + " preemptionPolicy=Never.");
    }

    @Test
    void equalsAreLeftAlone() {
        scene.pods(low("low", "4 cpu"), aPod("same").asking("3 cpu").ofPriority(1));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.told)
                .containsEntry(
                        "same",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No"
                                + " preemption victims found for incoming pod.");
    }

    @Test
    void whoCouldNotRunThereAnywaySendsNobodyAway() {
        scene.pods(low("low", "4 cpu"), high("huge", "5 cpu"));

        assertThat(scene.writes).isEmpty();
        assertThat(scene.told)
                .containsEntry(
                        "huge",
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1"
                                + " Preemption is not helpful for scheduling.");
    }

    @Test
    void roomThatWouldGoBackToAHoldSavesItsClaimant() {
        Hold shared = aHold("reservation/r")
                .on("n1")
                .keeping("3 cpu")
                .forPodsLabelled("a", "b")
                .build();
        scene.tell(new Fact.HoldSeen(shared));

        scene.pods(low("claimant", "3 cpu").using("reservation/r"), high("high", "2 cpu"));

        assertThat(scene.writes)
                .as("its place would be kept for others all the same")
                .isEmpty();
    }

    @Test
    void theNodeWithTheSmallestSacrificeIsTaken() {
        scene.node(aNode("n2").with("4 cpu"));
        scene.pods(
                low("a", "4 cpu").ofPriority(2),
                aPod("b").asking("4 cpu").ofPriority(1).on("n2"),
                high("high", "4 cpu"));

        assertThat(scene.writes).containsExactly("nominate high to n2", "mark b", "delete b");
    }

    @Test
    void whomABudgetProtectsIsSparedWhereAnotherCanGo() {
        scene.node(aNode("n2").with("4 cpu"));
        LabelSelector web = LabelSelector.of(Labels.of("app", "web"));
        scene.tell(new PreemptionFact.BudgetSeen(new Budget("pdb", "default", Optional.of(web), 0, Set.of())));
        scene.pods(
                low("web", "4 cpu").labelled("app", "web"),
                aPod("db").asking("4 cpu").ofPriority(5).on("n2"),
                high("high", "4 cpu"));

        assertThat(scene.writes).containsExactly("nominate high to n2", "mark db", "delete db");
    }

    @Test
    void aPlaceIsGivenBackWhenThePodIsGone() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu")).gone("high");

        assertThat(scene.keepsFor("high")).isFalse();

        scene.gone("low").pods(aPod("next").asking("4 cpu")).pass(A_WHILE);

        assertThat(scene.nodeOf("next")).isEqualTo("n1");
    }

    @Test
    void aPlaceIsGivenBackWhenThePodFindsAnother() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.node(aNode("n2").with("4 cpu")).pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n2");
        assertThat(scene.keepsFor("high")).isFalse();
    }

    @Test
    void aNodeThatGoesTakesItsNominationWithIt() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu")).nodeGone("n1");

        assertThat(scene.keepsFor("high")).isFalse();
        assertThat(scene.writes).endsWith("nominate high nowhere");
    }

    @Test
    void noMoreAreSentAwayWhileTheFirstAreLeaving() {
        scene.node(aNode("n2").with("4 cpu"));
        scene.pods(low("a", "4 cpu"), aPod("b").asking("4 cpu").ofPriority(2).on("n2"), high("high", "3 cpu"));
        scene.pass(Duration.ofMinutes(6));

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark a", "delete a");
        assertThat(scene.told.get("high"))
                .endsWith("preemption: not eligible due to a terminating pod on the nominated node.");
    }

    @Test
    void aPodOfStillMorePriorityTakesOverWhatIsCleared() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.pods(aPod("top").asking("4 cpu").ofPriority(100));

        assertThat(scene.writes).contains("nominate high nowhere", "nominate top to n1");

        scene.gone("low").pass(Duration.ofMinutes(6));

        assertThat(scene.nodeOf("top")).isEqualTo("n1");
        assertThat(scene.nodeOf("high")).isEmpty();
    }

    @Test
    void aRefusedEvictionIsToldAndThePlaceGivenBack() {
        scene.deny("Delete").pods(low("low", "4 cpu"), high("high", "3 cpu"));

        assertThat(scene.keepsFor("high")).isFalse();
        assertThat(scene.events)
                .contains("Pod default/high WriteDenied: The API server denied a write: it is forbidden. Preemption"
                        + " failed: pod default/low could not be deleted. Berth tries again, at least every 5"
                        + " minutes.");
    }

    @Test
    void aRestartKeepsThePlaceForWhomItIsCleared() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu")).restart();

        assertThat(scene.keepsFor("high")).isTrue();

        scene.gone("low").pods(aPod("thief").asking("3 cpu").ofPriority(9)).pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.nodeOf("thief")).isEmpty();
    }

    @Test
    void aRestartBeforeAnybodyWasMarkedBeginsAnew() {
        scene.silent(true).pods(low("low", "4 cpu"), high("high", "3 cpu")).restart();

        scene.silent(false).pass(A_WHILE);

        assertThat(scene.writes).contains("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void whatAnotherSchedulerNominatedIsKeptForItsPod() {
        scene.pods(aPod("theirs")
                .asking("3 cpu")
                .ofPriority(5)
                .with(pod -> pod.schedulerName("another").nominatedNode(Optional.of("n1"))));

        scene.pods(aPod("ours").asking("2 cpu").ofPriority(5));

        assertThat(scene.nodeOf("ours")).isEmpty();
        assertThat(scene.told.get("ours")).contains("held by nominated pod default/theirs)");
    }

    @Test
    void aVictimThatAskedToComeBackMakesRoomAllTheSame() {
        scene.pods(
                low("low", "4 cpu")
                        .annotated("godel.bytedance.com/reservation", "true")
                        .annotated("godel.bytedance.com/reservation-index", "i"),
                high("high", "3 cpu"));

        scene.gone("low").pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
    }

    @Test
    void hostPortsAreClearedToo() {
        scene.pods(
                low("low", "1 cpu").withHostPort(80),
                low("bystander", "1 cpu"),
                high("high", "1 cpu").withHostPort(80));

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void severalMakeRoomForOne() {
        scene.atOnce()
                .pods(low("a", "2 cpu"), low("b", "2 cpu"), high("high", "4 cpu"))
                .pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(List.of(scene.has("a"), scene.has("b"))).containsOnly(false);
    }

    @Test
    void whoTakesOverWhatIsClearedAlreadyNeedNotWait() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu")).gone("low");
        scene.pods(aPod("top").asking("4 cpu").ofPriority(100)).pass(A_WHILE);

        assertThat(scene.nodeOf("top")).isEqualTo("n1");
    }

    @Test
    void aVictimThatAskedToComeBackMakesRoomAfterARestartToo() {
        scene.pods(
                        low("low", "4 cpu")
                                .annotated("godel.bytedance.com/reservation", "true")
                                .annotated("godel.bytedance.com/reservation-index", "i"),
                        high("high", "3 cpu"))
                .restart();

        scene.gone("low").pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
    }

    @Test
    void anEvictionThatMetAConflictIsTriedAgain() {
        scene.confuse("Mark").pods(low("low", "4 cpu"), high("high", "3 cpu"));
        assertThat(scene.writes).containsExactly("nominate high to n1");

        scene.touch("low");

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void anEvictionThatMetAConflictIsTriedAgainThoughTheWatchShowsNothing() {
        scene.confuse("Mark")
                .confuse("Delete")
                .pods(aPod("small").asking("3 cpu").on("n1"));
        scene.pods(aPod("big").asking("3 cpu").ofPriority(10));
        assertThat(scene.writes).doesNotContain("mark small");
        scene.pass(Duration.ofSeconds(6));
        assertThat(scene.writes).contains("mark small").doesNotContain("delete small");
        scene.pass(Duration.ofSeconds(6));
        assertThat(scene.writes).contains("delete small");
    }

    @Test
    void aNominationThatMetAConflictIsTriedAgain() {
        scene.confuse("Nominate")
                .pods(low("low", "4 cpu"), high("high", "3 cpu"))
                .pass(A_WHILE);

        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void aNominationThatMetAConflictKeepsItsRoomUntilItIsWritten() {
        scene.confuse("Nominate").pods(low("low", "4 cpu"), high("high", "3 cpu"));
        assertThat(scene.writes).isEmpty();
        assertThat(scene.keepsFor("high")).isTrue();

        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    void aNominationThatMayNotBeTakenBackIsTakenBackWhenTheDenialEnds() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.deny("Nominate").nodeGone("n1").pass(A_WHILE);
        assertThat(scene.pod("high").nominatedNode()).contains("n1");
        assertThat(scene.events)
                .contains("Pod default/high WriteDenied: The API server denied a write: it is forbidden. The pod still"
                        + " shows a nominated node that is not kept for it. Berth tries again, at least once a"
                        + " minute.");

        scene.allow("Nominate").pass(Duration.ofMinutes(1));
        assertThat(scene.pod("high").nominatedNode()).isEmpty();
        assertThat(scene.events)
                .contains("Pod default/high WriteAllowed: The API server accepts the write that it denied before.");
    }

    @Test
    void aNominationWhoseRetractionMetAConflictIsTakenBackAndNotKeptAgain() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.confuse("Nominate").pods(high("high", "5 cpu").with(pod -> pod.nominatedNode(Optional.of("n1"))));
        assertThat(scene.pod("high").nominatedNode()).contains("n1");
        scene.touch("high");
        assertThat(scene.keepsFor("high")).isFalse();

        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.pod("high").nominatedNode()).isEmpty();
    }

    @Test
    void aDeletionThatTheWatchDoesNotShowIsSentAgain() {
        scene.swallow("Delete").pods(low("low", "4 cpu"), high("high", "3 cpu"));
        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low");

        scene.pass(Duration.ofSeconds(10));
        assertThat(scene.writes).endsWith("delete low");
    }

    @Test
    void aRestartBetweenTwoVictimsSendsTheSecondAwayToo() {
        scene.pods(low("a", "2 cpu"), low("b", "2 cpu").with(pod -> pod.priority(1)));
        scene.pods(high("high", "4 cpu").with(pod -> pod.nominatedNode(Optional.of("n1"))))
                .silent(true);
        scene.sendAway("a").restart().silent(false).pass(A_WHILE);

        assertThat(scene.writes).contains("delete b");

        scene.gone("a").gone("b").pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
    }

    @Test
    void whoLosesWhatWasClearedForItLooksAnew() {
        scene.pods(low("low", "4 cpu"), high("high", "3 cpu"));
        scene.node(aNode("n2").with("4 cpu"));
        scene.pods(aPod("other").asking("4 cpu").ofPriority(2).on("n2"));
        scene.nodeGone("n1").pass(A_WHILE);

        assertThat(scene.writes).endsWith("nominate high to n2", "mark other", "delete other");
    }

    @Test
    void whatAnotherSchedulerClearsIsKeptOnceTheVictimsLeave() {
        scene.pods(low("low", "4 cpu"));
        scene.pods(aPod("theirs")
                .asking("3 cpu")
                .ofPriority(5)
                .with(pod -> pod.schedulerName("another").nominatedNode(Optional.of("n1"))));
        assertThat(scene.keepsFor("theirs")).isFalse();

        scene.sendAway("low").gone("low").pods(aPod("ours").asking("3 cpu")).pass(A_WHILE);

        assertThat(scene.keepsFor("theirs")).isTrue();
        assertThat(scene.nodeOf("ours")).isEmpty();
    }

    @Test
    void whatAnotherSchedulerSaysOfItsPodIsLeftAlone() {
        scene.pods(aPod("theirs")
                .asking("3 cpu")
                .ofPriority(5)
                .with(pod -> pod.schedulerName("another").nominatedNode(Optional.of("n1"))));
        scene.pods(high("high", "4 cpu")).pass(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.pod("theirs").nominatedNode()).contains("n1");
    }
}
