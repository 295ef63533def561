package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertGone;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertNotTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.requiredAntiAffinity;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.selector;
import static dev.berth.e2e.scenario.testcluster.PodSpecYaml.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestCluster;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where others stand in the way of a pod by more than their size, and where nobody goes for its sake. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class NoPreemptionTest {
    private static final String HOST = "kubernetes.io/hostname";

    @Test
    void podsInAntiAffinityOfEitherDirectionArePreempted(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n"));
        createPods(
                scenario,
                podOfPriority("rival", "low", "1").labelled("app=rival").on("n"));
        createPods(
                scenario,
                podOfPriority("hermit", "low", "1")
                        .spec(requiredAntiAffinity(term(HOST, selector("app In [vip]"))))
                        .on("n"));
        createPods(scenario, podOfPriority("bystander", "low", "1").on("n"));
        createPods(
                scenario,
                podOfPriority("vip", "high", "1")
                        .labelled("app=vip")
                        .spec(requiredAntiAffinity(term(HOST, selector("app In [rival]")))));

        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "rival");
        assertGone(scenario, "hermit");
        assertNotTerminating(scenario, "bystander");
    }

    @Test
    void noPodIsPreemptedIfAPodThatCannotBePreemptedStillBlocks(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n"));
        createPods(
                scenario,
                podOfPriority("rival", "low", "1").labelled("app=rival").on("n"));
        createPods(
                scenario,
                podOfPriority("hermit", "high", "1")
                        .spec(requiredAntiAffinity(term(HOST, selector("app In [vip]"))))
                        .on("n"));
        createPods(
                scenario,
                podOfPriority("vip", "high", "1")
                        .labelled("app=vip")
                        .spec(requiredAntiAffinity(term(HOST, selector("app In [rival]")))));

        assertThat(scenario.unschedulableMessage("vip"))
                .contains(
                        "preemption: 0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.");
        assertNotTerminating(scenario, "rival", "hermit");
        PreemptionPods.awaitNominated(scenario, "vip", "");
    }

    @Test
    void noPodIsPreemptedForPreemptionPolicyNever(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.object(
                "/apis/scheduling.k8s.io/v1/priorityclasses",
                "{metadata: {name: patient}, value: 1000, preemptionPolicy: Never}");
        scenario.nodes(aNode("n").offering("cpu=1"));
        createPods(scenario, podOfPriority("filler", "low", "1").on("n"), podOfPriority("meek", "patient", "1"));

        assertThat(scenario.unschedulableMessage("meek"))
                .endsWith("preemption: not eligible due to preemptionPolicy=Never.");
        assertNotTerminating(scenario, "filler");
        scenario.delete("filler");
        assertThat(scenario.nodeOf("meek")).isEqualTo("n");
    }

    @Test
    void noPodIsPreemptedForAProfileWithoutPreemption(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=1"));
        createPods(
                scenario,
                podOfPriority("filler", "low", "1").on("n"),
                podOfPriority("meek", "high", "1").spec("schedulerName: " + TestCluster.NON_PREEMPTING_SCHEDULER));

        assertThat(scenario.unschedulableMessage("meek"))
                .startsWith("0/1 nodes are available: 1 Insufficient cpu.")
                .doesNotContain("preemption: ");
        assertNotTerminating(scenario, "filler");
        scenario.delete("meek");
        createPods(scenario, podOfPriority("vip", "high", "1"));
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
    }
}
