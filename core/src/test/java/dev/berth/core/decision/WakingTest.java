package dev.berth.core.decision;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Need;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For each way in which a pod is refused: which event wakes it, and which leaves it asleep. */
class WakingTest {
    private static final String SCHEDULER = "default-scheduler";

    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private final Decider decider =
            new Decider(ledger, new Placer(ledger, ScoreWeights.DEFAULT), queue, Set.of(SCHEDULER));
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aPodShortOfCpuWakesWhenAPodLeavesThatMakesRoomAndNotBefore() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("large").asking("3 cpu").on("n"));
        seen(aPod("small").asking("500m cpu").on("n"));
        refused(aPod("p").asking("2 cpu"));
        gone("small");
        assertAsleep("p");
        gone("large");
        assertAwake("p");
    }

    @Test
    void aPodThatComesToItsEndMakesRoomToo() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("job").asking("4 cpu").on("n"));
        refused(aPod("p").asking("2 cpu"));
        seen(aPod("job").asking("4 cpu").on("n").in(Phase.SUCCEEDED));
        assertAwake("p");
    }

    @Test
    void aPodThatShrinksInPlaceMakesRoomToo() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("there").asking("4 cpu").on("n"));
        refused(aPod("p").asking("2 cpu"));
        seen(aPod("there").asking("3 cpu").on("n"));
        assertAsleep("p");
        seen(aPod("there").asking("1 cpu").on("n"));
        assertAwake("p");
    }

    @Test
    void aPodThatAHoldNamesWakesWhenRoomComesFreeBesideTheHoldAndEqualPodsSleepOn() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("there").asking("2 cpu").on("n"));
        seen(aHold("h").on("n").keeping("2 cpu").forPod("default/b"));
        refused(aPod("a").asking("3 cpu"));
        refused(aPod("b").asking("3 cpu"));
        refused(aPod("c").asking("3 cpu"));
        gone("there");
        assertAwake("b");
        assertAsleep("a");
        assertAsleep("c");
    }

    @Test
    void aPodThatArrivesWakesNobody() {
        seen(aNode("n").with("4 cpu"));
        refused(aPod("p").asking("5 cpu"));
        seen(aPod("other").asking("1 cpu").on("n"));
        assertAsleep("p");
    }

    @Test
    void aPodLargerThanEveryNodeIsNotWokenByPodsThatLeaveButByALargerNode() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("there").asking("1 cpu").on("n"));
        refused(aPod("p").asking("8 cpu"));
        gone("there");
        assertAsleep("p");
        seen(aNode("n").with("8 cpu"));
        assertAwake("p");
    }

    @Test
    void aNewNodeWakesOnlyWhomItWouldTake() {
        seen(aNode("n").with("1 cpu"));
        refused(aPod("p").asking("2 cpu"));
        seen(aNode("tainted").with("4 cpu").tainted("t", "", Taint.Effect.NO_SCHEDULE));
        seen(aNode("small").with("1 cpu"));
        assertAsleep("p");
        seen(aNode("large").with("2 cpu"));
        assertAwake("p");
    }

    @Test
    void withoutNodesTheFirstThatTakesThePodWakesIt() {
        refused(aPod("p").asking("2 cpu"));
        seen(aNode("n").with("2 cpu"));
        assertAwake("p");
    }

    @Test
    void aPodKeptOutByATaintWakesWhenTheTaintGoesAndNotWhenPodsDo() {
        seen(aNode("n").with("4 cpu").tainted("t", "", Taint.Effect.NO_SCHEDULE));
        seen(aPod("there").asking("1 cpu").on("n"));
        refused(aPod("p").asking("1 cpu"));
        gone("there");
        assertAsleep("p");
        seen(aNode("n").with("4 cpu"));
        assertAwake("p");
    }

    @Test
    void aPodKeptOutByACordonWakesWhenItIsLifted() {
        seen(aNode("n").unschedulable());
        refused(aPod("p"));
        seen(aNode("n").unschedulable().labelled("x", "y"));
        assertAsleep("p");
        seen(aNode("n"));
        assertAwake("p");
    }

    @Test
    void aPodThatMissesALabelWakesWhenANodeGetsIt() {
        seen(aNode("n"));
        NodeAffinity ssd = new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of());
        refused(aPod("p").shaped(shape -> shape.affinity(ssd)));
        seen(aNode("n").labelled("disk", "hdd"));
        assertAsleep("p");
        seen(aNode("n").labelled("disk", "ssd"));
        assertAwake("p");
    }

    @Test
    void aTakenPortWakesThePodWhenItsUserLeaves() {
        seen(aNode("n"));
        seen(aPod("server").withHostPort(80).on("n"));
        seen(aPod("other").on("n"));
        refused(aPod("p").withHostPort(80));
        gone("other");
        assertAsleep("p");
        gone("server");
        assertAwake("p");
    }

    @Test
    void aFullNodeWakesThePodWhenAnyPodLeaves() {
        seen(aNode("n").with("1 pods"));
        seen(aPod("there").on("n"));
        refused(aPod("p"));
        gone("there");
        assertAwake("p");
    }

    /** The taint was the reason then; now the lack of room is. */
    @Test
    void aNodeThatLostItsTaintButIsFullIsSaidToBeFullAndWakesThePodOnceThereIsRoom() {
        seen(aNode("n").with("4 cpu").tainted("t", "", Taint.Effect.NO_SCHEDULE));
        seen(aPod("there").asking("4 cpu").on("n"));
        refused(aPod("p").asking("1 cpu"));
        seen(aNode("n").with("4 cpu"));
        decider.advance(now.plusSeconds(1));
        List<Effect> told = decider.next(now.plusSeconds(1)).orElseThrow();
        assertThat(told)
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.MarkUnscheduled.class,
                                mark -> assertThat(mark.message())
                                        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.")));
        assertAsleep("p");
        gone("there");
        assertAwake("p");
    }

    @Test
    void aNodeOfTheSameNameThatKeptSomethingForOthersBeforeWakesWhomItTakes() {
        seen(aNode("n").with("4 cpu"));
        seen(aHold("h").on("n").keeping("3 cpu"));
        refused(aPod("p").asking("2 cpu"));
        seen(aNode("n").uid("another").with("1 cpu"));
        assertAsleep("p");
        seen(aNode("n").uid("another").with("2 cpu"));
        assertAwake("p");
    }

    @Test
    void podsOfOneTemplateWakeTogether() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("there").asking("4 cpu").on("n"));
        refused(aPod("p").asking("2 cpu"));
        refused(aPod("q").asking("2 cpu"));
        refused(aPod("larger").asking("5 cpu"));
        gone("there");
        assertAwake("p");
        assertAwake("q");
        assertAsleep("larger");
    }

    @Test
    void ofPodsOfOneTemplateAHoldWakesWhomItAdmits() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("there").asking("1 cpu").on("n"));
        seen(aHold("h").on("n").keeping("3 cpu"));
        refused(aPod("p").asking("2 cpu"));
        refused(aPod("q").asking("2 cpu"));
        seen(aHold("h").on("n").keeping("3 cpu").forPod("default/q"));
        assertAsleep("p");
        assertAwake("q");
    }

    @Test
    void ofPodsOfOneTemplateAPodThatLeavesWakesWhoseHoldIsThere() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("there").asking("3 cpu").on("n"));
        seen(aHold("h").on("n").keeping("1 cpu").forPod("default/q"));
        refused(aPod("p").asking("4 cpu"));
        refused(aPod("q").asking("4 cpu"));
        gone("there");
        assertAsleep("p");
        assertAwake("q");
    }

    @Test
    void aNodeThatGrewButIsFullWakesThePodOnceThereIsRoom() {
        seen(aNode("n").with("2 cpu"));
        seen(aPod("there").asking("2 cpu").on("n"));
        refused(aPod("p").asking("3 cpu"));
        seen(aNode("n").with("4 cpu"));
        assertAsleep("p");
        gone("there");
        assertAwake("p");
    }

    @Test
    void roomKeptForOthersWakesThePodWhenThatHoldEndsAndNotWhenAnotherDoes() {
        seen(aNode("n").with("4 cpu"));
        seen(aNode("small").with("2 cpu"));
        seen(aHold("h").on("n").keeping("3 cpu"));
        seen(aHold("elsewhere").on("small").keeping("1 cpu"));
        refused(aPod("p").asking("3 cpu"));
        decider.learn(new Fact.HoldGone(new HoldId("elsewhere")), now);
        assertAsleep("p");
        decider.learn(new Fact.HoldGone(new HoldId("h")), now);
        assertAwake("p");
    }

    @Test
    void aHoldThatShrinksWakesThePod() {
        seen(aNode("n").with("4 cpu"));
        seen(aHold("h").on("n").keeping("3 cpu"));
        refused(aPod("p").asking("2 cpu"));
        seen(aHold("h").on("n").keeping("2 cpu"));
        assertAwake("p");
    }

    @Test
    void aHoldThatMovesAwayWakesThePod() {
        seen(aNode("n").with("4 cpu"));
        seen(aNode("small").with("1 cpu"));
        seen(aHold("h").on("n").keeping("1 cpu"));
        refused(aPod("p").asking("4 cpu"));
        seen(aHold("h").on("small").keeping("1 cpu"));
        assertAwake("p");
    }

    @Test
    void aHoldThatBeginsToAdmitThePodWakesIt() {
        seen(aNode("n").with("4 cpu"));
        seen(aHold("h").on("n").keeping("3 cpu"));
        refused(aPod("p").asking("2 cpu").labelled("app", "web"));
        seen(aHold("h").on("n").keeping("3 cpu").forPodsLabelled("app", "db"));
        assertAsleep("p");
        seen(aHold("h").on("n").keeping("3 cpu").forPodsLabelled("app", "web"));
        assertAwake("p");
    }

    @Test
    void aHoldThatReachesItsDeadlineWakesThePod() {
        seen(aNode("n").with("4 cpu"));
        seen(aHold("h").on("n").keeping("3 cpu").until(now.plusSeconds(60)));
        refused(aPod("p").asking("2 cpu"));
        decider.advance(now.plusSeconds(60));
        assertAwake("p");
    }

    /** The hold keeps what its claim leaves over until its door removes it. */
    @Test
    void theRemainderOfAHoldForOnceWakesThePodWhenTheHoldIsRemoved() {
        seen(aNode("n").with("4 cpu"));
        seen(aHold("h").on("n").keeping("4 cpu").forPodsLabelled("app", "web").once());
        seen(aPod("owner").asking("1 cpu").labelled("app", "web"));
        decider.next(now);
        assertThat(ledger.claimBy(new PodUid("owner"))).isPresent();
        refused(aPod("p").asking("2 cpu"));
        seen(aPod("owner").asking("1 cpu").labelled("app", "web").using("h").on("n"));
        decider.learn(new Fact.HoldGone(new HoldId("h")), now);
        assertAwake("p");
    }

    @Test
    void aBindThatCameToNothingWakesWhomItsRoomWouldTake() {
        seen(aNode("n").with("4 cpu"));
        seen(aPod("first").asking("3 cpu"));
        Effect.Bind bind = (Effect.Bind) decider.next(now).orElseThrow().get(0);
        refused(aPod("p").asking("2 cpu"));
        decider.notBound(bind, Optional.empty(), now);
        assertAwake("p");
    }

    @Test
    void aNodeThatGoesWakesNobody() {
        seen(aNode("n").with("4 cpu"));
        seen(aHold("h").on("n").keeping("4 cpu"));
        refused(aPod("p").asking("2 cpu"));
        decider.learn(new Fact.NodeGone(new NodeUid("n")), now);
        assertAsleep("p");
    }

    @Test
    void whatBerthDoesNotDecideOnIsWokenByTheChangeOfThePodAlone() {
        seen(aNode("n").with("4 cpu"));
        refused(aPod("p").shaped(shape -> shape.needs(Set.of(Need.VOLUMES))));
        seen(aNode("another").with("4 cpu"));
        assertAsleep("p");
        seen(aPod("p"));
        assertAwake("p");
    }

    @Test
    void aPodThatComesToAskForLessIsTriedAgain() {
        seen(aNode("n").with("1 cpu"));
        refused(aPod("p").asking("2 cpu"));
        seen(aPod("p").asking("1 cpu"));
        assertAwake("p");
    }

    private void seen(NodeBuilder node) {
        decider.learn(new Fact.NodeSeen(node.build()), now);
    }

    private void seen(PodBuilder pod) {
        decider.learn(new Fact.PodSeen(pod.build()), now);
    }

    private void seen(HoldBuilder hold) {
        decider.learn(new Fact.HoldSeen(hold.build()), now);
    }

    private void gone(String pod) {
        decider.learn(new Fact.PodGone(new PodUid(pod)), now);
    }

    private void refused(PodBuilder pod) {
        seen(pod);
        decider.next(now);
        assertAsleep(pod.build().name());
    }

    private void assertAsleep(String pod) {
        assertThat(queue.standing(new PodUid(pod))).contains(Standing.WAITING);
    }

    /** It backs off first: it was tried a moment ago. */
    private void assertAwake(String pod) {
        assertThat(queue.standing(new PodUid(pod)))
                .hasValueSatisfying(standing -> assertThat(standing).isIn(Standing.BACKING_OFF, Standing.ACTIVE));
    }
}
