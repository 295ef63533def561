package dev.berth.core.scheduling;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that inter-pod constraints refused are requeued when the related pods change, on any node. */
class PodAffinityRequeueTest {
    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private final Scheduler scheduler = aScheduler(ledger).withQueue(queue).build();
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void twoNodesInOneZone() {
        upsert(aNode("n1").inZone("a"));
        upsert(aNode("n2").inZone("a"));
    }

    @Test
    void aPodWithAffinityIsRequeuedWhenAMatchingPodIsAdded() {
        makeUnschedulable(withAffinityTo("p", "db"));
        upsert(aPod("other").labelled("app", "cache").on("n1"));
        assertNotRequeued();
        upsert(aPod("db").labelled("app", "db").on("n1"));
        assertRequeued();
    }

    @Test
    void aPodWithAffinityIsRequeuedWhenAMatchingPodIsAssumed() {
        makeUnschedulable(withAffinityTo("p", "db"));
        upsert(aPod("db").labelled("app", "db"));
        assertThat(scheduler.scheduleOne(now)).isPresent();
        assertThat(ledger.assumption(new PodUid("db"))).isPresent();
        assertRequeued();
    }

    @Test
    void aPodWithAffinityIsRequeuedWhenAPodGetsMatchingLabels() {
        upsert(aPod("db").on("n1"));
        makeUnschedulable(withAffinityTo("p", "db"));
        upsert(aPod("db").labelled("app", "db").on("n1"));
        assertRequeued();
    }

    @Test
    void aPodWithAntiAffinityIsRequeuedWhenTheMatchingPodLeavesAnyNodeOfTheZone() {
        upsert(aPod("web").labelled("app", "web").on("n1"));
        upsert(aPod("other").labelled("app", "other").on("n1"));
        makeUnschedulable(withAntiAffinityTo("p", "web"));
        scheduler.apply(new Fact.PodDeleted(new PodUid("other")), now);
        assertNotRequeued();
        scheduler.apply(new Fact.PodDeleted(new PodUid("web")), now);
        assertRequeued();
    }

    @Test
    void aPodIsRequeuedWhenAnExistingPodWithAntiAffinityAgainstItLeaves() {
        upsert(withAntiAffinityTo("lonely", "web").on("n1"));
        makeUnschedulable(aPod("p").labelled("app", "web"));
        scheduler.apply(new Fact.PodDeleted(new PodUid("lonely")), now);
        assertRequeued();
    }

    @Test
    void aPodWithASpreadConstraintIsRequeuedWhenAMatchingPodTerminates() {
        PodBuilder web = aPod("web").labelled("app", "web").on("n1");
        upsert(web);
        makeUnschedulable(withSpreadConstraint("p"));
        upsert(aPod("web").labelled("app", "web").on("n1").terminating());
        assertRequeued();
    }

    @Test
    void aPodWithASpreadConstraintIsRequeuedWhenANodeIsAddedOrDeleted() {
        upsert(aPod("web").labelled("app", "web").on("n1"));
        makeUnschedulable(withSpreadConstraint("p"));
        upsert(aNode("n3").unschedulable());
        assertRequeued();
    }

    @Test
    void deletingANodeMaySatisfyASpreadConstraint() {
        upsert(aNode("b").inZone("b").unschedulable());
        upsert(aPod("web").labelled("app", "web").on("n1"));
        makeUnschedulable(withSpreadConstraint("p"));
        scheduler.apply(new Fact.NodeDeleted(new NodeUid("b")), now);
        assertRequeued();
    }

    @Test
    void aNodeThatChangesItsZoneMovesItsPodsToThatZone() {
        upsert(aPod("web").labelled("app", "web").on("n1"));
        makeUnschedulable(withAntiAffinityTo("p", "web"));
        upsert(aNode("n1").inZone("b"));
        assertRequeued();
    }

    @Test
    void aPodIsRequeuedWhenNamespaceLabelsChangeWhatItsTermsSelect() {
        upsert(aPod("shop/db").labelled("app", "db").on("n1"));
        PodAffinityTerm ofTeamX = new PodAffinityTerm(
                Node.ZONE_LABEL,
                Optional.of(app("db")),
                List.of(),
                Optional.of(LabelSelector.of(Labels.of("team", "x"))));
        makeUnschedulable(
                aPod("p").withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(ofTeamX), List.of(), List.of()))));
        scheduler.apply(new Fact.NamespaceUpserted(new Namespace("shop", Labels.of("team", "x"))), now);
        assertRequeued();
    }

    /** The pod that left was not the only one in the way: what the node says next counts, too. */
    @Test
    void aPodShortOfResourcesLaterAlsoWaitsForItsAffinity() {
        scheduler.apply(
                new Fact.NodeUpserted(aNode("n2").inZone("a").with("1 cpu").build()), now);
        upsert(aPod("full").asking("4 cpu").on("n1"));
        upsert(aPod("web").labelled("app", "web").on("n2"));
        makeUnschedulable(withAntiAffinityTo("p", "web").asking("2 cpu"));
        scheduler.apply(new Fact.PodDeleted(new PodUid("full")), now);
        assertNotRequeued();
        scheduler.apply(new Fact.PodDeleted(new PodUid("web")), now);
        assertRequeued();
    }

    /**
     * With its hold the pod is short of cpu, and without it its affinity is not satisfied. Only the hold is reported,
     * but both can help.
     */
    @Test
    void aPodWhoseHoldIsSpentIsRequeuedByAffinityWithoutTheHold() {
        scheduler.apply(
                new Fact.NodeUpserted(aNode("n2").inZone("a").with("1 cpu").build()), now);
        upsert(aHold("h").on("n1").keeping("1 cpu").restrictedTo("cpu").forPod("default/p"));
        makeUnschedulable(withAffinityTo("p", "db").asking("2 cpu"));
        upsert(aPod("db").labelled("app", "db").on("n2"));
        assertRequeued();
    }

    @Test
    void aPodWhoseLabelsDifferFromItsClassIsEvaluatedByItself() {
        upsert(aNode("n1").inZone("a").unschedulable());
        upsert(aNode("n2").inZone("a").unschedulable());
        upsert(withAntiAffinityTo("lonely", "web").on("n1"));
        upsert(aPod("like").labelled("app", "web"));
        assertThat(scheduler.scheduleOne(now)).isPresent();
        makeUnschedulable(aPod("p").labelled("app", "web"));
        upsert(aPod("p").labelled("app", "db"));
        assertNotRequeued();
        upsert(aNode("n3").inZone("a"));
        assertRequeued();
        assertThat(queue.stateOf(new PodUid("like"))).contains(QueueState.UNSCHEDULABLE);
    }

    /** Pods and nodes are watched apart, and the pod may be quicker. */
    @Test
    void aNodeThatAppearsAfterItsPodsRequeuesPodsWithAffinityToThem() {
        upsert(aPod("db").labelled("app", "db").on("late"));
        makeUnschedulable(withAffinityTo("p", "db"));
        upsert(aNode("late").inZone("a").unschedulable());
        assertRequeued();
    }

    private static LabelSelector app(String name) {
        return LabelSelector.of(Labels.of("app", name));
    }

    private static PodBuilder withAffinityTo(String name, String app) {
        PodAffinityTerm term = PodAffinityTerm.of(Node.ZONE_LABEL, app(app));
        return aPod(name).withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(term), List.of(), List.of())));
    }

    private static PodBuilder withAntiAffinityTo(String name, String app) {
        PodAffinityTerm term = PodAffinityTerm.of(Node.ZONE_LABEL, app(app));
        return aPod(name).withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())));
    }

    /** With so many required zones that one pod in a zone is too many. */
    private static PodBuilder withSpreadConstraint(String name) {
        TopologySpreadConstraint constraint = new TopologySpreadConstraint(
                Node.ZONE_LABEL,
                Optional.of(app("web")),
                true,
                1,
                3,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
        return aPod(name).labelled("app", "web").withSpec(spec -> spec.topologySpreadConstraints(List.of(constraint)));
    }

    private void upsert(NodeBuilder node) {
        scheduler.apply(new Fact.NodeUpserted(node.with("4 cpu").build()), now);
    }

    private void upsert(HoldBuilder hold) {
        scheduler.apply(new Fact.HoldUpserted(hold.build()), now);
    }

    private void upsert(PodBuilder pod) {
        scheduler.apply(new Fact.PodUpserted(pod.build()), now);
    }

    private void makeUnschedulable(PodBuilder pod) {
        upsert(pod);
        assertThat(scheduler.scheduleOne(now)).isPresent();
        assertNotRequeued();
    }

    private void assertNotRequeued() {
        assertThat(queue.stateOf(new PodUid("p"))).contains(QueueState.UNSCHEDULABLE);
    }

    private void assertRequeued() {
        assertThat(queue.stateOf(new PodUid("p"))).contains(QueueState.BACKING_OFF);
    }
}
