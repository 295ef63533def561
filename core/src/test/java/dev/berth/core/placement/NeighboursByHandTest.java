package dev.berth.core.placement;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.twin.SlowPlacement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What pods are to each other, with answers worked out by hand from what kube-scheduler 1.36 does. */
class NeighboursByHandTest {
    private static final String HOST = Node.HOSTNAME_LABEL;
    private static final String ZONE = Node.ZONE_LABEL;
    private static final String TAKES = "takes it";
    private static final String NOT_NEAR = "node(s) didn't match pod affinity rules";
    private static final String TOO_NEAR = "node(s) didn't match pod anti-affinity rules";
    private static final String UNWANTED = "node(s) didn't satisfy existing pods anti-affinity rules";
    private static final String UNEVEN = "node(s) didn't match pod topology spread constraints";
    private static final String NO_LABEL = UNEVEN + " (missing required label)";
    private static final ScoreWeights LIKING = new ScoreWeights(0, 0, 0, 0, 0, 0, 1);
    private static final ScoreWeights EVENNESS = new ScoreWeights(0, 0, 0, 0, 0, 1, 0);

    private final Ledger ledger = new Ledger();

    // Near and apart.

    @Test
    void aPodGoesWhereThePodIsThatItMustBeNearTo() {
        twoZonesAndANodeWithout();
        there("db-0", "db", "a1");
        assertThat(verdicts(web("p").shaped(near(term(ZONE, "db")))))
                .containsExactly(entry("a1", TAKES), entry("a2", TAKES), entry("b1", NOT_NEAR), entry("x", NOT_NEAR));
    }

    @Test
    void onePodMustMatchAllTermsTogether() {
        twoZonesAndANodeWithout();
        there("db-0", "db", "a1");
        there("cache-0", "cache", "a1");
        assertThat(verdicts(web("p").shaped(near(term(ZONE, "db"), term(HOST, "cache")))))
                .containsValues(NOT_NEAR)
                .doesNotContainValue(TAKES);
        ledger.put(aPod("both").labelled("app", "db").on("b1").build());
        assertThat(verdicts(web("p").shaped(near(term(ZONE, "db"), term(HOST, "db")))))
                .containsExactly(entry("a1", TAKES), entry("a2", NOT_NEAR), entry("b1", TAKES), entry("x", NOT_NEAR));
    }

    /** Else the first of a series that want to be near each other would wait for ever. */
    @Test
    void theFirstOfASeriesMayStartAnywhereWithTheLabel() {
        twoZonesAndANodeWithout();
        assertThat(verdicts(web("p").shaped(near(term(ZONE, "web")))))
                .containsExactly(entry("a1", TAKES), entry("a2", TAKES), entry("b1", TAKES), entry("x", NOT_NEAR));
        assertThat(verdicts(aPod("p").labelled("app", "other").shaped(near(term(ZONE, "web")))))
                .doesNotContainValue(TAKES);
        there("web-0", "web", "b1");
        assertThat(verdicts(web("p").shaped(near(term(ZONE, "web")))))
                .containsExactly(
                        entry("a1", NOT_NEAR), entry("a2", NOT_NEAR), entry("b1", TAKES), entry("x", NOT_NEAR));
    }

    @Test
    void aPodThatIsOnItsWayOutIsStillANeighbour() {
        twoZonesAndANodeWithout();
        ledger.put(web("web-0").on("a1").terminating().build());
        assertThat(verdicts(web("p").shaped(apart(term(ZONE, "web")))))
                .containsExactly(entry("a1", TOO_NEAR), entry("a2", TOO_NEAR), entry("b1", TAKES), entry("x", TAKES));
    }

    @Test
    void anAssumedPodIsANeighbour() {
        twoZonesAndANodeWithout();
        ledger.put(web("web-0").build());
        ledger.assume(new PodUid("web-0"), new NodeUid("b1"), Optional.empty());
        assertThat(verdicts(web("p").shaped(apart(term(HOST, "web"))))).containsEntry("b1", TOO_NEAR);
    }

    @Test
    void aHoldIsNobodysNeighbour() {
        twoZonesAndANodeWithout();
        ledger.put(aHold("h").on("b1").keeping("1 cpu").forEverybody().build());
        assertThat(verdicts(web("p").asking("1 cpu").shaped(near(term(ZONE, "db")))))
                .doesNotContainValue(TAKES);
    }

    @Test
    void aPodWithAHoldObeysTheSameRules() {
        twoZonesAndANodeWithout();
        ledger.put(aHold("h").on("a1").keeping("1 cpu").forEverybody().build());
        there("web-0", "web", "a2");
        Placement placement = place(web("p").asking("1 cpu").shaped(apart(term(ZONE, "web"))));
        assertThat(placement).isInstanceOf(Placement.Placed.class);
        assertThat(((Placement.Placed) placement).hold()).isEmpty();
        assertThat(((Placement.Placed) placement).nodeName()).isIn("b1", "x");
    }

    @Test
    void wherePodsMustBeApartTheThirdFindsNoPlaceOnTwoNodes() {
        node(aNode("n1"));
        node(aNode("n2"));
        there("web-0", "web", "n1");
        there("web-1", "web", "n2");
        assertThat(refusal(web("p").shaped(apart(term(HOST, "web")))))
                .isEqualTo("0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.");
    }

    @Test
    void aPodIsKeptAwayFromThoseWhoDoNotSufferIt() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("lonely").shaped(apart(term(ZONE, "web"))).on("a1").build());
        assertThat(verdicts(web("p")))
                .containsExactly(entry("a1", UNWANTED), entry("a2", UNWANTED), entry("b1", TAKES), entry("x", TAKES));
        assertThat(verdicts(aPod("p").labelled("app", "db"))).containsEntry("a1", TAKES);
        ledger.removePod(new PodUid("lonely"));
        assertThat(verdicts(web("p"))).containsEntry("a1", TAKES);
    }

    @Test
    void ownRulesSpeakBeforeThoseOfOthers() {
        twoZonesAndANodeWithout();
        ledger.put(web("lonely").shaped(apart(term(ZONE, "web"))).on("a1").build());
        assertThat(verdicts(web("p").shaped(apart(term(ZONE, "web"))))).containsEntry("a2", TOO_NEAR);
        assertThat(verdicts(web("p").shaped(near(term(ZONE, "db"))))).containsEntry("a2", NOT_NEAR);
    }

    // Namespaces.

    @Test
    void aTermSpeaksOfItsOwnNamespaceUnlessItNamesOthers() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("shop/web-0").labelled("app", "web").on("b1").build());
        assertThat(verdicts(web("p").shaped(apart(term(HOST, "web"))))).containsEntry("b1", TAKES);
        PodTerm inShop = new PodTerm(HOST, app("web"), List.of("shop"), Optional.empty());
        assertThat(verdicts(web("p").shaped(apart(inShop)))).containsEntry("b1", TOO_NEAR);
    }

    @Test
    void namespacesAreSelectedByTheirLabelsAsTheyAreNow() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("shop/web-0").labelled("app", "web").on("b1").build());
        PodTerm ofTeamX =
                new PodTerm(HOST, app("web"), List.of(), Optional.of(LabelSelector.of(Labels.of("team", "x"))));
        PodBuilder pod = web("p").shaped(apart(ofTeamX));
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        assertThat(verdicts(placer, pod)).containsEntry("b1", TAKES);
        ledger.put(new Namespace("shop", Labels.of("team", "x")));
        assertThat(verdicts(placer, pod)).containsEntry("b1", TOO_NEAR);
        ledger.put(new Namespace("shop", Labels.of("team", "y")));
        assertThat(verdicts(placer, pod)).containsEntry("b1", TAKES);
    }

    @Test
    void anEmptySelectorOfNamespacesMeansAllOfThem() {
        twoZonesAndANodeWithout();
        ledger.put(aPod("shop/web-0").labelled("app", "web").on("b1").build());
        PodTerm everywhere = new PodTerm(HOST, app("web"), List.of(), Optional.of(LabelSelector.EVERYTHING));
        assertThat(verdicts(web("p").shaped(apart(everywhere)))).containsEntry("b1", TOO_NEAR);
    }

    @Test
    void aTermWithoutSelectorSpeaksOfNobodyAndAnEmptyOneOfEverybody() {
        twoZonesAndANodeWithout();
        there("db-0", "db", "b1");
        PodTerm nobody = new PodTerm(HOST, Optional.empty(), List.of(), Optional.empty());
        PodTerm everybody = new PodTerm(HOST, Optional.of(LabelSelector.EVERYTHING), List.of(), Optional.empty());
        assertThat(verdicts(web("p").shaped(apart(nobody)))).containsEntry("b1", TAKES);
        assertThat(verdicts(web("p").shaped(apart(everybody)))).containsEntry("b1", TOO_NEAR);
    }

    // Thinking pods away, as preemption does.

    @Test
    void aNodeWithoutThePodInTheWayWouldTakeTheOther() {
        twoZonesAndANodeWithout();
        there("web-0", "web", "b1");
        Pod pod = web("p").shaped(apart(term(ZONE, "web"))).build();
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
    void onAClusterOfOneOneNoneOneOnlyTheEmptyNodeTakesOneMore() {
        fourHosts();
        there("web-0", "web", "n0");
        there("web-1", "web", "n1");
        there("web-3", "web", "n3");
        assertThat(verdicts(web("p").shaped(spread(demand(HOST, 1, 1)))))
                .containsExactly(entry("n0", UNEVEN), entry("n1", UNEVEN), entry("n2", TAKES), entry("n3", UNEVEN));
    }

    @Test
    void onAClusterOfTwoNoneNoneOneASkewOfTwoLeavesOutTheFullest() {
        fourHosts();
        there("web-0", "web", "n0");
        there("web-1", "web", "n0");
        there("web-3", "web", "n3");
        assertThat(verdicts(web("p").shaped(spread(demand(HOST, 2, 1)))))
                .containsExactly(entry("n0", UNEVEN), entry("n1", TAKES), entry("n2", TAKES), entry("n3", TAKES));
    }

    @Test
    void withFewerDomainsThanAskedForTheFewestCountsAsNone() {
        fourHosts();
        there("a", "web", "n0");
        there("b", "web", "n0");
        there("c", "web", "n1");
        there("d", "web", "n1");
        there("e", "web", "n2");
        there("f", "web", "n3");
        assertThat(verdicts(web("p").shaped(spread(demand(HOST, 2, 4)))))
                .containsOnly(entry("n0", TAKES), entry("n1", TAKES), entry("n2", TAKES), entry("n3", TAKES));
        assertThat(verdicts(web("p").shaped(spread(demand(HOST, 2, 5)))))
                .containsExactly(entry("n0", UNEVEN), entry("n1", UNEVEN), entry("n2", TAKES), entry("n3", TAKES));
    }

    @Test
    void aNodeWithoutTheLabelIsNoPlaceAndSaysWhy() {
        twoZonesAndANodeWithout();
        assertThat(refusal(web("p").asking("9 cpu").shaped(spread(demand(ZONE, 1, 1)))))
                .isEqualTo("0/4 nodes are available: 4 Insufficient cpu.");
        assertThat(verdicts(web("p").shaped(spread(demand(ZONE, 1, 1))))).containsEntry("x", NO_LABEL);
    }

    @Test
    void podsOnTheirWayOutAndOfOtherNamespacesAreNotSpread() {
        fourHosts();
        ledger.put(web("old").on("n0").terminating().build());
        ledger.put(aPod("shop/web").labelled("app", "web").on("n1").build());
        assertThat(verdicts(web("p").shaped(spread(demand(HOST, 1, 1))))).doesNotContainValue(UNEVEN);
    }

    @Test
    void taintedNodesCountUnlessTheConstraintHeedsTaints() {
        fourHosts();
        node(aNode("n0").tainted("t", "", Taint.Effect.NO_SCHEDULE));
        there("web-1", "web", "n1");
        there("web-2", "web", "n2");
        there("web-3", "web", "n3");
        SpreadConstraint ignoring = demand(HOST, 1, 1);
        SpreadConstraint heeding =
                new SpreadConstraint(HOST, app("web"), true, 1, 1, new SpreadConstraint.Heed(true, true), List.of());
        assertThat(verdicts(web("p").shaped(spread(ignoring)))).doesNotContainValue(TAKES);
        assertThat(verdicts(web("p").shaped(spread(heeding))))
                .containsEntry("n1", TAKES)
                .containsEntry("n0", "node(s) had untolerated taint(s)");
    }

    @Test
    void onlyPodsWithTheSameValueOfALabelAreSpreadTogether() {
        fourHosts();
        ledger.put(web("old").labelled("hash", "1").on("n0").build());
        ledger.put(web("new").labelled("hash", "2").on("n1").build());
        SpreadConstraint byHash = new SpreadConstraint(
                HOST, app("web"), true, 1, 1, SpreadConstraint.Heed.USUAL, List.of("hash", "none"));
        assertThat(verdicts(web("p").labelled("hash", "2").shaped(spread(byHash))))
                .containsExactly(entry("n0", TAKES), entry("n1", UNEVEN), entry("n2", TAKES), entry("n3", TAKES));
    }

    /** Kubernetes counts nobody by a selector that demands nothing, and yet the pod itself counts. */
    @Test
    void aSelectorThatDemandsNothingCountsNobody() {
        fourHosts();
        there("web-0", "web", "n0");
        there("web-1", "web", "n0");
        SpreadConstraint empty = new SpreadConstraint(
                HOST, Optional.of(LabelSelector.EVERYTHING), true, 1, 1, SpreadConstraint.Heed.USUAL, List.of());
        assertThat(verdicts(web("p").shaped(spread(empty)))).containsEntry("n0", TAKES);
    }

    // Likes: from the least sum of weights to the greatest.

    @Test
    void eachPodNearCountsWithTheWeightOfTheWish() {
        threeZones();
        assertThat(scores(LIKING, aPod("p").shaped(wish(10, term(ZONE, "web")))))
                .containsExactly(entry("a", 100L), entry("b", 50L), entry("c", 0L));
        assertThat(scores(LIKING, aPod("p").shaped(wish(-10, term(ZONE, "web")))))
                .containsExactly(entry("a", 0L), entry("b", 50L), entry("c", 100L));
    }

    /** Seven for the wish on a, one for the demand on b: 100 * 1 / 7 = 14. */
    @Test
    void whatOthersWishAndDemandOfThePodCountsToo() {
        node(aNode("a"));
        node(aNode("b"));
        node(aNode("c"));
        ledger.put(aPod("fan").shaped(wish(7, term(HOST, "web"))).on("a").build());
        ledger.put(aPod("friend").shaped(near(term(HOST, "web"))).on("b").build());
        assertThat(scores(LIKING, web("p"))).containsExactly(entry("a", 100L), entry("b", 14L), entry("c", 0L));
        assertThat(scores(LIKING, aPod("p").labelled("app", "db")))
                .containsExactly(entry("a", 0L), entry("b", 0L), entry("c", 0L));
    }

    // Spread, as a wish: pods * ln(domains + 2) + skew - 1, rounded; 100 * (most + least - raw) / most.

    /** ln 5 = 1.609: 5, 2 and 0. */
    @Test
    void theFewerAreInTheZoneTheBetter() {
        threeZones();
        there("web-9", "web", "a");
        assertThat(scores(EVENNESS, web("p").shaped(spread(hope(ZONE, 1)))))
                .containsExactly(entry("a", 0L), entry("b", 60L), entry("c", 100L));
    }

    /** 3 * 1.609 + 1 = 6, 1.609 + 1 = 3 and 1: 100 * (6 + 1 - 6) / 6 = 16, 66 and 100. */
    @Test
    void theSkewLessensTheDifference() {
        threeZones();
        there("web-9", "web", "a");
        assertThat(scores(EVENNESS, web("p").shaped(spread(hope(HOST, 2)))))
                .containsExactly(entry("a", 16L), entry("b", 66L), entry("c", 100L));
    }

    /** Only two nodes are judged: ln 4 = 1.386, 4 and 1. */
    @Test
    void aNodeWithoutTheLabelGetsNothingAndDoesNotCount() {
        node(aNode("a").inZone("a"));
        node(aNode("b").inZone("b"));
        node(aNode("x"));
        there("web-0", "web", "a");
        there("web-1", "web", "a");
        there("web-2", "web", "a");
        there("web-3", "web", "b");
        assertThat(scores(EVENNESS, web("p").shaped(spread(hope(ZONE, 1)))))
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
        PodBuilder pod = aPod("p").shaped(shape -> shape.features(List.of("RestartAllContainersOnContainerExits")));
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

    private static PodTerm term(String key, String app) {
        return PodTerm.of(key, LabelSelector.of(Labels.of("app", app)));
    }

    private static SpreadConstraint demand(String key, int maxSkew, int minDomains) {
        return new SpreadConstraint(key, app("web"), true, maxSkew, minDomains, SpreadConstraint.Heed.USUAL, List.of());
    }

    private static SpreadConstraint hope(String key, int maxSkew) {
        return new SpreadConstraint(key, app("web"), false, maxSkew, 1, SpreadConstraint.Heed.USUAL, List.of());
    }

    private static UnaryOperator<PodShape.Builder> near(PodTerm... terms) {
        return shape -> shape.podAffinity(new PodAffinity(List.of(terms), List.of(), List.of()));
    }

    private static UnaryOperator<PodShape.Builder> apart(PodTerm... terms) {
        return shape -> shape.podAffinity(new PodAffinity(List.of(), List.of(terms), List.of()));
    }

    private static UnaryOperator<PodShape.Builder> wish(int weight, PodTerm term) {
        return shape -> shape.podAffinity(
                new PodAffinity(List.of(), List.of(), List.of(new PodAffinity.Preference(weight, term))));
    }

    private static UnaryOperator<PodShape.Builder> spread(SpreadConstraint... constraints) {
        return shape -> shape.spread(List.of(constraints));
    }

    private Placement place(PodBuilder builder) {
        Pod pod = builder.build();
        Placement fast = new Placer(ledger, ScoreWeights.DEFAULT).place(pod);
        assertThat(new SlowPlacement(ledger, ScoreWeights.DEFAULT).place(pod, HoldUse.PREFERRED))
                .isEqualTo(fast);
        return fast;
    }

    private String refusal(PodBuilder builder) {
        return ((Placement.Refused) place(builder)).summary();
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
                    verdict.vetoes().isEmpty() ? TAKES : verdict.vetoes().get(0).words());
        }
        return verdicts;
    }

    private Map<String, Long> scores(ScoreWeights weights, PodBuilder builder) {
        Map<String, Long> scores = new TreeMap<>();
        explained(new Placer(ledger, weights), weights, builder.build())
                .forEach(verdict -> verdict.score().ifPresent(score -> scores.put(verdict.node(), score)));
        return scores;
    }

    /** The fast path and the twin must agree. */
    private List<NodeVerdict> explained(Placer placer, ScoreWeights weights, Pod pod) {
        List<NodeVerdict> fast = placer.explain(pod, HoldUse.PREFERRED);
        assertThat(new SlowPlacement(ledger, weights).explain(pod, HoldUse.PREFERRED))
                .isEqualTo(fast);
        return fast;
    }
}
