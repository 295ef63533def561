package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A Deployment that requests Reservations for its pods is deleted with its pods: no successor comes. */
class DeletedDeploymentTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);
    private static final GodelFact.RequestUpserted DEPLOYMENT =
            new GodelFact.RequestUpserted(new ReservationRequest("default", "web", "d1", "true", ""));
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("8 cpu")).sync();

    private static PodBuilder pod() {
        return aPod("web-5d-x")
                .asking("4 cpu")
                .labelled("pod-template-hash", "5d")
                .ownedBy("ReplicaSet/web-5d", "rs");
    }

    private void startDeployment() {
        scene.apply(DEPLOYMENT);
        scene.upsert(pod().on("n1"))
                .advance(A_BATCH)
                .advance(A_BATCH)
                .advance(Duration.ofSeconds(6))
                .advance(A_BATCH);
    }

    @Test
    void liveLeaderHoldsNothing() {
        startDeployment();
        scene.apply(new GodelFact.RequestDeleted("d1")).deletePod("web-5d-x").advance(A_BATCH);
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void leaderThatReplaysTheDeletionsHoldsNothing() {
        startDeployment();
        Pod gone = scene.pod("web-5d-x");
        scene.deletePodUnseen("web-5d-x").restart(gone);
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void leaderThatKnowsOnlyTheCheckpointHoldsThePodIfItsDeploymentExists() {
        startDeployment();
        scene.addObjectUnseen(DEPLOYMENT).deletePodUnseen("web-5d-x").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
    }

    @Test
    void leaderThatKnowsOnlyTheCheckpointHoldsThePodIfASecondDeploymentRequestsIt() {
        GodelFact.RequestUpserted byLabel =
                new GodelFact.RequestUpserted(new ReservationRequest("default", "site", "d2", "true", ""));
        scene.apply(byLabel).apply(DEPLOYMENT);
        scene.upsert(pod().labelled("name", "site").on("n1"))
                .advance(A_BATCH)
                .advance(Duration.ofSeconds(6))
                .advance(A_BATCH);
        scene.addObjectUnseen(byLabel).deletePodUnseen("web-5d-x").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
    }

    @Test
    void leaderThatKnowsOnlyTheCheckpointHoldsNothing() {
        startDeployment();
        scene.deletePodUnseen("web-5d-x").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1"))
                .as("held for pods of a deleted Deployment")
                .isZero();
    }
}
