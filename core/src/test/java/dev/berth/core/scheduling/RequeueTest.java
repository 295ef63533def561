package dev.berth.core.scheduling;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
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
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For each way in which a pod is refused: which event wakes it, and which leaves it asleep. */
class RequeueTest {
    private static final String SCHEDULER = "default-scheduler";

    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private final Scheduler scheduler =
            aScheduler(ledger).serving(SCHEDULER).withQueue(queue).build();
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aPodShortOfCpuIsRequeuedOnlyWhenARemovedPodFreesEnoughCpu() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("large").asking("3 cpu").on("n"));
        upsert(aPod("small").asking("500m cpu").on("n"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        delete("small");
        assertNotRequeued("p");
        delete("large");
        assertRequeued("p");
    }

    @Test
    void aPodThatFinishesRequeuesAPodShortOfCpu() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("job").asking("4 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aPod("job").asking("4 cpu").on("n").in(PodPhase.SUCCEEDED));
        assertRequeued("p");
    }

    @Test
    void aPodResizedInPlaceRequeuesAPodShortOfCpu() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("there").asking("4 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aPod("there").asking("3 cpu").on("n"));
        assertNotRequeued("p");
        upsert(aPod("there").asking("1 cpu").on("n"));
        assertRequeued("p");
    }

    @Test
    void resourcesFreedOutsideAHoldRequeueOnlyThePodThatTheHoldNames() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("there").asking("2 cpu").on("n"));
        upsert(aHold("h").on("n").keeping("2 cpu").forPod("default/b"));
        makeUnschedulable(aPod("a").asking("3 cpu"));
        makeUnschedulable(aPod("b").asking("3 cpu"));
        makeUnschedulable(aPod("c").asking("3 cpu"));
        delete("there");
        assertRequeued("b");
        assertNotRequeued("a");
        assertNotRequeued("c");
    }

    @Test
    void aPodThatIsAddedRequeuesNoPod() {
        upsert(aNode("n").with("4 cpu"));
        makeUnschedulable(aPod("p").asking("5 cpu"));
        upsert(aPod("other").asking("1 cpu").on("n"));
        assertNotRequeued("p");
    }

    @Test
    void aPodLargerThanEveryNodeIsRequeuedByALargerNodeAndNotByRemovedPods() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("there").asking("1 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("8 cpu"));
        delete("there");
        assertNotRequeued("p");
        upsert(aNode("n").with("8 cpu"));
        assertRequeued("p");
    }

    @Test
    void aNewNodeRequeuesOnlyPodsThatFitIt() {
        upsert(aNode("n").with("1 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aNode("tainted").with("4 cpu").tainted("t", "", Taint.TaintEffect.NO_SCHEDULE));
        upsert(aNode("small").with("1 cpu"));
        assertNotRequeued("p");
        upsert(aNode("large").with("2 cpu"));
        assertRequeued("p");
    }

    @Test
    void withoutNodesTheFirstNodeThatFitsRequeuesThePod() {
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aNode("n").with("2 cpu"));
        assertRequeued("p");
    }

    @Test
    void aPodBlockedByATaintIsRequeuedWhenTheTaintIsRemovedAndNotWhenPodsAre() {
        upsert(aNode("n").with("4 cpu").tainted("t", "", Taint.TaintEffect.NO_SCHEDULE));
        upsert(aPod("there").asking("1 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("1 cpu"));
        delete("there");
        assertNotRequeued("p");
        upsert(aNode("n").with("4 cpu"));
        assertRequeued("p");
    }

    @Test
    void aPodBlockedByACordonIsRequeuedWhenTheNodeIsUncordoned() {
        upsert(aNode("n").unschedulable());
        makeUnschedulable(aPod("p"));
        upsert(aNode("n").unschedulable().labelled("x", "y"));
        assertNotRequeued("p");
        upsert(aNode("n"));
        assertRequeued("p");
    }

    @Test
    void aPodThatNeedsALabelIsRequeuedWhenANodeGetsIt() {
        upsert(aNode("n"));
        NodeAffinity ssd = new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of());
        makeUnschedulable(aPod("p").withSpec(spec -> spec.nodeAffinity(ssd)));
        upsert(aNode("n").labelled("disk", "hdd"));
        assertNotRequeued("p");
        upsert(aNode("n").labelled("disk", "ssd"));
        assertRequeued("p");
    }

    @Test
    void aPodBlockedByAHostPortIsRequeuedWhenTheUserOfThePortLeaves() {
        upsert(aNode("n"));
        upsert(aPod("server").withHostPort(80).on("n"));
        upsert(aPod("other").on("n"));
        makeUnschedulable(aPod("p").withHostPort(80));
        delete("other");
        assertNotRequeued("p");
        delete("server");
        assertRequeued("p");
    }

    @Test
    void aPodBlockedByTheNodesPodLimitIsRequeuedWhenAnyPodLeaves() {
        upsert(aNode("n").with("1 pods"));
        upsert(aPod("there").on("n"));
        makeUnschedulable(aPod("p"));
        delete("there");
        assertRequeued("p");
    }

    /** The taint was the reason then; now the lack of room is. */
    @Test
    void aFullNodeThatLosesItsTaintIsReportedAsFullAndRequeuesThePodOnceItHasCapacity() {
        upsert(aNode("n").with("4 cpu").tainted("t", "", Taint.TaintEffect.NO_SCHEDULE));
        upsert(aPod("there").asking("4 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("1 cpu"));
        upsert(aNode("n").with("4 cpu"));
        scheduler.advance(now.plusSeconds(1));
        List<Effect> told = scheduler.scheduleOne(now.plusSeconds(1)).orElseThrow();
        assertThat(told)
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.MarkUnscheduled.class,
                                mark -> assertThat(mark.message())
                                        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.")));
        assertNotRequeued("p");
        delete("there");
        assertRequeued("p");
    }

    @Test
    void aNodeRecreatedWithoutItsHoldsRequeuesPodsThatFitIt() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aHold("h").on("n").keeping("3 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aNode("n").uid("another").with("1 cpu"));
        assertNotRequeued("p");
        upsert(aNode("n").uid("another").with("2 cpu"));
        assertRequeued("p");
    }

    @Test
    void podsOfOneTemplateAreRequeuedTogether() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("there").asking("4 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        makeUnschedulable(aPod("q").asking("2 cpu"));
        makeUnschedulable(aPod("larger").asking("5 cpu"));
        delete("there");
        assertRequeued("p");
        assertRequeued("q");
        assertNotRequeued("larger");
    }

    @Test
    void ofPodsOfOneTemplateAHoldRequeuesThoseItAdmits() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("there").asking("1 cpu").on("n"));
        upsert(aHold("h").on("n").keeping("3 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        makeUnschedulable(aPod("q").asking("2 cpu"));
        upsert(aHold("h").on("n").keeping("3 cpu").forPod("default/q"));
        assertNotRequeued("p");
        assertRequeued("q");
    }

    @Test
    void ofPodsOfOneTemplateARemovedPodRequeuesThoseWithAHoldOnItsNode() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("there").asking("3 cpu").on("n"));
        upsert(aHold("h").on("n").keeping("1 cpu").forPod("default/q"));
        makeUnschedulable(aPod("p").asking("4 cpu"));
        makeUnschedulable(aPod("q").asking("4 cpu"));
        delete("there");
        assertNotRequeued("p");
        assertRequeued("q");
    }

    @Test
    void aNodeThatGrewButIsFullRequeuesThePodOnceItHasCapacity() {
        upsert(aNode("n").with("2 cpu"));
        upsert(aPod("there").asking("2 cpu").on("n"));
        makeUnschedulable(aPod("p").asking("3 cpu"));
        upsert(aNode("n").with("4 cpu"));
        assertNotRequeued("p");
        delete("there");
        assertRequeued("p");
    }

    @Test
    void aPodBlockedByAHoldIsRequeuedWhenThatHoldEndsAndNotWhenAnotherDoes() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aNode("small").with("2 cpu"));
        upsert(aHold("h").on("n").keeping("3 cpu"));
        upsert(aHold("elsewhere").on("small").keeping("1 cpu"));
        makeUnschedulable(aPod("p").asking("3 cpu"));
        scheduler.apply(new Fact.HoldDeleted(new HoldId("elsewhere")), now);
        assertNotRequeued("p");
        scheduler.apply(new Fact.HoldDeleted(new HoldId("h")), now);
        assertRequeued("p");
    }

    @Test
    void aHoldThatShrinksRequeuesThePod() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aHold("h").on("n").keeping("3 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aHold("h").on("n").keeping("2 cpu"));
        assertRequeued("p");
    }

    @Test
    void aHoldThatMovesToAnotherNodeRequeuesThePod() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aNode("small").with("1 cpu"));
        upsert(aHold("h").on("n").keeping("1 cpu"));
        makeUnschedulable(aPod("p").asking("4 cpu"));
        upsert(aHold("h").on("small").keeping("1 cpu"));
        assertRequeued("p");
    }

    @Test
    void aHoldThatBeginsToAdmitThePodRequeuesIt() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aHold("h").on("n").keeping("3 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu").labelled("app", "web"));
        upsert(aHold("h").on("n").keeping("3 cpu").forPodsLabelled("app", "db"));
        assertNotRequeued("p");
        upsert(aHold("h").on("n").keeping("3 cpu").forPodsLabelled("app", "web"));
        assertRequeued("p");
    }

    @Test
    void aHoldThatExpiresRequeuesThePod() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aHold("h").on("n").keeping("3 cpu").until(now.plusSeconds(60)));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        scheduler.advance(now.plusSeconds(60));
        assertRequeued("p");
    }

    /** The hold keeps what its claim leaves over until its door removes it. */
    @Test
    void removingASpentAllocateOnceHoldRequeuesThePod() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aHold("h").on("n").keeping("4 cpu").forPodsLabelled("app", "web").allocateOnce());
        upsert(aPod("owner").asking("1 cpu").labelled("app", "web"));
        scheduler.scheduleOne(now);
        assertThat(ledger.claimBy(new PodUid("owner"))).isPresent();
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aPod("owner").asking("1 cpu").labelled("app", "web").using("h").on("n"));
        scheduler.apply(new Fact.HoldDeleted(new HoldId("h")), now);
        assertRequeued("p");
    }

    @Test
    void aFailedBindRequeuesPodsThatFitTheFreedCapacity() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aPod("first").asking("3 cpu"));
        Effect.Bind bind =
                (Effect.Bind) scheduler.scheduleOne(now).orElseThrow().get(0);
        makeUnschedulable(aPod("p").asking("2 cpu"));
        scheduler.onBindFailed(bind, Optional.empty(), now);
        assertRequeued("p");
    }

    @Test
    void deletingANodeRequeuesNoPod() {
        upsert(aNode("n").with("4 cpu"));
        upsert(aHold("h").on("n").keeping("4 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        scheduler.apply(new Fact.NodeDeleted(new NodeUid("n")), now);
        assertNotRequeued("p");
    }

    @Test
    void aPodWithAnUnsupportedFeatureIsRequeuedOnlyByItsOwnChange() {
        upsert(aNode("n").with("4 cpu"));
        makeUnschedulable(
                aPod("p").withSpec(spec -> spec.unsupportedFeatures(Set.of(UnsupportedFeature.RESOURCE_CLAIMS))));
        upsert(aNode("another").with("4 cpu"));
        assertNotRequeued("p");
        upsert(aPod("p"));
        assertRequeued("p");
    }

    @Test
    void aPodThatLowersItsRequestsIsRequeued() {
        upsert(aNode("n").with("1 cpu"));
        makeUnschedulable(aPod("p").asking("2 cpu"));
        upsert(aPod("p").asking("1 cpu"));
        assertRequeued("p");
    }

    private void upsert(NodeBuilder node) {
        scheduler.apply(new Fact.NodeUpserted(node.build()), now);
    }

    private void upsert(PodBuilder pod) {
        scheduler.apply(new Fact.PodUpserted(pod.build()), now);
    }

    private void upsert(HoldBuilder hold) {
        scheduler.apply(new Fact.HoldUpserted(hold.build()), now);
    }

    private void delete(String pod) {
        scheduler.apply(new Fact.PodDeleted(new PodUid(pod)), now);
    }

    private void makeUnschedulable(PodBuilder pod) {
        upsert(pod);
        scheduler.scheduleOne(now);
        assertNotRequeued(pod.build().name());
    }

    private void assertNotRequeued(String pod) {
        assertThat(queue.stateOf(new PodUid(pod))).contains(QueueState.UNSCHEDULABLE);
    }

    /** It backs off first: it was tried a moment ago. */
    private void assertRequeued(String pod) {
        assertThat(queue.stateOf(new PodUid(pod)))
                .hasValueSatisfying(
                        queueState -> assertThat(queueState).isIn(QueueState.BACKING_OFF, QueueState.ACTIVE));
    }
}
