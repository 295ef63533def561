package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A Deployment that asked for its pods is deleted, and its pods with it: no pod will return. */
class DeletedDeploymentTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);
    private static final ComebackFact.PetitionSeen DEPLOYMENT =
            new ComebackFact.PetitionSeen(new Petition("default", "web", "d1", "true", ""));
    private final Scene scene = new Scene().node(aNode("n1").with("8 cpu")).listed();

    private static PodBuilder pod() {
        return aPod("web-5d-x")
                .asking("4 cpu")
                .labelled("pod-template-hash", "5d")
                .ownedBy("ReplicaSet/web-5d", "rs");
    }

    private void running() {
        scene.hear(DEPLOYMENT);
        scene.pod(pod().on("n1"))
                .pass(A_BATCH)
                .pass(A_BATCH)
                .pass(Duration.ofSeconds(6))
                .pass(A_BATCH);
    }

    @Test
    void aLiveLeaderKeepsNoPlace() {
        running();
        scene.hear(new ComebackFact.PetitionGone("d1")).delete("web-5d-x").pass(A_BATCH);
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aLeaderThatIsToldOfTheDeletionsKeepsNoPlace() {
        running();
        Pod gone = scene.podNamed("web-5d-x");
        scene.deleteUnseen("web-5d-x").restart(gone);
        assertThat(scene.cpuKept("n1")).isZero();
    }

    @Test
    void aLeaderThatKnowsOnlyTheCheckpointKeepsThePlaceOfADeploymentThatIsStillThere() {
        running();
        scene.exists(DEPLOYMENT).deleteUnseen("web-5d-x").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
    }

    @Test
    void aLeaderThatKnowsOnlyTheCheckpointKeepsThePlaceIfAnotherDeploymentStillAsksForThePod() {
        ComebackFact.PetitionSeen byLabel =
                new ComebackFact.PetitionSeen(new Petition("default", "site", "d2", "true", ""));
        scene.hear(byLabel).hear(DEPLOYMENT);
        scene.pod(pod().labelled("name", "site").on("n1"))
                .pass(A_BATCH)
                .pass(Duration.ofSeconds(6))
                .pass(A_BATCH);
        scene.exists(byLabel).deleteUnseen("web-5d-x").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
    }

    @Test
    void aLeaderThatKnowsOnlyTheCheckpointKeepsNoPlace() {
        running();
        scene.deleteUnseen("web-5d-x").restartWithoutHistory();
        assertThat(scene.cpuKept("n1"))
                .as("kept for pods of a Deployment that is gone")
                .isZero();
    }
}
