package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Volumes;
import dev.berth.core.placement.profile.PodAffinityScoring;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.Weighed;
import dev.berth.core.placement.profile.Rule;
import dev.berth.core.placement.profile.SpreadDefaults;
import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.placement.score.FitStrategy.RequestedToCapacityRatio;
import dev.berth.core.placement.score.FitStrategy.RequestedToCapacityRatio.Point;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pods of different schedulers' names in one cluster, each placed in its own profile. */
class ProfilesByHandTest {
    private static final ScoreWeights FIT_ALONE = new ScoreWeights(1, 0, 0, 0, 0, 0, 0);
    private static final Profile PACKING = Profile.DEFAULT
            .withWeights(FIT_ALONE)
            .withResources(ResourceScoring.USUAL.withFit(new FitStrategy.MostAllocated(), ResourceScoring.USUAL.fit()));

    private final Ledger ledger = new Ledger();

    @Test
    void onePacksWhatTheOtherSpreads() {
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
        Profile weighed = PACKING.withResources(ResourceScoring.USUAL.withFit(
                new FitStrategy.MostAllocated(),
                List.of(new Weighed(ResourceName.CPU, 3), new Weighed(ResourceName.MEMORY, 1))));
        // cpu 1000 * 100 / 4000 = 25, memory 4 * 100 / 8 = 50, (3 * 25 + 50) / 4 = 31
        assertThat(scores(weighed, aPod("p").asking("1 cpu", "4Gi memory"))).containsEntry("n", 31L);
    }

    @Test
    void aShapeSaysHowGoodItIsToBeSoFull() {
        ledger.put(aNode("n").with("4 cpu", "8Gi memory").build());
        Profile shaped = PACKING.withResources(ResourceScoring.USUAL.withFit(
                new RequestedToCapacityRatio(List.of(new Point(0, 0), new Point(50, 10), new Point(100, 5))),
                ResourceScoring.USUAL.fit()));
        // cpu 25 of 50: 50; memory 75, half way from 100 down to 50: 75; (50 + 75) / 2 = 62.5, rounded up
        assertThat(scores(shaped, aPod("p").asking("1 cpu", "6Gi memory"))).containsEntry("n", 63L);
    }

    @Test
    void anExtendedResourceCountsForThoseWhoAskForIt() {
        ResourceName gpu = new ResourceName("example.com/gpu");
        ledger.put(aNode("n").with("4 cpu", "8Gi memory", "4 example.com/gpu").build());
        Profile byGpu = PACKING.withResources(ResourceScoring.USUAL.withFit(
                new FitStrategy.MostAllocated(), List.of(new Weighed(gpu, 1), new Weighed(ResourceName.CPU, 1))));
        assertThat(scores(byGpu, aPod("p").asking("1 cpu", "1Gi memory", "3 example.com/gpu")))
                .containsEntry("n", 50L);
        assertThat(scores(byGpu, aPod("q").asking("1 cpu", "1Gi memory"))).containsEntry("n", 25L);
    }

    @Test
    void aRuleThatIsLeftOutRefusesNobody() {
        ledger.put(aNode("n")
                .with("4 cpu", "8Gi memory")
                .tainted("dedicated", "db", Taint.Effect.NO_SCHEDULE)
                .build());
        Placer placer = placer(Map.of("bold", Profile.DEFAULT.without(Rule.TAINTS), "usual", Profile.DEFAULT));
        for (int i = 0; i < 2; i++) {
            assertThat(words(placer, of("usual", "u" + i)))
                    .isEqualTo("0/1 nodes are available: 1 node(s) had untolerated taint(s).");
            assertThat(placed(placer, of("bold", "b" + i))).isEqualTo("n");
        }
    }

    @Test
    void whatAProfileAddsIsDemandedOfEveryNode() {
        ledger.put(aNode("slow").with("4 cpu", "8Gi memory").build());
        ledger.put(aNode("fast")
                .with("4 cpu", "8Gi memory")
                .labelled("disk", "ssd")
                .build());
        Profile onFast =
                Profile.DEFAULT.withAdded(new NodeAffinity(Labels.NONE, Optional.of(List.of(disk("ssd"))), List.of()));
        Profile nowhere =
                Profile.DEFAULT.withAdded(new NodeAffinity(Labels.NONE, Optional.of(List.of(disk("tape"))), List.of()));
        Placer placer = placer(Map.of("fast", onFast, "nowhere", nowhere));
        assertThat(placed(placer, of("fast", "p"))).isEqualTo("fast");
        assertThat(words(placer, of("nowhere", "q")))
                .isEqualTo("0/2 nodes are available: 2 node(s) didn't match scheduler-enforced node affinity.");
    }

    @Test
    void whatAProfileWishesIsAddedToWhatThePodDoes() {
        ledger.put(aNode("slow").with("4 cpu", "8Gi memory").build());
        ledger.put(aNode("fast")
                .with("4 cpu", "8Gi memory")
                .labelled("disk", "ssd")
                .build());
        Profile wishing = Profile.DEFAULT
                .withWeights(new ScoreWeights(0, 0, 0, 0, 1, 0, 0))
                .withAdded(new NodeAffinity(
                        Labels.NONE, Optional.empty(), List.of(new NodeAffinity.Preference(10, disk("ssd")))));
        assertThat(scores(wishing, aPod("p"))).containsEntry("fast", 100L).containsEntry("slow", 0L);
    }

    @Test
    void defaultConstraintsOfAProfileMayRefuseNodes() {
        ledger.put(aNode("a").with("4 cpu", "8Gi memory").labelled("rack", "1").build());
        ledger.put(aNode("b").with("4 cpu", "8Gi memory").labelled("rack", "2").build());
        ledger.put(
                new Workload(Workload.Kind.REPLICA_SET, "default", "web", LabelSelector.of(Labels.of("app", "web"))));
        ledger.put(web("there").on("a").build());
        Profile even = Profile.DEFAULT.withSpread(SpreadDefaults.of(List.of(
                new SpreadConstraint("rack", Optional.empty(), true, 1, 1, SpreadConstraint.Heed.USUAL, List.of()))));
        Placer placer = placer(Map.of("even", even));
        assertThat(placer.kin(web("p").with(pod -> pod.schedulerName("even")).build(), HoldUse.PREFERRED))
                .isEmpty();
        assertThat(placed(placer, web("p").with(pod -> pod.schedulerName("even"))))
                .isEqualTo("b");
        assertThat(placed(placer, aPod("alone").with(pod -> pod.schedulerName("even"))))
                .isNotEmpty();
    }

    @Test
    void valuesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new Weighed(ResourceName.CPU, 0))
                .hasMessage("weight (0) of resource cpu must be from 1 to 100");
        assertThatThrownBy(() -> new PodAffinityScoring(101, false))
                .hasMessage("hard pod affinity weight (101) must be from 0 to 100");
        assertThatThrownBy(() -> new RequestedToCapacityRatio(List.of(new Point(50, 1), new Point(50, 2))))
                .hasMessage("utilization (50) of a point comes after (50): points must rise");
        assertThatThrownBy(() -> new Point(0, 11)).hasMessage("score (11) of a point must be from 0 to 10");
        assertThatThrownBy(() -> new Profiles(Map.of("", Profile.DEFAULT), Profile.DEFAULT))
                .hasMessageStartingWith("a profile has no scheduler's name");
        assertThatThrownBy(() -> new ScoreWeights(1, 1, 1, 1, 1, 1, 1_000_001))
                .hasMessage("score weight podAffinity (1000001) must be from 0 to 1000000");
    }

    private static NodeTerm disk(String kind) {
        return new NodeTerm(List.of(new Requirement("disk", Requirement.Operator.IN, List.of(kind))), List.of());
    }

    private static PodBuilder of(String scheduler, String name) {
        return aPod(name).with(pod -> pod.schedulerName(scheduler));
    }

    private static PodBuilder web(String name) {
        return aPod(name).labelled("app", "web").ownedBy("ReplicaSet/web");
    }

    private Placer placer(Map<String, Profile> profiles) {
        return new Placer(ledger, new Profiles(profiles, Profile.DEFAULT), Devices.NONE, Volumes.NONE);
    }

    private static String placed(Placer placer, PodBuilder pod) {
        return placer.place(pod.build()) instanceof Placement.Placed placed ? placed.nodeName() : "";
    }

    private static String words(Placer placer, PodBuilder pod) {
        return placer.place(pod.build()) instanceof Placement.Refused refused ? refused.summary() : "";
    }

    private Map<String, Long> scores(Profile profile, PodBuilder builder) {
        Pod pod = builder.build();
        Map<String, Long> scores = new TreeMap<>();
        new Placer(ledger, Profiles.same(profile), Devices.NONE, Volumes.NONE)
                .explain(pod, HoldUse.PREFERRED)
                .forEach(verdict -> verdict.score().ifPresent(score -> scores.put(verdict.node(), score)));
        return scores;
    }
}
