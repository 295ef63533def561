package dev.berth.core.door.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static dev.berth.core.volume.VolumeBuilder.aVolume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.VolumeFact;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that one pod alone may use, and others who use them all the same. */
class SoleClaimTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final Scene scene = new Scene()
            .node(aNode("n1").with("4 cpu"))
            .node(aNode("n2").with("4 cpu"))
            .listed();

    @BeforeEach
    void claims() {
        claim("data", "v");
        claim("logs", "w");
    }

    private void claim(String name, String volume) {
        VolumeClaim claim =
                aClaim(name).inModes(VolumeClaim.ONE_POD_ALONE).boundTo(volume).build();
        scene.tell(new VolumeFact.Seen(aVolume(volume)
                .inModes(VolumeClaim.ONE_POD_ALONE)
                .boundTo(claim)
                .build()));
        scene.tell(new VolumeFact.Seen(claim));
    }

    private static PodBuilder user(String name, int priority) {
        return aPod(name).asking("1 cpu").ofPriority(priority).mounting("data");
    }

    @Test
    void whoUsesItGoesAndNobodyBesideIt() {
        scene.pods(user("user", 1).on("n1"), aPod("bystander").asking("1 cpu").on("n1"));
        scene.pods(user("vip", 10));
        assertThat(scene.writes).containsExactly("nominate vip to n1", "mark user", "delete user");

        scene.gone("user").pass(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }

    @Test
    void allWhoUseItOnANodeGo() {
        scene.pods(user("one", 1).on("n1"), user("other", 2).on("n1"), user("vip", 10));
        assertThat(scene.writes).contains("delete one", "delete other");

        scene.gone("one").gone("other").pass(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }

    @Test
    void nobodyGoesWhereOneWhoUsesItMayStay() {
        scene.pods(user("lesser", 1).on("n1"), user("equal", 10).on("n1"), user("vip", 10));
        scene.pass(A_WHILE);
        assertThat(scene.writes).isEmpty();
        assertThat(scene.told.get("vip")).contains("ReadWriteOncePod access mode already in-use by another pod");
    }

    @Test
    void nobodyGoesWhereAnotherUsesItElsewhere() {
        scene.pods(user("here", 1).on("n1"), user("there", 1).on("n2"), user("vip", 10));
        scene.pass(A_WHILE);
        assertThat(scene.writes).isEmpty();
    }

    @Test
    void aNamesakeInAnotherNamespaceStays() {
        scene.pods(user("other/namesake", 1).on("n1"), user("user", 1).on("n1"), user("vip", 10));
        assertThat(scene.writes).containsExactly("nominate vip to n1", "mark user", "delete user");

        scene.gone("user").pass(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
    }

    @Test
    void whoNeedsTwoHasBothCleared() {
        scene.pods(user("one", 1).on("n1"), aPod("other").mounting("logs").on("n1"));
        scene.pods(user("vip", 10).mounting("logs"));
        assertThat(scene.writes)
                .containsExactlyInAnyOrder(
                        "nominate vip to n1", "mark one", "delete one", "mark other", "delete other");
    }

    @Test
    void nobodyGoesWhereTwoAreNeededAndOneIsUsedElsewhere() {
        scene.pods(user("here", 1).on("n1"), aPod("there").mounting("logs").on("n2"));
        scene.pods(user("vip", 10).mounting("logs")).pass(A_WHILE);
        assertThat(scene.writes).isEmpty();
    }

    @Test
    void nobodyOfLessPriorityGetsItInBetween() {
        scene.pods(user("user", 1).on("n1"), user("vip", 10));
        scene.pods(user("thief", 5)).gone("user").pass(A_WHILE);
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
        assertThat(scene.nodeOf("thief")).isEmpty();
    }
}
