package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertGone;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertNotTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that a budget protects, of which none may be missing. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class DisruptionBudgetTest {
    private static final String BUDGETS = "/apis/policy/v1/namespaces/scene/poddisruptionbudgets";

    @Test
    void aPodOfHigherPriorityIsPreemptedRatherThanOneThatABudgetProtects(Scenario scenario) {
        createBudget(scenario);
        scenario.nodes(aNode("n").offering("cpu=3"));
        createPods(
                scenario,
                protectedPod("one", "low").on("n"),
                protectedPod("two", "low").on("n"));
        createPods(scenario, podOfPriority("free", "middle", "1").on("n"), podOfPriority("vip", "high", "1"));

        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "free");
        assertNotTerminating(scenario, "one", "two");
    }

    @Test
    void aPodThatABudgetProtectsIsPreemptedIfNoOtherCanBe(Scenario scenario) {
        createBudget(scenario);
        scenario.nodes(aNode("n").offering("cpu=2"));
        createPods(
                scenario,
                protectedPod("one", "low").on("n"),
                podOfPriority("peer", "high", "1").on("n"),
                podOfPriority("vip", "high", "1"));

        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "one");
        assertNotTerminating(scenario, "peer");
    }

    @Test
    void aNodeWithoutBudgetViolationsIsPreferred(Scenario scenario) {
        createBudget(scenario);
        scenario.nodes(aNode("a").offering("cpu=1"), aNode("b").offering("cpu=1"));
        createPods(
                scenario,
                protectedPod("one", "low").on("a"),
                podOfPriority("free", "middle", "1").on("b"));
        createPods(scenario, podOfPriority("vip", "high", "1"));

        assertThat(scenario.nodeOf("vip")).isEqualTo("b");
        assertGone(scenario, "free");
        assertNotTerminating(scenario, "one");
    }

    @Test
    void aNodeWithFewerBudgetViolationsIsPreferred(Scenario scenario) {
        createBudget(scenario);
        scenario.nodes(
                aNode("a").offering("cpu=2"),
                aNode("b").offering("cpu=2"),
                aNode("c").offering("cpu=2"));
        createPods(
                scenario,
                protectedPod("one", "low").on("a"),
                protectedPod("two", "low").on("a"));
        createPods(
                scenario,
                protectedPod("three", "middle").on("b"),
                podOfPriority("free", "middle", "1").on("b"));
        createPods(
                scenario,
                protectedPod("four", "low").on("c"),
                protectedPod("five", "low").on("c"));
        createPods(scenario, podOfPriority("vip", "high", "2"));

        assertThat(scenario.nodeOf("vip")).isEqualTo("b");
        assertGone(scenario, "three");
        assertGone(scenario, "free");
        assertNotTerminating(scenario, "one", "two", "four", "five");
    }

    /** Allows nothing from the beginning: whenever a scheduler hears of it, it hears the same. */
    private static void createBudget(Scenario scenario) {
        scenario.object(BUDGETS, """
                metadata: {name: guarded}
                spec: {minAvailable: 100, selector: {matchLabels: {guarded: "yes"}}}
                """);
        // Schedulers hear of budgets on another way than of pods. When the controllers have heard, so have they.
        Eventually.holds(
                () -> assertThat(scenario.api().get(BUDGETS + "/guarded").at("/status/observedGeneration"))
                        .isEqualTo("1"));
        PreemptionPods.createPriorityClasses(scenario);
    }

    private static PodManifest protectedPod(String name, String rank) {
        return podOfPriority(name, rank, "1").labelled("guarded=yes");
    }
}
