package dev.berth.core.placement;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What pods are to each other, with answers worked out by hand from what kube-scheduler 1.36 does. */
class AffinityAndSpreadExamplesTest {
    private static final String HOST = Node.HOSTNAME_LABEL;
    private static final String ZONE = Node.ZONE_LABEL;
    private static final String TAKES = "takes it";
    private static final String AFFINITY_NOT_MET = "node(s) didn't match pod affinity rules";
    private static final String ANTI_AFFINITY_NOT_MET = "node(s) didn't match pod anti-affinity rules";
    private static final String EXISTING_ANTI_AFFINITY = "node(s) didn't satisfy existing pods anti-affinity rules";
    private static final String SPREAD_NOT_MET = "node(s) didn't match pod topology spread constraints";
    private static final String TOPOLOGY_LABEL_MISSING = SPREAD_NOT_MET + " (missing required label)";
    private static final ScoreWeights AFFINITY_ONLY = new ScoreWeights(0, 0, 0, 0, 0, 0, 1);
    private static final ScoreWeights SPREAD_ONLY = new ScoreWeights(0, 0, 0, 0, 0, 1, 0);

    private final Ledger ledger = new Ledger();

    // Near and apart.

    @Test
    void requiredAffinityPlacesThePodInTheDomainOfTheMatchingPod() {
        twoZonesAndANodeWithout();
        there("db-0", "db", "a1");
        assertThat(verdicts(web("p").withSpec(near(term(ZONE, "db")))))
                .containsExactly(
                        entry("a1", TAKES),
                        entry("a2", TAKES),
                        entry("b1", AFFINITY_NOT_MET),
                        entry("x", AFFINITY_NOT_MET));
    }

    @Test
    void onePodMustMatchAllTermsTogether() {
        twoZonesAndANodeWithout();
        there("db-0", "db", "a1");
        there("cache-0", "cache", "a1");
        assertThat(verdicts(web("p").withSpec(near(term(ZONE, "db"), term(HOST, "cache")))))
                .containsValues(AFFINITY_NOT_MET)
                .doesNotContainValue(TAKES);
        ledger.put(aPod("both").labelled("app", "db").on("b1").build());
        assertThat(verdicts(web("p").withSpec(near(term(ZONE, "db"), term(HOST, "db")))))
                .containsExactly(
                        entry("a1", TAKES),
                        entry("a2", AFFINITY_NOT_MET),
                        entry("b1", TAKES),
                        entry("x", AFFINITY_NOT_MET));
    }

    /** Otherwise the first pod of a series with affinity to each other would wait forever. */
    @Test
    void theFirstPodThatMatchesItsOwnAffinityMayGoToAnyNodeWithTheTopologyLabel() {
        twoZonesAndANodeWithout();
        assertThat(verdicts(web("p").withSpec(near(term(ZONE, "web")))))
                .containsExactly(
                        entry("a1", TAKES), entry("a2", TAKES), entry("b1", TAKES), entry("x", AFFINITY_NOT_MET));
        assertThat(verdicts(aPod("p").labelled("app", "other").withSpec(near(term(ZONE, "web")))))
                .doesNotContainValue(TAKES);
        there("web-0", "web", "b1");
        assertThat(verdicts(web("p").withSpec(near(term(ZONE, "web")))))
                .containsExactly(
                        entry("a1", AFFINITY_NOT_MET),
                        entry("a2", AFFINITY_NOT_MET),
                        entry("b1", TAKES),
                        entry("x", AFFINITY_NOT_MET));
    }

    @Test
    void aTerminatingPodStillCountsForAffinity() {
        twoZonesAndANodeWithout();
        ledger.put(web("web-0").on("a1").terminating().build());
        assertThat(verdicts(web("p").withSpec(apart(term(ZONE, "web")))))
                .containsExactly(
                        entry("a1", ANTI_AFFINITY_NOT_MET),
                        entry("a2", ANTI_AFFINITY_NOT_MET),
                        entry("b1", TAKES),
                        entry("x", TAKES));
    }

    @Test
    void anAssumedPodCountsForAffinity() {
        twoZonesAndANodeWithout();
        ledger.put(web("web-0").build());
        ledger.assume(new PodUid("web-0"), new NodeUid("b1"), Optional.empty());
        assertThat(verdicts(web("p").withSpec(apart(term(HOST, "web"))))).containsEntry("b1", ANTI_AFFINITY_NOT_MET);
    }

    @Test
    void aHoldDoesNotCountForAffinity() {
        twoZonesAndANodeWithout();
        ledger.put(aHold("h").on("b1").keeping("1 cpu").forAllPods().build());
        assertThat(verdicts(web("p").asking("1 cpu").withSpec(near(term(ZONE, "db")))))
                .doesNotContainValue(TAKES);
    }

    @Test
    void aPodThatUsesAHoldObeysAffinityAndSpread() {
        twoZonesAndANodeWithout();
        ledger.put(aHold("h").on("a1").keeping("1 cpu").forAllPods().build());
        there("web-0", "web", "a2");
        Placement placement = place(web("p").asking("1 cpu").withSpec(apart(term(ZONE, "web"))));
        assertThat(placement).isInstanceOf(Placement.Placed.class);
        assertThat(((Placement.Placed) placement).hold()).isEmpty();
        assertThat(((Placement.Placed) placement).nodeName()).isIn("b1", "x");
    }

    @Test
    void withAntiAffinityByHostTheThirdPodFindsNoPlaceOnTwoNodes() {
        node(aNode("n1"));
        node(aNode("n2"));
        there("web-0", "web", "n1");
        there("web-1", "web", "n2");
        assertThat(refusal(web("p").withSpec(apart(term(HOST, "web")))))
                .isEqualTo("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.");
    }

    @Test
    void antiAffinityOfAnExistingPodKeepsTheIncomingPodAway() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("lonely").withSpec(apart(term(ZONE, "web"))).on("a1").build());
        assertThat(verdicts(web("p")))
                .containsExactly(
                        entry("a1", EXISTING_ANTI_AFFINITY),
                        entry("a2", EXISTING_ANTI_AFFINITY),
                        entry("b1", TAKES),
                        entry("x", TAKES));
        assertThat(verdicts(aPod("p").labelled("app", "db"))).containsEntry("a1", TAKES);
        ledger.removePod(new PodUid("lonely"));
        assertThat(verdicts(web("p"))).containsEntry("a1", TAKES);
    }

    @Test
    void theIncomingPodsOwnTermsAreReportedBeforeThoseOfExistingPods() {
        twoZonesAndANodeWithout();
        ledger.put(web("lonely").withSpec(apart(term(ZONE, "web"))).on("a1").build());
        assertThat(verdicts(web("p").withSpec(apart(term(ZONE, "web"))))).containsEntry("a2", ANTI_AFFINITY_NOT_MET);
        assertThat(verdicts(web("p").withSpec(near(term(ZONE, "db"))))).containsEntry("a2", AFFINITY_NOT_MET);
    }

    // Namespaces.

    @Test
    void aTermSelectsPodsOfItsOwnNamespaceUnlessItListsNamespaces() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("shop/web-0").labelled("app", "web").on("b1").build());
        assertThat(verdicts(web("p").withSpec(apart(term(HOST, "web"))))).containsEntry("b1", TAKES);
        PodAffinityTerm inShop = new PodAffinityTerm(HOST, app("web"), List.of("shop"), Optional.empty());
        assertThat(verdicts(web("p").withSpec(apart(inShop)))).containsEntry("b1", ANTI_AFFINITY_NOT_MET);
    }

    @Test
    void namespacesAreSelectedByTheirLabelsAsTheyAreNow() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("shop/web-0").labelled("app", "web").on("b1").build());
        PodAffinityTerm ofTeamX =
                new PodAffinityTerm(HOST, app("web"), List.of(), Optional.of(LabelSelector.of(Labels.of("team", "x"))));
        PodBuilder pod = web("p").withSpec(apart(ofTeamX));
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        assertThat(verdicts(placer, pod)).containsEntry("b1", TAKES);
        ledger.put(new Namespace("shop", Labels.of("team", "x")));
        assertThat(verdicts(placer, pod)).containsEntry("b1", ANTI_AFFINITY_NOT_MET);
        ledger.put(new Namespace("shop", Labels.of("team", "y")));
        assertThat(verdicts(placer, pod)).containsEntry("b1", TAKES);
    }

    @Test
    void anEmptySelectorOfNamespacesMeansAllOfThem() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("shop/web-0").labelled("app", "web").on("b1").build());
        PodAffinityTerm everywhere =
                new PodAffinityTerm(HOST, app("web"), List.of(), Optional.of(LabelSelector.EVERYTHING));
        assertThat(verdicts(web("p").withSpec(apart(everywhere)))).containsEntry("b1", ANTI_AFFINITY_NOT_MET);
    }

    @Test
    void aTermWithoutSelectorMatchesNoPodAndAnEmptySelectorMatchesAll() {
        twoZonesAndANodeWithout();
        there("db-0", "db", "b1");
        PodAffinityTerm nobody = new PodAffinityTerm(HOST, Optional.empty(), List.of(), Optional.empty());
        PodAffinityTerm everybody =
                new PodAffinityTerm(HOST, Optional.of(LabelSelector.EVERYTHING), List.of(), Optional.empty());
        assertThat(verdicts(web("p").withSpec(apart(nobody)))).containsEntry("b1", TAKES);
        assertThat(verdicts(web("p").withSpec(apart(everybody)))).containsEntry("b1", ANTI_AFFINITY_NOT_MET);
    }

    // Thinking pods away, as preemption does.

    @Test
    void withoutTheBlockingPodTheNodeWouldTakeTheIncomingPod() {
        twoZonesAndANodeWithout();
        there("web-0", "web", "b1");
        Pod pod = web("p").withSpec(apart(term(ZONE, "web"))).build();
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        NodeState full = ledger.node("b1").orElseThrow();
        assertThat(placer.vetoes(pod, full, HoldUse.PREFERRED))
                .extracting(Veto::code)
                .containsExactly(Veto.Code.POD_ANTI_AFFINITY);
        Ledger without = new Ledger();
        ledger.facts().nodes().forEach(without::put);
        NodeState empty = without.node("b1").orElseThrow();
        assertThat(empty.slot()).isEqualTo(full.slot());
        assertThat(placer.vetoes(pod, empty, HoldUse.PREFERRED)).isEmpty();
        assertThat(placer.vetoes(pod, full, HoldUse.PREFERRED)).isNotEmpty();
    }

    // Spread, as a demand.

    @Test
    void withPodCounts1101AndMaxSkew1OnlyTheEmptyNodeTakesAnother() {
        fourHosts();
        there("web-0", "web", "n0");
        there("web-1", "web", "n1");
        there("web-3", "web", "n3");
        assertThat(verdicts(web("p").withSpec(spread(requiredSpread(HOST, 1, 1)))))
                .containsExactly(
                        entry("n0", SPREAD_NOT_MET),
                        entry("n1", SPREAD_NOT_MET),
                        entry("n2", TAKES),
                        entry("n3", SPREAD_NOT_MET));
    }

    @Test
    void withPodCounts2001AndMaxSkew2OnlyTheFullestNodeRefuses() {
        fourHosts();
        there("web-0", "web", "n0");
        there("web-1", "web", "n0");
        there("web-3", "web", "n3");
        assertThat(verdicts(web("p").withSpec(spread(requiredSpread(HOST, 2, 1)))))
                .containsExactly(
                        entry("n0", SPREAD_NOT_MET), entry("n1", TAKES), entry("n2", TAKES), entry("n3", TAKES));
    }

    @Test
    void withFewerDomainsThanMinDomainsTheGlobalMinimumIsZero() {
        fourHosts();
        there("a", "web", "n0");
        there("b", "web", "n0");
        there("c", "web", "n1");
        there("d", "web", "n1");
        there("e", "web", "n2");
        there("f", "web", "n3");
        assertThat(verdicts(web("p").withSpec(spread(requiredSpread(HOST, 2, 4)))))
                .containsOnly(entry("n0", TAKES), entry("n1", TAKES), entry("n2", TAKES), entry("n3", TAKES));
        assertThat(verdicts(web("p").withSpec(spread(requiredSpread(HOST, 2, 5)))))
                .containsExactly(
                        entry("n0", SPREAD_NOT_MET),
                        entry("n1", SPREAD_NOT_MET),
                        entry("n2", TAKES),
                        entry("n3", TAKES));
    }

    @Test
    void aNodeWithoutTheTopologyLabelRefusesAndNamesTheMissingLabel() {
        twoZonesAndANodeWithout();
        assertThat(refusal(web("p").asking("9 cpu").withSpec(spread(requiredSpread(ZONE, 1, 1)))))
                .isEqualTo("0/4 nodes are available: 4 Insufficient cpu.");
        assertThat(verdicts(web("p").withSpec(spread(requiredSpread(ZONE, 1, 1)))))
                .containsEntry("x", TOPOLOGY_LABEL_MISSING);
    }

    @Test
    void terminatingPodsAndPodsOfOtherNamespacesDoNotCountForSpread() {
        fourHosts();
        ledger.put(web("old").on("n0").terminating().build());
        ledger.put(aPod("shop/web").labelled("app", "web").on("n1").build());
        assertThat(verdicts(web("p").withSpec(spread(requiredSpread(HOST, 1, 1)))))
                .doesNotContainValue(SPREAD_NOT_MET);
    }

    @Test
    void taintedNodesCountForSpreadUnlessNodeTaintsPolicyIsHonor() {
        fourHosts();
        node(aNode("n0").tainted("t", "", Taint.TaintEffect.NO_SCHEDULE));
        there("web-1", "web", "n1");
        there("web-2", "web", "n2");
        there("web-3", "web", "n3");
        TopologySpreadConstraint ignoring = requiredSpread(HOST, 1, 1);
        TopologySpreadConstraint heeding = new TopologySpreadConstraint(
                HOST, app("web"), true, 1, 1, new TopologySpreadConstraint.NodeInclusionPolicy(true, true), List.of());
        assertThat(verdicts(web("p").withSpec(spread(ignoring)))).doesNotContainValue(TAKES);
        assertThat(verdicts(web("p").withSpec(spread(heeding))))
                .containsEntry("n1", TAKES)
                .containsEntry("n0", "node(s) had untolerated taint(s)");
    }

    @Test
    void onlyPodsWithTheSameValueOfALabelAreSpreadTogether() {
        fourHosts();
        ledger.put(web("old").labelled("hash", "1").on("n0").build());
        ledger.put(web("new").labelled("hash", "2").on("n1").build());
        TopologySpreadConstraint byHash = new TopologySpreadConstraint(
                HOST,
                app("web"),
                true,
                1,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of("hash", "none"));
        assertThat(verdicts(web("p").labelled("hash", "2").withSpec(spread(byHash))))
                .containsExactly(
                        entry("n0", TAKES), entry("n1", SPREAD_NOT_MET), entry("n2", TAKES), entry("n3", TAKES));
    }

    /** Kubernetes counts no pods for an empty selector, but the pod itself counts. */
    @Test
    void anEmptySpreadSelectorCountsNoPods() {
        fourHosts();
        there("web-0", "web", "n0");
        there("web-1", "web", "n0");
        TopologySpreadConstraint empty = new TopologySpreadConstraint(
                HOST,
                Optional.of(LabelSelector.EVERYTHING),
                true,
                1,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
        assertThat(verdicts(web("p").withSpec(spread(empty)))).containsEntry("n0", TAKES);
    }

    // Likes: from the least sum of weights to the greatest.

    @Test
    void eachMatchingPodCountsWithTheWeightOfThePreferredTerm() {
        threeZones();
        assertThat(scores(AFFINITY_ONLY, aPod("p").withSpec(wish(10, term(ZONE, "web")))))
                .containsExactly(entry("a", 100L), entry("b", 50L), entry("c", 0L));
        assertThat(scores(AFFINITY_ONLY, aPod("p").withSpec(wish(-10, term(ZONE, "web")))))
                .containsExactly(entry("a", 0L), entry("b", 50L), entry("c", 100L));
    }

    /** Seven for the wish on a, one for the demand on b: 100 * 1 / 7 = 14. */
    @Test
    void termsOfExistingPodsThatMatchTheIncomingPodCountInTheScore() {
        node(aNode("a"));
        node(aNode("b"));
        node(aNode("c"));
        ledger.put(aPod("fan").withSpec(wish(7, term(HOST, "web"))).on("a").build());
        ledger.put(aPod("friend").withSpec(near(term(HOST, "web"))).on("b").build());
        assertThat(scores(AFFINITY_ONLY, web("p"))).containsExactly(entry("a", 100L), entry("b", 14L), entry("c", 0L));
        assertThat(scores(AFFINITY_ONLY, aPod("p").labelled("app", "db")))
                .containsExactly(entry("a", 0L), entry("b", 0L), entry("c", 0L));
    }

    // Spread, as a wish: pods * ln(domains + 2) + skew - 1, rounded; 100 * (most + least - raw) / most.

    /** ln 5 = 1.609: 5, 2 and 0. */
    @Test
    void aZoneWithFewerMatchingPodsScoresHigher() {
        threeZones();
        there("web-9", "web", "a");
        assertThat(scores(SPREAD_ONLY, web("p").withSpec(spread(preferredSpread(ZONE, 1)))))
                .containsExactly(entry("a", 0L), entry("b", 60L), entry("c", 100L));
    }

    /** 3 * 1.609 + 1 = 6, 1.609 + 1 = 3 and 1: 100 * (6 + 1 - 6) / 6 = 16, 66 and 100. */
    @Test
    void aLargerMaxSkewLessensTheScoreDifference() {
        threeZones();
        there("web-9", "web", "a");
        assertThat(scores(SPREAD_ONLY, web("p").withSpec(spread(preferredSpread(HOST, 2)))))
                .containsExactly(entry("a", 16L), entry("b", 66L), entry("c", 100L));
    }

    /** Only two nodes are scored: ln 4 = 1.386, 4 and 1. */
    @Test
    void aNodeWithoutTheTopologyLabelScoresZeroAndDoesNotCount() {
        node(aNode("a").inZone("a"));
        node(aNode("b").inZone("b"));
        node(aNode("x"));
        there("web-0", "web", "a");
        there("web-1", "web", "a");
        there("web-2", "web", "a");
        there("web-3", "web", "b");
        assertThat(scores(SPREAD_ONLY, web("p").withSpec(spread(preferredSpread(ZONE, 1)))))
                .containsExactly(entry("a", 25L), entry("b", 100L), entry("x", 0L));
    }

    // What nodes have declared.

    @Test
    void aNodeMustHaveDeclaredWhatThePodNeeds() {
        node(aNode("n1"));
        Node able = aNode("n2").with("4 cpu").build();
        ledger.put(new Node(
                able.uid(),
                able.name(),
                able.labels(),
                able.annotations(),
                able.allocatable(),
                false,
                List.of(),
                List.of(),
                Optional.empty(),
                List.of("SomethingElse", "RestartAllContainersOnContainerExits")));
        PodBuilder pod =
                aPod("p").withSpec(spec -> spec.requiredFeatures(List.of("RestartAllContainersOnContainerExits")));
        assertThat(verdicts(pod))
                .containsExactly(entry("n1", "node(s) didn't match Pod's required features"), entry("n2", TAKES));
    }

    private void node(NodeBuilder node) {
        ledger.put(node.with("4 cpu", "8Gi memory", "110 pods").build());
    }

    private void twoZonesAndANodeWithout() {
        node(aNode("a1").inZone("a"));
        node(aNode("a2").inZone("a"));
        node(aNode("b1").inZone("b"));
        node(aNode("x"));
    }

    private void fourHosts() {
        for (int i = 0; i < 4; i++) {
            node(aNode("n" + i));
        }
    }

    /** Two pods of web in zone a, one in b, none in c. */
    private void threeZones() {
        for (String zone : List.of("a", "b", "c")) {
            node(aNode(zone).inZone(zone));
        }
        there("web-0", "web", "a");
        there("web-1", "web", "a");
        there("web-2", "web", "b");
    }

    private void there(String name, String app, String node) {
        ledger.put(aPod(name).labelled("app", app).on(node).build());
    }

    private static PodBuilder web(String name) {
        return aPod(name).labelled("app", "web");
    }

    private static Optional<LabelSelector> app(String name) {
        return Optional.of(LabelSelector.of(Labels.of("app", name)));
    }

    private static PodAffinityTerm term(String key, String app) {
        return PodAffinityTerm.of(key, LabelSelector.of(Labels.of("app", app)));
    }

    private static TopologySpreadConstraint requiredSpread(String key, int maxSkew, int minDomains) {
        return new TopologySpreadConstraint(
                key,
                app("web"),
                true,
                maxSkew,
                minDomains,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
    }

    private static TopologySpreadConstraint preferredSpread(String key, int maxSkew) {
        return new TopologySpreadConstraint(
                key, app("web"), false, maxSkew, 1, TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT, List.of());
    }

    private static UnaryOperator<PodSpec.Builder> near(PodAffinityTerm... terms) {
        return spec -> spec.podAffinity(new PodAffinity(List.of(terms), List.of(), List.of()));
    }

    private static UnaryOperator<PodSpec.Builder> apart(PodAffinityTerm... terms) {
        return spec -> spec.podAffinity(new PodAffinity(List.of(), List.of(terms), List.of()));
    }

    private static UnaryOperator<PodSpec.Builder> wish(int weight, PodAffinityTerm term) {
        return spec -> spec.podAffinity(
                new PodAffinity(List.of(), List.of(), List.of(new PodAffinity.WeightedPodAffinityTerm(weight, term))));
    }

    private static UnaryOperator<PodSpec.Builder> spread(TopologySpreadConstraint... constraints) {
        return spec -> spec.topologySpreadConstraints(List.of(constraints));
    }

    private Placement place(PodBuilder builder) {
        Pod pod = builder.build();
        Placement fast = new Placer(ledger, ScoreWeights.DEFAULT).place(pod);
        assertThat(new ReferencePlacer(ledger, ScoreWeights.DEFAULT).place(pod, HoldUse.PREFERRED))
                .isEqualTo(fast);
        return fast;
    }

    private String refusal(PodBuilder builder) {
        return ((Placement.Refused) place(builder)).fitErrorMessage();
    }

    private Map<String, String> verdicts(PodBuilder builder) {
        return verdicts(new Placer(ledger, ScoreWeights.DEFAULT), builder);
    }

    /** What each node says, by name. */
    private Map<String, String> verdicts(Placer placer, PodBuilder builder) {
        Map<String, String> verdicts = new TreeMap<>();
        for (NodeVerdict verdict : explained(placer, ScoreWeights.DEFAULT, builder.build())) {
            verdicts.put(
                    verdict.node(),
                    verdict.vetoes().isEmpty() ? TAKES : verdict.vetoes().get(0).message());
        }
        return verdicts;
    }

    private Map<String, Long> scores(ScoreWeights weights, PodBuilder builder) {
        Map<String, Long> scores = new TreeMap<>();
        explained(new Placer(ledger, weights), weights, builder.build())
                .forEach(verdict -> verdict.score().ifPresent(score -> scores.put(verdict.node(), score)));
        return scores;
    }

    /** The fast path and the reference implementation must agree. */
    private List<NodeVerdict> explained(Placer placer, ScoreWeights weights, Pod pod) {
        List<NodeVerdict> fast = placer.explain(pod, HoldUse.PREFERRED);
        assertThat(new ReferencePlacer(ledger, weights).explain(pod, HoldUse.PREFERRED))
                .isEqualTo(fast);
        return fast;
    }
}
