package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertUnbound;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.awaitNominated;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.slowPodOfPriority;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.terminatingPods;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many small pods, each of which fits where a big one is to come. */
@OnStages({Stage.SANDBOX, Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class NoStarvationTest {
    @Test
    void aLargePodIsNotOvertakenBySmallPodsThatWaitedBefore(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=5"));
        small("running")
                .forEach(name -> createPods(
                        scenario, slowPodOfPriority(name, "middle", "1").on("n")));
        List<String> waiting = small("waiting");
        waiting.forEach(name -> createPods(scenario, podOfPriority(name, "middle", "1")));
        waiting.forEach(name -> assertThat(scenario.unschedulableMessage(name)).contains("1 Insufficient cpu"));

        createPods(scenario, podOfPriority("big", "high", "3"));
        awaitNominated(scenario, "big", "n");
        Set<String> victims = Eventually.get(() -> {
            Set<String> leaving = terminatingPods(scenario);
            assertThat(leaving).hasSize(3);
            return leaving;
        });
        victims.forEach(scenario::delete);
        assertThat(scenario.nodeOf("big")).isEqualTo("n");
        waiting.forEach(name -> assertUnbound(scenario, name));
    }

    /** There is room for all of them when they come, and would not be for the big one if they had it. */
    @Test
    void aLargePodIsNotOvertakenBySmallPodsThatArriveWhileItIsNominated(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=50"));
        createPods(
                scenario,
                podOfPriority("first", "middle", "1").on("n"),
                podOfPriority("second", "middle", "1").on("n"));
        createPods(scenario, podOfPriority("big", "high", "49"));
        List<String> late = IntStream.range(0, 3)
                .boxed()
                .flatMap(i -> small("late-" + i).stream())
                .toList();
        late.forEach(name -> scenario.pod(podOfPriority(name, "middle", "1")));

        assertThat(scenario.nodeOf("big")).isEqualTo("n");
        late.forEach(name -> assertThat(scenario.unschedulableMessage(name)).startsWith("0/1 nodes are available: 1 "));
        late.forEach(name -> assertUnbound(scenario, name));
    }

    private static List<String> small(String stem) {
        return IntStream.range(0, 5).mapToObj(i -> stem + "-" + i).toList();
    }
}
