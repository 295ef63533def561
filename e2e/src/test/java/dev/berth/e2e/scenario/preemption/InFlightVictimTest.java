package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertGone;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.inflight.BindingWebhook;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that are to go while they are being bound. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class InFlightVictimTest {
    @Test
    void aPodWhoseBindIsInFlightIsPreempted(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=1"));
        BindingWebhook.PausedBind pausedBind = new BindingWebhook.PausedBind();
        try (BindingWebhook hook = BindingWebhook.pausing(scenario, "victim", pausedBind)) {
            createPods(scenario, podOfPriority("victim", "low", "1"));
            pausedBind.awaitArrival();
            createPods(scenario, podOfPriority("vip", "high", "1"));
            assertGone(scenario, "victim");

            pausedBind.release();
            assertThat(scenario.nodeOf("vip")).isEqualTo("n");
            assertThat(hook.countRequests("victim")).isEqualTo(1);
        }
    }
}
