package dev.berth.core.placement;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.resource.PodRequests;
import dev.berth.core.resource.PodResources;
import dev.berth.core.resource.PodResources.Container;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The scores of kube-scheduler 1.36 on small clusters, computed by hand. The fast path and the reference implementation
 * share one reading of the rules; these numbers are independent of both.
 */
class ScoreExamplesTest {
    private static final ScoreWeights LEAST_ALLOCATED = new ScoreWeights(1, 0, 0, 0, 0, 0, 0);
    private static final ScoreWeights BALANCED_ALLOCATION = new ScoreWeights(0, 1, 0, 0, 0, 0, 0);
    private static final ScoreWeights IMAGE_LOCALITY = new ScoreWeights(0, 0, 1, 0, 0, 0, 0);
    private static final ScoreWeights TAINTS = new ScoreWeights(0, 0, 0, 1, 0, 0, 0);
    private static final ScoreWeights NODE_AFFINITY = new ScoreWeights(0, 0, 0, 0, 1, 0, 0);
    private static final ScoreWeights SPREAD = new ScoreWeights(0, 0, 0, 0, 0, 1, 0);
    private static final long MIB = 1 << 20;

    private final Ledger ledger = new Ledger();

    // LeastAllocated: of cpu and memory the hundredths that stay free, rounded down, and their mean, rounded down.

    @Test
    void leastAllocatedRoundsDownPerResourceAndThenTheMean() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        pod(aPod("there").asking("1 cpu", "1Gi memory").on("n"));
        // cpu (4000 - 1500) * 100 / 4000 = 62, memory (8 - 2) * 100 / 8 = 75, (62 + 75) / 2 = 68
        assertThat(scores(LEAST_ALLOCATED, aPod("p").asking("500m cpu", "1Gi memory")))
                .containsExactly(entry("n", 68L));
    }

    @Test
    void aPodWithoutRequestsScoresAs100mAnd200MiBBeforeAndAfterItIsPlaced() {
        node(aNode("n").with("1 cpu", "1Gi memory"));
        PodRequests nothing = PodRequests.of(PodResources.of(List.of(Container.requesting(Map.of()))));
        // cpu 900 * 100 / 1000 = 90, memory (1024 - 200) * 100 / 1024 = 80
        assertThat(scores(LEAST_ALLOCATED, requesting("p", nothing))).containsExactly(entry("n", 85L));
        pod(requesting("there", nothing).on("n"));
        // cpu 80, memory (1024 - 400) * 100 / 1024 = 60
        assertThat(scores(LEAST_ALLOCATED, requesting("p", nothing))).containsExactly(entry("n", 70L));
    }

    @Test
    void everyContainerWithoutRequestsGetsTheDefaultRequest() {
        node(aNode("n").with("1 cpu", "1Gi memory"));
        PodRequests two = PodRequests.of(PodResources.of(List.of(
                Container.requesting(Map.of(ResourceName.CPU, Quantity.parse("250m"))),
                Container.requesting(Map.of(ResourceName.MEMORY, Quantity.parse("100Mi"))))));
        // cpu 250 + 100: 65; memory 200 + 100 MiB: (1024 - 300) * 100 / 1024 = 70; (65 + 70) / 2 = 67
        assertThat(scores(LEAST_ALLOCATED, requesting("p", two))).containsExactly(entry("n", 67L));
    }

    @Test
    void anOverfullResourceScoresZero() {
        node(aNode("n").with("1 cpu", "1Gi memory"));
        pod(aPod("there")
                .asking("950m cpu")
                .scoredAs("950m cpu", "200Mi memory")
                .on("n"));
        // cpu 950 + 100 > 1000: 0; memory (1024 - 400) * 100 / 1024 = 60
        assertThat(scores(LEAST_ALLOCATED, aPod("p").scoredAs("100m cpu", "200Mi memory")))
                .containsExactly(entry("n", 30L));
    }

    @Test
    void aResourceTheNodeDoesNotHaveIsLeftOut() {
        node(aNode("n").with("0 cpu", "1Gi memory"));
        assertThat(scores(LEAST_ALLOCATED, aPod("p").scoredAs("100m cpu", "200Mi memory")))
                .containsExactly(entry("n", 80L));
    }

    /** Kubernetes 1.36 does not see spec.resources of the pod that comes when it scores, but of those that are there. */
    @Test
    void podLevelRequestsCountForLeastAllocatedOnlyOnceThePodIsPlaced() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        PodRequests podLevel = PodRequests.of(new PodResources(
                List.of(Container.requesting(Map.of())),
                List.of(),
                Map.of(ResourceName.CPU, Quantity.parse("2"), ResourceName.MEMORY, Quantity.parse("4Gi")),
                Map.of(),
                Optional.empty(),
                false));
        // As 100m and 200MiB: cpu 3900 * 100 / 4000 = 97, memory (8192 - 200) * 100 / 8192 = 97
        assertThat(scores(LEAST_ALLOCATED, requesting("p", podLevel))).containsExactly(entry("n", 97L));
        pod(requesting("there", podLevel).on("n"));
        // cpu (4000 - 2000 - 100) * 100 / 4000 = 47, memory (8192 - 4096 - 200) * 100 / 8192 = 47
        assertThat(scores(LEAST_ALLOCATED, requesting("p", podLevel))).containsExactly(entry("n", 47L));
    }

    /** The other score counts what is really requested: half of both is in balance. */
    @Test
    void balancedAllocationCountsPodLevelRequests() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        PodRequests podLevel = PodRequests.of(new PodResources(
                List.of(Container.requesting(Map.of())),
                List.of(),
                Map.of(ResourceName.CPU, Quantity.parse("2"), ResourceName.MEMORY, Quantity.parse("2Gi")),
                Map.of(),
                Optional.empty(),
                false));
        // (1 - (0.5 - 0.25) / 2) * 100 = 87, 50 + (50 + 87 - 100) / 2 = 68
        assertThat(scores(BALANCED_ALLOCATION, requesting("p", podLevel))).containsExactly(entry("n", 68L));
    }

    // BalancedAllocation: 75 when the pod changes nothing, up to 100 when it evens out, down to 50 when it tilts.

    @Test
    void aPodWithBalancedRequestsLeavesTheBalanceScoreAt75() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        assertThat(scores(BALANCED_ALLOCATION, aPod("p").asking("1 cpu", "2Gi memory")))
                .containsExactly(entry("n", 75L));
    }

    @Test
    void aPodThatUnbalancesANodeLowersItsScore() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        // (1 - (0.25 - 0.125) / 2) * 100 = 93, 50 + (50 + 93 - 100) / 2 = 71
        assertThat(scores(BALANCED_ALLOCATION, aPod("p").asking("1 cpu", "1Gi memory")))
                .containsExactly(entry("n", 71L));
    }

    @Test
    void aPodThatBalancesANodeRaisesItsScore() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        pod(aPod("there").asking("2 cpu").on("n"));
        // before (1 - 0.5 / 2) * 100 = 75, after 100: 50 + (50 + 100 - 75) / 2 = 87
        assertThat(scores(BALANCED_ALLOCATION, aPod("p").asking("4Gi memory"))).containsExactly(entry("n", 87L));
    }

    /** (1 - (0.8 - 0.1) / 2) * 100 is 64.99999999999999 to a computer, and Kubernetes cuts it to 64. */
    @Test
    void theBalanceScoreIsTruncatedWithDoublePrecision() {
        node(aNode("n").with("10 cpu", "10Gi memory"));
        pod(aPod("there").asking("1 cpu", "6Gi memory").on("n"));
        // before (1 - 0.5 / 2) * 100 = 75, after 64: 50 + (50 + 64 - 75) / 2 = 69, where 65 would make 70
        assertThat(scores(BALANCED_ALLOCATION, aPod("p").asking("2Gi memory"))).containsExactly(entry("n", 69L));
    }

    @Test
    void aPodWithoutRequestsGetsNoBalanceScore() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        assertThat(scores(BALANCED_ALLOCATION, aPod("p").scoredAs("100m cpu", "200Mi memory")))
                .containsExactly(entry("n", 0L));
    }

    /** Held resources count as used for all other pods; this is Berth's own rule. */
    @Test
    void resourcesOfAHoldCountAsUsed() {
        node(aNode("n").with("4 cpu", "8Gi memory"));
        ledger.put(aHold("h").on("n").keeping("1 cpu", "1Gi memory").build());
        assertThat(scores(LEAST_ALLOCATED, aPod("p").asking("500m cpu", "1Gi memory")))
                .containsExactly(entry("n", 68L));
    }

    // ImageLocality: from 23 MiB to 1000 MiB a container, each image less where few nodes have it.

    @Test
    void anImageThatFewNodesHaveScoresLess() {
        node(aNode("a").withImage("web:1", 500 * MIB));
        node(aNode("b").withImage("web:1", 500 * MIB));
        node(aNode("c"));
        // 500 MiB * 2 / 3 = 349525333 bytes; (349525333 - 24117248) * 100 / (1048576000 - 24117248) = 31
        assertThat(scores(IMAGE_LOCALITY, pulling("web:1")))
                .containsExactly(entry("a", 31L), entry("b", 31L), entry("c", 0L));
    }

    @Test
    void imagesOfAllContainersAreAddedUpAndTheBoundGrowsWithThem() {
        node(aNode("a").withImage("web:1", 500 * MIB));
        // (1000 - 23) * 100 / (2000 - 23) = 49
        assertThat(scores(IMAGE_LOCALITY, pulling("web:1", "web:1"))).containsExactly(entry("a", 49L));
        // (500 - 23) * 100 / (1000 - 23) = 48; (500 - 23) * 100 / (2000 - 23) = 24
        assertThat(scores(IMAGE_LOCALITY, pulling("web:1"))).containsExactly(entry("a", 48L));
        assertThat(scores(IMAGE_LOCALITY, pulling("web:1", "db:2"))).containsExactly(entry("a", 24L));
    }

    @Test
    void smallImagesDoNotCountAndHugeOnesNotBeyondTheBound() {
        node(aNode("a").withImage("small:1", 23 * MIB).withImage("huge:1", 3000 * MIB));
        assertThat(scores(IMAGE_LOCALITY, pulling("small:1"))).containsExactly(entry("a", 0L));
        assertThat(scores(IMAGE_LOCALITY, pulling("huge:1"))).containsExactly(entry("a", 100L));
    }

    // TaintToleration and NodeAffinity: in hundredths of the greatest among the nodes that take the pod.

    @Test
    void moreUntoleratedPreferNoScheduleTaintsLowerTheScore() {
        node(aNode("a"));
        node(withPreferNoScheduleTaints(aNode("b"), 1));
        node(withPreferNoScheduleTaints(aNode("c"), 2));
        node(withPreferNoScheduleTaints(aNode("d"), 3));
        assertThat(scores(TAINTS, aPod("p")))
                .containsExactly(entry("a", 100L), entry("b", 67L), entry("c", 34L), entry("d", 0L));
    }

    @Test
    void onlyNodesThatTakeThePodAreComparedByTheirTaints() {
        node(aNode("a").with("1 cpu"));
        node(withPreferNoScheduleTaints(aNode("b").with("1 cpu"), 1));
        node(withPreferNoScheduleTaints(aNode("c").with("1 cpu"), 2));
        node(withPreferNoScheduleTaints(aNode("full").with("500m cpu"), 3));
        assertThat(scores(TAINTS, aPod("p").asking("1 cpu")))
                .containsExactly(entry("a", 100L), entry("b", 50L), entry("c", 0L));
    }

    @Test
    void aTaintThatIsToleratedDoesNotCount() {
        node(aNode("a"));
        node(aNode("b").tainted("t0", "", Taint.TaintEffect.PREFER_NO_SCHEDULE));
        node(aNode("c").tainted("t1", "", Taint.TaintEffect.PREFER_NO_SCHEDULE));
        Toleration toleration =
                new Toleration("t0", Toleration.Operator.EXISTS, "", Optional.of(Taint.TaintEffect.PREFER_NO_SCHEDULE));
        assertThat(scores(TAINTS, aPod("p").withSpec(spec -> spec.tolerations(List.of(toleration)))))
                .containsExactly(entry("a", 100L), entry("b", 100L), entry("c", 0L));
    }

    @Test
    void preferencesAreAddedUpAndComparedWithTheGreatestSum() {
        node(aNode("a").labelled("disk", "ssd").labelled("arch", "arm"));
        node(aNode("b").labelled("disk", "ssd"));
        node(aNode("c").labelled("arch", "arm"));
        node(aNode("d"));
        // 60, 50, 10 and 0 of 60
        assertThat(scores(NODE_AFFINITY, preferring(Map.of("disk=ssd", 50, "arch=arm", 10))))
                .containsExactly(entry("a", 100L), entry("b", 83L), entry("c", 16L), entry("d", 0L));
    }

    @Test
    void preferencesThatNoNodeMatchesScoreZero() {
        node(aNode("a"));
        assertThat(scores(NODE_AFFINITY, preferring(Map.of("disk=ssd", 50)))).containsExactly(entry("a", 0L));
    }

    // PodTopologySpread by the system's defaults: pods on the host times ln(nodes + 2), plus 2, and pods in the zone
    // times
    // ln(zones + 2), plus 4, rounded; then 100 * (most + least - own) / most.

    @Test
    void podsOfAReplicaSetAreSpreadOverHostsAndZones() {
        threeNodesInTwoZones();
        web("1", "a");
        web("2", "a");
        web("3", "c");
        // a: 2 * 1.609 + 2 + 2 * 1.386 + 4 = 12, b: 2 + 2 * 1.386 + 4 = 9, c: 1.609 + 2 + 1.386 + 4 = 9
        assertThat(scores(SPREAD, aWeb("p"))).containsExactly(entry("a", 75L), entry("b", 100L), entry("c", 100L));
    }

    @Test
    void aNodeWithoutAZoneIsScoredByItsHostAlone() {
        threeNodesInTwoZones();
        node(aNode("d"));
        web("1", "a");
        web("2", "a");
        web("3", "c");
        web("4", "d");
        // ln 6 = 1.792 by host and ln 5 = 1.609 by zone: 12.8, 9.2, 9.4 and 3.8, so 13, 9, 9 and 4
        assertThat(scores(SPREAD, aWeb("p")))
                .containsExactly(entry("a", 30L), entry("b", 61L), entry("c", 61L), entry("d", 100L));
    }

    @Test
    void onlyNodesThatTakeThePodCountAsHostsAndZones() {
        node(aNode("a").with("4 cpu").inZone("z1"));
        node(aNode("b").with("4 cpu").inZone("z1"));
        node(aNode("full").with("1 cpu").inZone("z2"));
        ledger.put(replicaSet("web"));
        web("1", "a");
        web("2", "full");
        // hosts ln 4 = 1.386, zones ln 3 = 1.099. a: 1.386 + 2 + 1.099 + 4 = 8, b: 2 + 1.099 + 4 = 7
        assertThat(scores(SPREAD, aWeb("p").asking("2 cpu"))).containsExactly(entry("a", 87L), entry("b", 100L));
    }

    @Test
    void terminatingPodsAndPodsOfOtherNamespacesDoNotCountForSpread() {
        threeNodesInTwoZones();
        pod(aWeb("1").terminating().on("a"));
        pod(aPod("other/2")
                .uid("2")
                .labelled("app", "web")
                .ownedBy("ReplicaSet/web")
                .on("b"));
        // 6 everywhere: 100 * (6 + 6 - 6) / 6
        assertThat(scores(SPREAD, aWeb("p"))).containsExactly(entry("a", 100L), entry("b", 100L), entry("c", 100L));
    }

    @Test
    void aPodThatNothingSelectsIsNotSpread() {
        threeNodesInTwoZones();
        assertThat(scores(SPREAD, aPod("p").labelled("app", "web")))
                .containsExactly(entry("a", 0L), entry("b", 0L), entry("c", 0L));
    }

    @Test
    void aServiceSpreadsThePodsItSelectsWithAnyController() {
        threeNodesInTwoZones();
        ledger.put(new Workload(Workload.Kind.SERVICE, "default", "db", LabelSelector.of(Labels.of("app", "db"))));
        pod(aPod("1").labelled("app", "db").on("a"));
        // a: 1.609 + 2 + 1.386 + 4 = 9, b: 2 + 1.386 + 4 = 7, c: 2 + 4 = 6
        assertThat(scores(SPREAD, aPod("p").labelled("app", "db")))
                .containsExactly(entry("a", 66L), entry("b", 88L), entry("c", 100L));
    }

    @Test
    void theTotalIsTheSumOfAllScoresByTheirDefaultWeights() {
        node(aNode("a").with("4 cpu", "8Gi memory"));
        node(aNode("b")
                .with("4 cpu", "8Gi memory")
                .labelled("disk", "ssd")
                .tainted("old", "", Taint.TaintEffect.PREFER_NO_SCHEDULE));
        ledger.put(replicaSet("web"));
        pod(aWeb("there").asking("1 cpu", "1Gi memory").on("a"));
        PodBuilder pod = aWeb("p")
                .asking("1 cpu", "1Gi memory")
                .withSpec(spec -> spec.nodeAffinity(affinity(Map.of("disk=ssd", 10))));
        // a: least (50 + 75) / 2 = 62, balance 50 + (50 + 87 - 93) / 2 = 72, taints 3 * 100, liking 0, spread 3 of 3
        // and 2:
        // 2 * 66. b: least (75 + 87) / 2 = 81, balance 50 + (50 + 93 - 100) / 2 = 71, taints 0, liking 2 * 100, spread
        // 2 * 100
        assertThat(scores(ScoreWeights.DEFAULT, pod)).containsExactly(entry("a", 566L), entry("b", 552L));
        assertThat(new Placer(ledger, ScoreWeights.DEFAULT).place(pod.build()))
                .isInstanceOfSatisfying(Placement.Placed.class, placed -> {
                    assertThat(placed.nodeName()).isEqualTo("a");
                    assertThat(placed.score()).isEqualTo(566);
                });
    }

    private void node(NodeBuilder node) {
        ledger.put(node.build());
    }

    private void pod(PodBuilder pod) {
        ledger.put(pod.build());
    }

    private void threeNodesInTwoZones() {
        node(aNode("a").inZone("z1"));
        node(aNode("b").inZone("z1"));
        node(aNode("c").inZone("z2"));
        ledger.put(replicaSet("web"));
    }

    private static Workload replicaSet(String name) {
        return new Workload(Workload.Kind.REPLICA_SET, "default", name, LabelSelector.of(Labels.of("app", name)));
    }

    private static PodBuilder aWeb(String name) {
        return aPod(name).labelled("app", "web").ownedBy("ReplicaSet/web");
    }

    private void web(String name, String node) {
        pod(aWeb(name).on(node));
    }

    private static PodBuilder requesting(String name, PodRequests requests) {
        return aPod(name).withSpec(spec -> spec.requests(requests));
    }

    private static PodBuilder pulling(String... images) {
        return aPod("p").withSpec(spec -> spec.images(List.of(images)));
    }

    private static NodeBuilder withPreferNoScheduleTaints(NodeBuilder node, int taints) {
        for (int i = 0; i < taints; i++) {
            node.tainted("t" + i, "", Taint.TaintEffect.PREFER_NO_SCHEDULE);
        }
        return node;
    }

    private static PodBuilder preferring(Map<String, Integer> weights) {
        return aPod("p").withSpec(spec -> spec.nodeAffinity(affinity(weights)));
    }

    /** Preferences for labels such as {@code disk=ssd}. */
    private static NodeAffinity affinity(Map<String, Integer> weights) {
        List<NodeAffinity.PreferredSchedulingTerm> preferences = weights.entrySet().stream()
                .map(wish -> new NodeAffinity.PreferredSchedulingTerm(wish.getValue(), term(wish.getKey())))
                .toList();
        return new NodeAffinity(Labels.NONE, Optional.empty(), preferences);
    }

    private static NodeSelectorTerm term(String label) {
        int equals = label.indexOf('=');
        Requirement requirement = new Requirement(
                label.substring(0, equals), Requirement.Operator.IN, List.of(label.substring(equals + 1)));
        return new NodeSelectorTerm(List.of(requirement), List.of());
    }

    /** The totals of the feasible nodes by name; the fast path and the reference implementation must agree. */
    private Map<String, Long> scores(ScoreWeights weights, PodBuilder builder) {
        Pod pod = builder.build();
        List<NodeVerdict> fast = new Placer(ledger, weights).explain(pod, HoldUse.PREFERRED);
        assertThat(new ReferencePlacer(ledger, weights).explain(pod, HoldUse.PREFERRED))
                .isEqualTo(fast);
        Map<String, Long> scores = new TreeMap<>();
        fast.forEach(verdict -> verdict.score().ifPresent(score -> scores.put(verdict.node(), score)));
        return scores;
    }
}
