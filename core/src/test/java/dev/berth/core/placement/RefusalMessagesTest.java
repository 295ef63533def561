package dev.berth.core.placement;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a refused pod's author reads, word for word as kube-scheduler 1.36 has it where it has words for it. */
class RefusalMessagesTest {
    private final Ledger ledger = new Ledger();

    @Test
    void reasonsAreCountedOverTheNodes() {
        ledger.put(aNode("small").with("1 cpu").build());
        ledger.put(tainted("t1", Taint.TaintEffect.NO_SCHEDULE));
        ledger.put(tainted("t2", Taint.TaintEffect.NO_EXECUTE));
        assertThat(refusal(aPod("p").asking("2 cpu")))
                .isEqualTo("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).");
    }

    /** The counts are part of what is sorted, and sorted as text: ten comes before two. */
    @Test
    void reasonsAreSortedAsTextCountsFirst() {
        for (int i = 0; i < 10; i++) {
            ledger.put(tainted("t" + i, Taint.TaintEffect.NO_SCHEDULE));
        }
        ledger.put(aNode("a").with("1 cpu").build());
        ledger.put(aNode("b").with("1 cpu").build());
        assertThat(refusal(aPod("p").asking("2 cpu")))
                .isEqualTo("0/12 nodes are available: 10 node(s) had untolerated taint(s), 2 Insufficient cpu.");
    }

    @Test
    void aNodeNamesEveryInsufficientResource() {
        ledger.put(aNode("a").with("1 cpu", "1Gi memory", "0 pods").build());
        assertThat(refusal(aPod("p").asking("2 cpu", "2Gi memory", "1Gi ephemeral-storage", "1 example.com/gpu")))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient ephemeral-storage,"
                        + " 1 Insufficient example.com/gpu, 1 Insufficient memory, 1 Too many pods.");
    }

    @Test
    void onlyTheFirstFilterThatRefusesIsReported() {
        ledger.put(aNode("a")
                .unschedulable()
                .tainted("t", "", Taint.TaintEffect.NO_SCHEDULE)
                .with("1 cpu")
                .build());
        assertThat(refusal(aPod("p").asking("2 cpu")))
                .isEqualTo("0/1 nodes are available: 1 node(s) were unschedulable.");
    }

    @Test
    void aNodeAffinityMismatchIsReportedWithKubeSchedulersMessage() {
        ledger.put(aNode("a").labelled("disk", "hdd").build());
        NodeAffinity ssd = new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of());
        assertThat(refusal(aPod("p").withSpec(spec -> spec.nodeAffinity(ssd))))
                .isEqualTo("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.");
    }

    @Test
    void aPortConflictIsReportedWithoutThePortNumber() {
        ledger.put(aNode("a").build());
        ledger.put(aPod("there").withHostPort(80).on("a").build());
        assertThat(refusal(aPod("p").withHostPort(80)))
                .isEqualTo("0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.");
    }

    @Test
    void nodesThatNoTermNamesAreCountedApartFromTheOneThatIsFull() {
        ledger.put(aNode("a").with("1 cpu").build());
        ledger.put(aNode("b").with("4 cpu").build());
        ledger.put(aNode("c").with("4 cpu").build());
        assertThat(refusal(naming("a", "nowhere").asking("2 cpu")))
                .isEqualTo("0/3 nodes are available: 1 Insufficient cpu,"
                        + " 2 node(s) didn't satisfy plugin(s) [NodeAffinity].");
    }

    @Test
    void contradictingNodeAffinityTermsRefuseInPreFilter() {
        ledger.put(aNode("a").build());
        ledger.put(aNode("b").build());
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(), List.of(named("a"), named("b")));
        assertThat(refusal(aPod("p").withSpec(spec -> spec.nodeAffinity(requiring(term)))))
                .isEqualTo("0/2 nodes are available: pod affinity terms conflict.");
    }

    @Test
    void withoutNodesTheMessageSaysThatNoNodesAreAvailable() {
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(), List.of(named("a"), named("b")));
        assertThat(refusal(aPod("p"))).isEqualTo("no nodes available to schedule pods");
        assertThat(refusal(aPod("q").withSpec(spec -> spec.nodeAffinity(requiring(term)))))
                .isEqualTo("no nodes available to schedule pods");
    }

    @Test
    void unsupportedPodFeaturesAreNamedInTheMessage() {
        ledger.put(aNode("a").build());
        assertThat(refusal(aPod("p")
                        .withSpec(spec -> spec.unsupportedFeatures(Set.of(UnsupportedFeature.RESOURCE_CLAIMS)))))
                .isEqualTo("0/1 nodes are available: pod uses dynamic resource allocation (spec.resourceClaims),"
                        + " which Berth does not support yet.");
    }

    @Test
    void theMessageAboutSeveralUnsupportedFeaturesHasEachRemedyOnce() {
        ledger.put(aNode("a").build());
        assertThat(refusal(aPod("p")
                        .withSpec(spec -> spec.unsupportedFeatures(Set.of(
                                UnsupportedFeature.RESOURCE_CLAIMS,
                                new UnsupportedFeature("y (label y: 1)", "Remove the label"),
                                new UnsupportedFeature("x (label x: 1)", "Remove the label"))))))
                .isEqualTo("0/1 nodes are available: pod uses dynamic resource allocation (spec.resourceClaims)"
                        + " and x (label x: 1) and y (label y: 1), which Berth does not support yet."
                        + " Remove the label.");
    }

    @Test
    void heldResourcesAreInsufficientAndTheMessageNamesTheHoldAndItsAmount() {
        ledger.put(aNode("a").with("4 cpu").build());
        ledger.put(aNode("b").with("1 cpu").build());
        ledger.put(aHold("h").on("a").keeping("3 cpu").build());
        assertThat(refusal(aPod("p").asking("2 cpu")))
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu (on 1: 3 held by Reservation h).");
    }

    @Test
    void theMessageNamesTheDeadlineOfAHoldAndWhatIsLeftOfAPartlyUsedOne() {
        ledger.put(aNode("a").with("4 cpu", "8Gi memory").build());
        ledger.put(aHold("h")
                .on("a")
                .keeping("3 cpu", "6Gi memory")
                .forPodsLabelled("app", "web")
                .until(Instant.parse("2026-01-01T00:00:00.123Z"))
                .build());
        ledger.put(aPod("owner")
                .labelled("app", "web")
                .asking("1 cpu", "1536Mi memory")
                .using("h")
                .on("a")
                .build());
        assertThat(refusal(aPod("p").asking("2 cpu", "3Gi memory")))
                .isEqualTo("0/1 nodes are available:"
                        + " 1 Insufficient cpu (2 held by Reservation h until 2026-01-01T00:00:00Z),"
                        + " 1 Insufficient memory (4608Mi held by Reservation h until 2026-01-01T00:00:00Z).");
    }

    @Test
    void heldPortsAndPodSlotsAreReportedWithKubeSchedulersMessage() {
        ledger.put(aNode("a").with("1 pods").build());
        ledger.put(aHold("h").on("a").keeping("1 pods").build());
        ledger.put(aNode("b").build());
        ledger.put(aHold("i").on("b").keepingHostPort(80).build());
        assertThat(refusal(aPod("p").withHostPort(80)))
                .isEqualTo("0/2 nodes are available: 1 Too many pods (1 held by Reservation h),"
                        + " 1 node(s) didn't have free ports for the requested pod ports (held by Reservation i).");
    }

    @Test
    void theLargestHoldsAreNamedFirst() {
        ledger.put(aNode("n1").with("8 cpu").build());
        ledger.put(aHold("a").on("n1").keeping("1 cpu").build());
        ledger.put(aHold("b").on("n1").keeping("1 cpu").build());
        ledger.put(aHold("c").on("n1").keeping("1 cpu").build());
        ledger.put(aHold("z").on("n1").keeping("5 cpu").build());
        assertThat(refusal(aPod("p").asking("2 cpu")))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu (5 held by Reservation z,"
                        + " 1 held by Reservation a, 1 held by Reservation b, and 1 more hold).");
    }

    @Test
    void atMostThreeHoldsAreNamed() {
        for (int i = 1; i <= 5; i++) {
            ledger.put(aNode("n" + i).with("1 cpu").build());
            ledger.put(aHold("h" + i).on("n" + i).keeping("1 cpu").build());
        }
        assertThat(refusal(aPod("p").asking("1 cpu")))
                .isEqualTo("0/5 nodes are available: 5 Insufficient cpu (1 held by Reservation h1,"
                        + " 1 held by Reservation h2, 1 held by Reservation h3, and 2 more holds).");
    }

    @Test
    void aMatchingHoldThatIsTooSmallReportsWhatIsLeftInIt() {
        ledger.put(aNode("a").with("8 cpu").build());
        ledger.put(aHold("h")
                .on("a")
                .keeping("3 cpu")
                .forPodsLabelled("app", "web")
                .restrictedTo("cpu")
                .build());
        assertThat(refusal(aPod("p").labelled("app", "web").asking("4 cpu"), HoldUse.REQUIRED))
                .isEqualTo("0/1 nodes are available: 1 Reservation(s) Insufficient cpu (3 left in Reservation h).");
    }

    private String refusal(PodBuilder builder) {
        return refusal(builder, HoldUse.PREFERRED);
    }

    private String refusal(PodBuilder builder, HoldUse use) {
        Pod pod = builder.build();
        Placement fast = new Placer(ledger, ScoreWeights.DEFAULT).place(pod, use);
        assertThat(new ReferencePlacer(ledger, ScoreWeights.DEFAULT).place(pod, use))
                .isEqualTo(fast);
        assertThat(fast).isInstanceOf(Placement.Refused.class);
        return ((Placement.Refused) fast).fitErrorMessage();
    }

    private static Node tainted(String name, Taint.TaintEffect effect) {
        return aNode(name).with("4 cpu").tainted("t", "", effect).build();
    }

    private static PodBuilder naming(String... nodes) {
        NodeSelectorTerm term = new NodeSelectorTerm(
                List.of(),
                List.of(new Requirement(NodeSelectorTerm.NAME_FIELD, Requirement.Operator.IN, List.of(nodes))));
        return aPod("p").withSpec(spec -> spec.nodeAffinity(requiring(term)));
    }

    private static Requirement named(String node) {
        return new Requirement(NodeSelectorTerm.NAME_FIELD, Requirement.Operator.IN, List.of(node));
    }

    private static NodeAffinity requiring(NodeSelectorTerm term) {
        return new NodeAffinity(Labels.NONE, Optional.of(List.of(term)), List.of());
    }
}
