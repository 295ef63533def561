package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.InterPodAffinityArgs;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.ResourceWeight;
import dev.berth.core.placement.profile.SpreadDefaults;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.score.ScoringStrategy;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio.UtilizationShapePoint;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pods of different schedulers' names in one cluster, each placed in its own profile. */
class ProfileExamplesTest {
    private static final ScoreWeights FIT_ALONE = new ScoreWeights(1, 0, 0, 0, 0, 0, 0);
    private static final Profile PACKING = Profile.DEFAULT
            .withWeights(FIT_ALONE)
            .withResourceScoring(ResourceScoring.DEFAULT.withFit(
                    new ScoringStrategy.MostAllocated(), ResourceScoring.DEFAULT.fitResources()));

    private final Ledger ledger = new Ledger();

    @Test
    void aProfileWithMostAllocatedPacksPodsThatTheDefaultProfileSpreads() {
        ledger.put(aNode("full").with("4 cpu", "8Gi memory").build());
        ledger.put(aNode("empty").with("4 cpu", "8Gi memory").build());
        ledger.put(aPod("there").asking("2 cpu", "4Gi memory").on("full").build());
        Placer placer = placer(Map.of("packing", PACKING, "usual", Profile.DEFAULT));
        for (int i = 0; i < 3; i++) {
            assertThat(placed(placer, of("packing", "p" + i).asking("1 cpu", "1Gi memory")))
                    .isEqualTo("full");
            assertThat(placed(placer, of("usual", "u" + i).asking("1 cpu", "1Gi memory")))
                    .isEqualTo("empty");
            assertThat(placed(placer, of("stranger", "s" + i).asking("1 cpu", "1Gi memory")))
                    .isEqualTo("empty");
        }
    }

    @Test
    void mostAllocatedCountsEachResourceByItsWeight() {
        ledger.put(aNode("n").with("4 cpu", "8Gi memory").build());
        Profile weighed = PACKING.withResourceScoring(ResourceScoring.DEFAULT.withFit(
                new ScoringStrategy.MostAllocated(),
                List.of(new ResourceWeight(ResourceName.CPU, 3), new ResourceWeight(ResourceName.MEMORY, 1))));
        // cpu 1000 * 100 / 4000 = 25, memory 4 * 100 / 8 = 50, (3 * 25 + 50) / 4 = 31
        assertThat(scores(weighed, aPod("p").asking("1 cpu", "4Gi memory"))).containsEntry("n", 31L);
    }

    @Test
    void requestedToCapacityRatioScoresByItsShape() {
        ledger.put(aNode("n").with("4 cpu", "8Gi memory").build());
        Profile shaped = PACKING.withResourceScoring(ResourceScoring.DEFAULT.withFit(
                new RequestedToCapacityRatio(List.of(
                        new UtilizationShapePoint(0, 0),
                        new UtilizationShapePoint(50, 10),
                        new UtilizationShapePoint(100, 5))),
                ResourceScoring.DEFAULT.fitResources()));
        // cpu 25 of 50: 50; memory 75, half way from 100 down to 50: 75; (50 + 75) / 2 = 62.5, rounded up
        assertThat(scores(shaped, aPod("p").asking("1 cpu", "6Gi memory"))).containsEntry("n", 63L);
    }

    @Test
    void anExtendedResourceIsScoredOnlyForPodsThatRequestIt() {
        ResourceName gpu = new ResourceName("example.com/gpu");
        ledger.put(aNode("n").with("4 cpu", "8Gi memory", "4 example.com/gpu").build());
        Profile byGpu = PACKING.withResourceScoring(ResourceScoring.DEFAULT.withFit(
                new ScoringStrategy.MostAllocated(),
                List.of(new ResourceWeight(gpu, 1), new ResourceWeight(ResourceName.CPU, 1))));
        assertThat(scores(byGpu, aPod("p").asking("1 cpu", "1Gi memory", "3 example.com/gpu")))
                .containsEntry("n", 50L);
        assertThat(scores(byGpu, aPod("q").asking("1 cpu", "1Gi memory"))).containsEntry("n", 25L);
    }

    @Test
    void aDisabledFilterRefusesNoPod() {
        ledger.put(aNode("n")
                .with("4 cpu", "8Gi memory")
                .tainted("dedicated", "db", Taint.TaintEffect.NO_SCHEDULE)
                .build());
        Placer placer = placer(Map.of(
                "bold", Profile.DEFAULT.withoutFilter(FilterPluginName.TAINT_TOLERATION), "usual", Profile.DEFAULT));
        for (int i = 0; i < 2; i++) {
            assertThat(refusalMessage(placer, of("usual", "u" + i)))
                    .isEqualTo("0/1 nodes are available: 1 node(s) had untolerated taint(s).");
            assertThat(placed(placer, of("bold", "b" + i))).isEqualTo("n");
        }
    }

    @Test
    void requiredAddedAffinityAppliesToEveryNode() {
        ledger.put(aNode("slow").with("4 cpu", "8Gi memory").build());
        ledger.put(aNode("fast")
                .with("4 cpu", "8Gi memory")
                .labelled("disk", "ssd")
                .build());
        Profile onFast = Profile.DEFAULT.withAddedAffinity(
                new NodeAffinity(Labels.NONE, Optional.of(List.of(disk("ssd"))), List.of()));
        Profile nowhere = Profile.DEFAULT.withAddedAffinity(
                new NodeAffinity(Labels.NONE, Optional.of(List.of(disk("tape"))), List.of()));
        Placer placer = placer(Map.of("fast", onFast, "nowhere", nowhere));
        assertThat(placed(placer, of("fast", "p"))).isEqualTo("fast");
        assertThat(refusalMessage(placer, of("nowhere", "q")))
                .isEqualTo("0/2 nodes are available: 2 node(s) didn't match scheduler-enforced node affinity.");
    }

    @Test
    void preferredAddedAffinityIsAddedToThePodsOwnPreferences() {
        ledger.put(aNode("slow").with("4 cpu", "8Gi memory").build());
        ledger.put(aNode("fast")
                .with("4 cpu", "8Gi memory")
                .labelled("disk", "ssd")
                .build());
        Profile wishing = Profile.DEFAULT
                .withWeights(new ScoreWeights(0, 0, 0, 0, 1, 0, 0))
                .withAddedAffinity(new NodeAffinity(
                        Labels.NONE,
                        Optional.empty(),
                        List.of(new NodeAffinity.PreferredSchedulingTerm(10, disk("ssd")))));
        assertThat(scores(wishing, aPod("p"))).containsEntry("fast", 100L).containsEntry("slow", 0L);
    }

    @Test
    void defaultConstraintsOfAProfileMayRefuseNodes() {
        ledger.put(aNode("a").with("4 cpu", "8Gi memory").labelled("rack", "1").build());
        ledger.put(aNode("b").with("4 cpu", "8Gi memory").labelled("rack", "2").build());
        ledger.put(
                new Workload(Workload.Kind.REPLICA_SET, "default", "web", LabelSelector.of(Labels.of("app", "web"))));
        ledger.put(web("there").on("a").build());
        Profile even = Profile.DEFAULT.withSpreadDefaults(SpreadDefaults.of(List.of(new TopologySpreadConstraint(
                "rack",
                Optional.empty(),
                true,
                1,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of()))));
        Placer placer = placer(Map.of("even", even));
        assertThat(placer.equivalenceClass(
                        web("p").with(pod -> pod.schedulerName("even")).build(), HoldUse.PREFERRED))
                .isEmpty();
        assertThat(placed(placer, web("p").with(pod -> pod.schedulerName("even"))))
                .isEqualTo("b");
        assertThat(placed(placer, aPod("alone").with(pod -> pod.schedulerName("even"))))
                .isNotEmpty();
    }

    @Test
    void invalidProfileValuesAreRejected() {
        assertThatThrownBy(() -> new ResourceWeight(ResourceName.CPU, 0))
                .hasMessage("weight (0) of resource cpu must be from 1 to 100");
        assertThatThrownBy(() -> new InterPodAffinityArgs(101, false))
                .hasMessage("hard pod affinity weight (101) must be from 0 to 100");
        assertThatThrownBy(() -> new RequestedToCapacityRatio(
                        List.of(new UtilizationShapePoint(50, 1), new UtilizationShapePoint(50, 2))))
                .hasMessage("utilization (50) of a point follows (50): the utilization must increase");
        assertThatThrownBy(() -> new UtilizationShapePoint(0, 11))
                .hasMessage("score (11) of a point must be from 0 to 10");
        assertThatThrownBy(() -> new Profiles(Map.of("", Profile.DEFAULT), Profile.DEFAULT))
                .hasMessageStartingWith("a profile has no schedulerName");
        assertThatThrownBy(() -> new ScoreWeights(1, 1, 1, 1, 1, 1, 1_000_001))
                .hasMessage("score weight InterPodAffinity (1000001) must be from 0 to 1000000");
    }

    private static NodeSelectorTerm disk(String kind) {
        return new NodeSelectorTerm(
                List.of(new Requirement("disk", Requirement.Operator.IN, List.of(kind))), List.of());
    }

    private static PodBuilder of(String scheduler, String name) {
        return aPod(name).with(pod -> pod.schedulerName(scheduler));
    }

    private static PodBuilder web(String name) {
        return aPod(name).labelled("app", "web").ownedBy("ReplicaSet/web");
    }

    private Placer placer(Map<String, Profile> profiles) {
        return new Placer(ledger, new Profiles(profiles, Profile.DEFAULT), List.of());
    }

    private static String placed(Placer placer, PodBuilder pod) {
        return placer.place(pod.build()) instanceof Placement.Placed placed ? placed.nodeName() : "";
    }

    private static String refusalMessage(Placer placer, PodBuilder pod) {
        return placer.place(pod.build()) instanceof Placement.Refused refused ? refused.fitErrorMessage() : "";
    }

    private Map<String, Long> scores(Profile profile, PodBuilder builder) {
        Pod pod = builder.build();
        Map<String, Long> scores = new TreeMap<>();
        new Placer(ledger, Profiles.forAllPods(profile), List.of())
                .explain(pod, HoldUse.PREFERRED)
                .forEach(verdict -> verdict.score().ifPresent(score -> scores.put(verdict.node(), score)));
        return scores;
    }
}
