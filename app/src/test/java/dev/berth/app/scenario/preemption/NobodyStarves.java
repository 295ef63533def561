package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertUnbound;
import static dev.berth.app.scenario.preemption.Ranks.awaitNominated;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.leaving;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.preemption.Ranks.slow;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many small pods, each of which fits where a big one is to come. */
interface NobodyStarves {
    @Test
    default void aBigPodIsNotOvertakenByManySmallOnesThatWaitedBefore(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=5"));
        small("running").forEach(name -> come(scene, slow(name, "middle", "1").on("n")));
        List<String> waiting = small("waiting");
        waiting.forEach(name -> come(scene, ranked(name, "middle", "1")));
        waiting.forEach(name -> assertThat(scene.whyPending(name)).contains("1 Insufficient cpu"));

        come(scene, ranked("big", "high", "3"));
        awaitNominated(scene, "big", "n");
        Set<String> victims = Eventually.got(() -> {
            Set<String> leaving = leaving(scene);
            assertThat(leaving).hasSize(3);
            return leaving;
        });
        victims.forEach(scene::delete);
        assertThat(scene.nodeOf("big")).isEqualTo("n");
        waiting.forEach(name -> assertUnbound(scene, name));
    }

    /** There is room for all of them when they come, and would not be for the big one if they had it. */
    @Test
    default void aBigPodIsNotOvertakenByManySmallOnesThatComeWhileItIsNominated(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=50"));
        come(
                scene,
                ranked("first", "middle", "1").on("n"),
                ranked("second", "middle", "1").on("n"));
        come(scene, ranked("big", "high", "49"));
        List<String> late = IntStream.range(0, 3)
                .boxed()
                .flatMap(i -> small("late-" + i).stream())
                .toList();
        late.forEach(name -> scene.pod(ranked(name, "middle", "1")));

        assertThat(scene.nodeOf("big")).isEqualTo("n");
        late.forEach(name -> assertThat(scene.whyPending(name)).startsWith("0/1 nodes are available: 1 "));
        late.forEach(name -> assertUnbound(scene, name));
    }

    private static List<String> small(String stem) {
        return IntStream.range(0, 5).mapToObj(i -> stem + "-" + i).toList();
    }
}
