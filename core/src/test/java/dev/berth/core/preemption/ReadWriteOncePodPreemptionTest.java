package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.VolumeFact;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ReadWriteOncePod claims that other pods use. */
class ReadWriteOncePodPreemptionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final PreemptionScene scene = new PreemptionScene()
            .upsert(aNode("n1").with("4 cpu"))
            .upsert(aNode("n2").with("4 cpu"))
            .listed();

    @BeforeEach
    void claims() {
        claim("data", "v");
        claim("logs", "w");
    }

    private void claim(String name, String volume) {
        PersistentVolumeClaim claim = aClaim(name)
                .withAccessModes(PersistentVolumeClaim.READ_WRITE_ONCE_POD)
                .boundTo(volume)
                .build();
        scene.addObject(new VolumeFact.Upserted(aVolume(volume)
                .withAccessModes(PersistentVolumeClaim.READ_WRITE_ONCE_POD)
                .boundTo(claim)
                .build()));
        scene.addObject(new VolumeFact.Upserted(claim));
    }

    private static PodBuilder user(String name, int priority) {
        return aPod(name).asking("1 cpu").ofPriority(priority).mounting("data");
    }

    @Test
    void onlyThePodThatUsesTheClaimIsPreempted() {
        scene.upsert(user("user", 1).on("n1"), aPod("bystander").asking("1 cpu").on("n1"));
        scene.upsert(user("vip", 10));
        assertThat(scene.writes).containsExactly("nominate vip to n1", "mark user", "delete user");

        scene.deletePod("user").advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }

    @Test
    void allPodsOnANodeThatUseTheClaimArePreempted() {
        scene.upsert(user("one", 1).on("n1"), user("other", 2).on("n1"), user("vip", 10));
        assertThat(scene.writes).contains("delete one", "delete other");

        scene.deletePod("one").deletePod("other").advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }

    @Test
    void noPodIsPreemptedIfAPodOfEqualPriorityUsesTheClaim() {
        scene.upsert(user("lesser", 1).on("n1"), user("equal", 10).on("n1"), user("vip", 10));
        scene.advance(A_WHILE);
        assertThat(scene.writes).isEmpty();
        assertThat(scene.unschedulableMessages.get("vip"))
                .contains("ReadWriteOncePod access mode already in-use by another pod");
    }

    @Test
    void noPodIsPreemptedIfAPodOnAnotherNodeUsesTheClaim() {
        scene.upsert(user("here", 1).on("n1"), user("there", 1).on("n2"), user("vip", 10));
        scene.advance(A_WHILE);
        assertThat(scene.writes).isEmpty();
    }

    @Test
    void aPodThatUsesAClaimOfTheSameNameInAnotherNamespaceIsNotPreempted() {
        scene.upsert(user("other/namesake", 1).on("n1"), user("user", 1).on("n1"), user("vip", 10));
        assertThat(scene.writes).containsExactly("nominate vip to n1", "mark user", "delete user");

        scene.deletePod("user").advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }

    @Test
    void aPodThatNeedsTwoClaimsPreemptsTheUsersOfBoth() {
        scene.upsert(user("one", 1).on("n1"), aPod("other").mounting("logs").on("n1"));
        scene.upsert(user("vip", 10).mounting("logs"));
        assertThat(scene.writes)
                .containsExactlyInAnyOrder(
                        "nominate vip to n1", "mark one", "delete one", "mark other", "delete other");
    }

    @Test
    void noPodIsPreemptedIfOneOfTwoNeededClaimsIsUsedOnAnotherNode() {
        scene.upsert(user("here", 1).on("n1"), aPod("there").mounting("logs").on("n2"));
        scene.upsert(user("vip", 10).mounting("logs")).advance(A_WHILE);
        assertThat(scene.writes).isEmpty();
    }

    @Test
    void noPodOfLowerPriorityGetsTheClaimWhileTheVictimTerminates() {
        scene.upsert(user("user", 1).on("n1"), user("vip", 10));
        scene.upsert(user("thief", 5)).deletePod("user").advance(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
        assertThat(scene.nodeOf("thief")).isEmpty();
    }
}
