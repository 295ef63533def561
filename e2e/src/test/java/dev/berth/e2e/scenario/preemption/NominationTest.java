package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertUnbound;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.awaitNominated;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.awaitTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.slowPodOfPriority;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.terminatingPods;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.NodeManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of a node that is being cleared for a pod when others come, or the node goes. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class NominationTest {
    @Test
    void aNominatedNodeIsTakenOverByAPodOfHigherPriorityThatNeedsMoreVictims(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=5"));
        List<String> lows = List.of("low-0", "low-1", "low-2", "low-3");
        lows.forEach(
                name -> createPods(scenario, slowPodOfPriority(name, "low", "1").on("n")));
        createPods(scenario, podOfPriority("middle", "middle", "3"));
        awaitNominated(scenario, "middle", "n");
        Eventually.holds(() -> assertThat(terminatingPods(scenario)).hasSize(2));

        createPods(scenario, podOfPriority("high", "high", "4"));
        awaitNominated(scenario, "high", "n");
        Eventually.holds(() -> assertThat(terminatingPods(scenario)).hasSizeGreaterThanOrEqualTo(3));
        lows.forEach(scenario::delete);
        assertThat(scenario.nodeOf("high")).isEqualTo("n");
        awaitNominated(scenario, "middle", "");
        assertUnbound(scenario, "middle");
    }

    /** It has room as long as nothing is kept for the lesser one. */
    @Test
    void aNominatedNodeIsTakenOverByAPodOfHigherPriorityThatNeedsNoVictims(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=2"));
        createPods(scenario, slowPodOfPriority("low", "low", "1").on("n"), podOfPriority("middle", "middle", "2"));
        awaitNominated(scenario, "middle", "n");
        awaitTerminating(scenario, "low");

        createPods(scenario, podOfPriority("high", "high", "1"));
        assertThat(scenario.nodeOf("high")).isEqualTo("n");
        scenario.delete("low");
        awaitNominated(scenario, "middle", "");
        assertUnbound(scenario, "middle");
    }

    @Test
    void oneNodeIsNominatedForTwoPodsIfBothFit(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=4"));
        createPods(
                scenario,
                slowPodOfPriority("low-0", "low", "2").on("n"),
                slowPodOfPriority("low-1", "low", "2").on("n"));
        createPods(scenario, podOfPriority("high", "high", "2"));
        awaitNominated(scenario, "high", "n");
        Eventually.holds(() -> assertThat(terminatingPods(scenario)).hasSize(1));

        createPods(scenario, podOfPriority("middle", "middle", "2"));
        awaitNominated(scenario, "middle", "n");
        awaitTerminating(scenario, "low-0", "low-1");
        awaitNominated(scenario, "high", "n");
        scenario.delete("low-0");
        scenario.delete("low-1");
        assertThat(scenario.nodeOf("high")).isEqualTo("n");
        assertThat(scenario.nodeOf("middle")).isEqualTo("n");
    }

    @Test
    void aPodWhoseNominatedNodeIsDeletedPreemptsOnAnother(Scenario scenario) {
        nodes(scenario, aNode("b").offering("cpu=1"));
        createPods(scenario, slowPodOfPriority("other", "middle", "1").on("b"));
        preemptFirstPod(scenario);

        deleteNominatedNode(scenario);
        awaitNominated(scenario, "vip", "b");
        awaitTerminating(scenario, "other");
        scenario.delete("other");
        assertThat(scenario.nodeOf("vip")).isEqualTo("b");
    }

    @Test
    void aPodWhoseNominatedNodeIsDeletedHasNoNominationIfNoOtherNodeWouldTakeIt(Scenario scenario) {
        nodes(scenario, aNode("b").tainted("closed", "", "NoSchedule"));
        preemptFirstPod(scenario);

        deleteNominatedNode(scenario);
        awaitNominated(scenario, "vip", "");
        Eventually.holds(() -> assertThat(scenario.unschedulableMessage("vip"))
                .startsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s)."));
    }

    @Test
    void aPodWhoseNominatedNodeIsDeletedHasNoNominationIfThereIsNoOtherNode(Scenario scenario) {
        nodes(scenario);
        preemptFirstPod(scenario);

        deleteNominatedNode(scenario);
        awaitNominated(scenario, "vip", "");
        assertUnbound(scenario, "vip");
    }

    private static void nodes(Scenario scenario, NodeManifest... others) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("a").offering("cpu=1"));
        if (others.length > 0) {
            scenario.nodes(others);
        }
    }

    /** Node a for a pod of a high rank. */
    private static void preemptFirstPod(Scenario scenario) {
        createPods(scenario, slowPodOfPriority("victim", "low", "1").on("a"), podOfPriority("vip", "high", "1"));
        awaitNominated(scenario, "vip", "a");
        awaitTerminating(scenario, "victim");
    }

    /** kube-scheduler looks again when a pod goes, not when a node does. */
    private static void deleteNominatedNode(Scenario scenario) {
        scenario.deleteNode("a");
        scenario.delete("victim");
    }

    @Test
    void aNominationOfALowerPriorityPodDoesNotBlockAHigherOne(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=4"));
        String gated = "schedulingGates: [{name: first}]";
        createPods(scenario, podOfPriority("lesser", "low", "4").spec(gated));
        scenario.patch(scenario.path("lesser") + "/status", "status: {nominatedNodeName: n}");
        createPods(scenario, podOfPriority("vip", "high", "4"));
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");

        scenario.patch(scenario.path("lesser"), "spec: {schedulingGates: []}");
        assertThat(scenario.unschedulableMessage("lesser")).contains("1 Insufficient cpu");
        awaitNominated(scenario, "lesser", "");
    }
}
