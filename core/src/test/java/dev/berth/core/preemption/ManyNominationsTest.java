package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many pods preempt at the same time. */
class ManyNominationsTest {
    private static final int FEW = 10;
    private static final int MANY = 200;

    /** As many nodes, each full of a pod that has to go. */
    private static PreemptionScene scene(int nodes) {
        PreemptionScene scene = new PreemptionScene();
        List<PodBuilder> pods = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            scene.upsert(aNode("n" + i).with("4 cpu"));
            pods.add(aPod("low" + i).asking("4 cpu").ofPriority(0).on("n" + i));
        }
        scene.upsert(aNode("other").with("1 cpu"));
        pods.add(aPod("bystander").asking("1 cpu").on("other"));
        return scene.upsertAll(pods).listed();
    }

    private static PreemptionScene preempting(PreemptionScene scene, int count) {
        List<PodBuilder> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(aPod("high" + i).asking("4 cpu").ofPriority(10));
        }
        return scene.upsertAll(pods);
    }

    @Test
    void theCostOfATurnDoesNotGrowWithUnchangedNominations() {
        PreemptionScene few = preempting(scene(FEW), FEW);
        PreemptionScene many = preempting(scene(MANY), MANY);
        assertThat(many.hasNominationHold("high" + (MANY - 1))).isTrue();
        few.costOfTurnAfterChangeOf("bystander");
        many.costOfTurnAfterChangeOf("bystander");

        long costOfFew = few.costOfTurnAfterChangeOf("bystander");
        long costOfMany = many.costOfTurnAfterChangeOf("bystander");

        assertThat(costOfMany).as("bytes of many, %d of few", costOfFew).isLessThan(2 * costOfFew);
    }

    @Test
    void turnsThatHaveTimeForOneNominationClearAllNodes() {
        PreemptionScene unhurried = preempting(scene(FEW), FEW);
        PreemptionScene scene = preempting(scene(FEW).withShortTurns(), FEW);

        assertThat(unhurried.mostEvictionsInATurn).isEqualTo(FEW);
        assertThat(scene.mostEvictionsInATurn).isOne();
        for (int i = 0; i < FEW; i++) {
            assertThat(scene.writes).contains("mark low" + i, "delete low" + i);
        }
        for (int i = 0; i < FEW; i++) {
            scene.deletePod("low" + i);
        }
        scene.advance(Duration.ofSeconds(30));

        for (int i = 0; i < FEW; i++) {
            assertThat(scene.nodeOf("high" + i)).isNotEmpty();
        }
    }
}
