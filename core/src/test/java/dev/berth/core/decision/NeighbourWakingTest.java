package dev.berth.core.decision;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who was refused for the sake of other pods wakes when what they are to it changes, on whatever node that is. */
class NeighbourWakingTest {
    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private final Decider decider =
            new Decider(ledger, new Placer(ledger, ScoreWeights.DEFAULT), queue, Set.of("default-scheduler"));
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void twoNodesInOneZone() {
        seen(aNode("n1").inZone("a"));
        seen(aNode("n2").inZone("a"));
    }

    @Test
    void whoMustBeNearWakesWhenSuchAPodComes() {
        refused(near("p", "db"));
        seen(aPod("other").labelled("app", "cache").on("n1"));
        assertAsleep();
        seen(aPod("db").labelled("app", "db").on("n1"));
        assertAwake();
    }

    @Test
    void itNeedNotWaitForTheBindingToShow() {
        refused(near("p", "db"));
        seen(aPod("db").labelled("app", "db"));
        assertThat(decider.next(now)).isPresent();
        assertThat(ledger.assumption(new PodUid("db"))).isPresent();
        assertAwake();
    }

    @Test
    void whoMustBeNearWakesWhenAPodIsCalledSo() {
        seen(aPod("db").on("n1"));
        refused(near("p", "db"));
        seen(aPod("db").labelled("app", "db").on("n1"));
        assertAwake();
    }

    @Test
    void whoMustBeApartWakesWhenThatPodLeavesAnyNodeOfTheZone() {
        seen(aPod("web").labelled("app", "web").on("n1"));
        seen(aPod("other").labelled("app", "other").on("n1"));
        refused(apart("p", "web"));
        decider.learn(new Fact.PodGone(new PodUid("other")), now);
        assertAsleep();
        decider.learn(new Fact.PodGone(new PodUid("web")), now);
        assertAwake();
    }

    @Test
    void whomAnotherDoesNotSufferWakesWhenThatOneLeaves() {
        seen(apart("lonely", "web").on("n1"));
        refused(aPod("p").labelled("app", "web"));
        decider.learn(new Fact.PodGone(new PodUid("lonely")), now);
        assertAwake();
    }

    @Test
    void whoMustBeSpreadWakesWhenOneOfItsLikeIsOnItsWayOut() {
        PodBuilder web = aPod("web").labelled("app", "web").on("n1");
        seen(web);
        refused(even("p"));
        seen(aPod("web").labelled("app", "web").on("n1").terminating());
        assertAwake();
    }

    @Test
    void whoMustBeSpreadWakesWhenANodeComesOrGoes() {
        seen(aPod("web").labelled("app", "web").on("n1"));
        refused(even("p"));
        seen(aNode("n3").unschedulable());
        assertAwake();
    }

    @Test
    void aNodeThatGoesMayLeaveThingsEven() {
        seen(aNode("b").inZone("b").unschedulable());
        seen(aPod("web").labelled("app", "web").on("n1"));
        refused(even("p"));
        decider.learn(new Fact.NodeGone(new NodeUid("b")), now);
        assertAwake();
    }

    @Test
    void aNodeThatMovesToAnotherZoneTakesItsPodsAlong() {
        seen(aPod("web").labelled("app", "web").on("n1"));
        refused(apart("p", "web"));
        seen(aNode("n1").inZone("b"));
        assertAwake();
    }

    @Test
    void whomTermsSpeakOfMayChangeWithNamespaces() {
        seen(aPod("shop/db").labelled("app", "db").on("n1"));
        PodTerm ofTeamX = new PodTerm(
                Node.ZONE_LABEL,
                Optional.of(app("db")),
                List.of(),
                Optional.of(LabelSelector.of(Labels.of("team", "x"))));
        refused(aPod("p").shaped(shape -> shape.podAffinity(new PodAffinity(List.of(ofTeamX), List.of(), List.of()))));
        decider.learn(new Fact.NamespaceSeen(new Namespace("shop", Labels.of("team", "x"))), now);
        assertAwake();
    }

    /** The pod that left was not the only one in the way: what the node says next counts, too. */
    @Test
    void whoWaitedForRoomFindsOutWhomElseItWaitsFor() {
        decider.learn(new Fact.NodeSeen(aNode("n2").inZone("a").with("1 cpu").build()), now);
        seen(aPod("full").asking("4 cpu").on("n1"));
        seen(aPod("web").labelled("app", "web").on("n2"));
        refused(apart("p", "web").asking("2 cpu"));
        decider.learn(new Fact.PodGone(new PodUid("full")), now);
        assertAsleep();
        decider.learn(new Fact.PodGone(new PodUid("web")), now);
        assertAwake();
    }

    /** With its hold it is short of cpu, and without it of company: the hold alone speaks, but either may help. */
    @Test
    void whoseHoldIsSpentFindsCompanyWithoutIt() {
        decider.learn(new Fact.NodeSeen(aNode("n2").inZone("a").with("1 cpu").build()), now);
        seen(aHold("h").on("n1").keeping("1 cpu").restrictedTo("cpu").forPod("default/p"));
        refused(near("p", "db").asking("2 cpu"));
        seen(aPod("db").labelled("app", "db").on("n2"));
        assertAwake();
    }

    @Test
    void whoIsNoLongerCalledAsItsLikeIsAskedForItself() {
        seen(aNode("n1").inZone("a").unschedulable());
        seen(aNode("n2").inZone("a").unschedulable());
        seen(apart("lonely", "web").on("n1"));
        seen(aPod("like").labelled("app", "web"));
        assertThat(decider.next(now)).isPresent();
        refused(aPod("p").labelled("app", "web"));
        seen(aPod("p").labelled("app", "db"));
        assertAsleep();
        seen(aNode("n3").inZone("a"));
        assertAwake();
        assertThat(queue.standing(new PodUid("like"))).contains(Standing.WAITING);
    }

    /** Pods and nodes are watched apart, and the pod may be quicker. */
    @Test
    void aNodeThatShowsAfterItsPodsBringsThemAlong() {
        seen(aPod("db").labelled("app", "db").on("late"));
        refused(near("p", "db"));
        seen(aNode("late").inZone("a").unschedulable());
        assertAwake();
    }

    private static LabelSelector app(String name) {
        return LabelSelector.of(Labels.of("app", name));
    }

    private static PodBuilder near(String name, String app) {
        PodTerm term = PodTerm.of(Node.ZONE_LABEL, app(app));
        return aPod(name).shaped(shape -> shape.podAffinity(new PodAffinity(List.of(term), List.of(), List.of())));
    }

    private static PodBuilder apart(String name, String app) {
        PodTerm term = PodTerm.of(Node.ZONE_LABEL, app(app));
        return aPod(name).shaped(shape -> shape.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())));
    }

    /** With so many zones asked for that one pod in a zone is too many. */
    private static PodBuilder even(String name) {
        SpreadConstraint constraint = new SpreadConstraint(
                Node.ZONE_LABEL, Optional.of(app("web")), true, 1, 3, SpreadConstraint.Heed.USUAL, List.of());
        return aPod(name).labelled("app", "web").shaped(shape -> shape.spread(List.of(constraint)));
    }

    private void seen(NodeBuilder node) {
        decider.learn(new Fact.NodeSeen(node.with("4 cpu").build()), now);
    }

    private void seen(HoldBuilder hold) {
        decider.learn(new Fact.HoldSeen(hold.build()), now);
    }

    private void seen(PodBuilder pod) {
        decider.learn(new Fact.PodSeen(pod.build()), now);
    }

    private void refused(PodBuilder pod) {
        seen(pod);
        assertThat(decider.next(now)).isPresent();
        assertAsleep();
    }

    private void assertAsleep() {
        assertThat(queue.standing(new PodUid("p"))).contains(Standing.WAITING);
    }

    private void assertAwake() {
        assertThat(queue.standing(new PodUid("p"))).contains(Standing.BACKING_OFF);
    }
}
