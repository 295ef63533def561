package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.StorageClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Volumes in the pod template of a Reservation. Pods labelled {@code app=web} are owners. */
class VolumeScenariosTest {
    private static final Duration BACKOFF = Duration.ofSeconds(10);
    private static final String DRIVER = "disks.example.com";
    private static final String IN_USE = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access"
            + " mode already in-use by another pod";

    private final KoordinatorScene scene = new KoordinatorScene().withVolumeBinding();

    @BeforeEach
    void twoNodesOfWhichTheFirstIsLarger() {
        scene.upsert(aNode("n1").with("8 cpu", "10 pods")).upsert(aNode("n2").with("4 cpu", "10 pods"));
    }

    @Test
    @Scenario(110)
    void ownerUsesTheReadWriteOncePodClaimThatItsReservationMounts() {
        bindExclusively("data");
        scene.createReservation(mounting("r", "data").onNode("n2"));

        scene.upsert(owner("owner").mounting("data"));

        assertThat(scene.nodeOf("owner")).isEqualTo("n2");
        assertThat(scene.status("r").currentOwners()).hasSize(1);
    }

    @Test
    @Scenario(110)
    void nonOwnerWithTheReadWriteOncePodClaimOfAReservationWaitsUntilTheReservationEnds() {
        bindExclusively("data");
        scene.createReservation(mounting("r", "data").onNode("n2"));

        scene.upsert(aPod("stranger").asking("1 cpu").mounting("data"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.unschedulableMessages.get("stranger")).contains("2 " + IN_USE, "Reservation r");

        scene.deleteReservation("r").advance(BACKOFF);

        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    @Scenario(110)
    void nonOwnerConflictsWithTheOwnerAndThenWithTheSharedReservationAgain() {
        bindExclusively("data");
        scene.createReservation(mounting("r", "data").shared().onNode("n2"));
        scene.upsert(owner("owner").mounting("data"));
        scene.upsert(aPod("stranger").asking("1 cpu").mounting("data"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n2");

        scene.deletePod("owner").advance(BACKOFF);

        assertThat(scene.nodeOf("stranger")).isEmpty();

        scene.upsert(owner("next").mounting("data"));

        assertThat(scene.nodeOf("next")).isEqualTo("n2");
    }

    @Test
    @Scenario(110)
    void ownerThatWaitsForTheClaimIsScheduledOnceTheStatusShowsTheNode() {
        bindExclusively("data");
        scene.delayAnswers(true).createReservation(mounting("r", "data").onNode("n2"));
        scene.upsert(owner("owner").mounting("data"));
        assertThat(scene.nodeOf("owner")).isEmpty();

        scene.delayAnswers(false).advance(BACKOFF);

        assertThat(scene.nodeOf("owner")).isEqualTo("n2");
        assertThat(scene.status("r").currentOwners()).hasSize(1);
    }

    @Test
    @Scenario(110)
    void secondReservationWithTheSameReadWriteOncePodClaimWaitsForTheFirstOne() {
        bindExclusively("data");
        scene.createReservation(mounting("first", "data")).createReservation(mounting("second", "data"));

        assertThat(scene.status("second").nodeName()).isEmpty();
        assertThat(scene.conditions("second")).contains("Scheduled=false/Unschedulable");

        scene.deleteReservation("first").advance(BACKOFF);

        assertThat(scene.status("second").nodeName()).isNotEmpty();
    }

    @Test
    @Scenario(110)
    void reservationWaitsWhileAPodUsesItsReadWriteOncePodClaim() {
        bindExclusively("data");
        scene.upsert(aPod("user").asking("1 cpu").mounting("data"));
        scene.createReservation(mounting("r", "data"));
        assertThat(scene.status("r").nodeName()).isEmpty();

        scene.deletePod("user").advance(BACKOFF);

        assertThat(scene.status("r").nodeName()).isNotEmpty();
    }

    @Test
    @Scenario(110)
    void restartedSchedulerKeepsTheClaimForTheOwner() {
        bindExclusively("data");
        scene.createReservation(mounting("r", "data").onNode("n2")).restart();

        scene.upsert(aPod("stranger").asking("1 cpu").mounting("data"));
        assertThat(scene.nodeOf("stranger")).isEmpty();
        scene.upsert(owner("owner").mounting("data"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n2");

        scene.restart().advance(BACKOFF);

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.unschedulableMessages.get("stranger")).contains(IN_USE).doesNotContain("Reservation r");
    }

    @Test
    @Scenario(110)
    void reservationWithAReadWriteOncePodClaimMovesOffADeletedNode() {
        bindExclusively("data");
        scene.createReservation(mounting("r", "data"));
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");

        scene.deleteNode("n1").advance(BACKOFF);

        assertThat(scene.status("r").nodeName()).isEqualTo("n2");
        scene.upsert(owner("owner").mounting("data"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n2");
    }

    @Test
    @Scenario(111)
    void csiVolumesOfAReservationCountAgainstTheLimitOfItsNodeForNonOwners() {
        limitOn("n1", 1).limitOn("n2", 0);
        bindOfDriver("held");
        bindOfDriver("other");
        scene.createReservation(mounting("r", "held"));
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");

        scene.upsert(aPod("stranger").asking("1 cpu").mounting("other"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.unschedulableMessages.get("stranger"))
                .contains("2 node(s) exceed max volume count", "held by Reservation r");

        scene.deleteReservation("r").advance(BACKOFF);

        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    @Scenario(111)
    void ownerGetsTheCsiVolumesOfItsReservationAndTheyCountOnce() {
        limitOn("n1", 2).limitOn("n2", 0);
        bindOfDriver("held");
        bindOfDriver("other");
        bindOfDriver("third");
        scene.createReservation(mounting("r", "held"));

        scene.upsert(owner("owner").mounting("held"))
                .upsert(aPod("stranger").asking("1 cpu").mounting("other"));

        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
        assertThat(scene.status("r").currentOwners()).hasSize(1);
        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");

        scene.upsert(aPod("late").asking("1 cpu").mounting("third"));

        assertThat(scene.nodeOf("late")).isEmpty();
    }

    @Test
    @Scenario(111)
    void ownerWithOtherVolumesGetsTheCountsOfItsOwnReservationAlone() {
        limitOn("n1", 2).limitOn("n2", 0);
        bindOfDriver("a");
        bindOfDriver("b");
        bindOfDriver("c");
        bindOfDriver("d");
        scene.createReservation(mounting("ra", "a").onNode("n1"))
                .createReservation(mounting("rb", "b").onNode("n1"));

        scene.upsert(owner("greedy").mounting("c").mounting("d"));
        assertThat(scene.nodeOf("greedy")).isEmpty();

        scene.upsert(owner("modest").mounting("c"));
        assertThat(scene.nodeOf("modest")).isEqualTo("n1");
    }

    @Test
    @Scenario(111)
    void sharedReservationCountsItsVolumesAgainAfterItsOwnerEnded() {
        limitOn("n1", 1).limitOn("n2", 0);
        bindOfDriver("held");
        bindOfDriver("other");
        scene.createReservation(mounting("r", "held").shared());
        scene.upsert(owner("owner").mounting("held"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");

        scene.deletePod("owner").restart();
        scene.upsert(aPod("stranger").asking("1 cpu").mounting("other"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
    }

    @Test
    @Scenario(111)
    void failedBindOfTheOwnerGivesTheVolumesBackToTheReservation() {
        limitOn("n1", 1).limitOn("n2", 0);
        bindOfDriver("held");
        bindOfDriver("other");
        scene.createReservation(mounting("r", "held"));
        scene.setServerMode(ServerMode.DENYING).upsert(owner("owner").mounting("held"));
        assertThat(scene.nodeOf("owner")).isEmpty();

        scene.deletePod("owner")
                .setServerMode(ServerMode.ACCEPTING)
                .upsert(aPod("stranger").asking("1 cpu").mounting("other"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
    }

    @Test
    @Scenario(111)
    void ephemeralVolumesOfATemplateCountByTheirStorageClass() {
        limitOn("n1", 1).limitOn("n2", 0);
        bindOfDriver("other");
        scene.upsert(new StorageClass("made", "class-made", DRIVER, true, List.of()));
        scene.createReservation(reservation("r").mountingEphemeralOfClass("made"));
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");

        scene.upsert(aPod("stranger").asking("1 cpu").mounting("other"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.volumeWrites()).isEmpty();
    }

    @Test
    @Scenario(111)
    void ownerUsesTheUnusedOneOfTwoReservationsWithEqualVolumesAndAmounts() {
        limitOn("n1", 2).limitOn("n2", 0);
        bindOfDriver("other");
        bindOfDriver("mine");
        scene.upsert(new StorageClass("made", "class-made", DRIVER, true, List.of()));
        scene.createReservation(
                reservation("ra").mountingEphemeralOfClass("made").shared().onNode("n1"));
        scene.upsert(aPod("idle").labelled("app", "web"));
        assertThat(scene.status("ra").currentOwners()).hasSize(1);
        scene.createReservation(reservation("rb")
                        .mountingEphemeralOfClass("made")
                        .shared()
                        .onNode("n1"))
                .upsert(aPod("stranger").asking("1 cpu").mounting("other"));
        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");

        scene.upsert(owner("owner").mounting("mine"));

        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
        assertThat(scene.status("rb").currentOwners()).hasSize(1);
    }

    @Test
    @Scenario(110)
    void nonOwnerDoesNotGetTheClaimWhileTheBindOfTheOwnerIsInFlight() {
        bindExclusively("data");
        scene.createReservation(mounting("r", "data").onNode("n2"));
        scene.delayAnswers(true).upsert(owner("owner").mounting("data"));

        scene.upsert(aPod("stranger").asking("1 cpu").mounting("data")).advance(BACKOFF);
        scene.delayAnswers(false).advance(BACKOFF);

        assertThat(scene.nodeOf("owner")).isEqualTo("n2");
        assertThat(scene.nodeOf("stranger")).isEmpty();
    }

    @Test
    void reservationIsPlacedWhereItsBoundVolumeIs() {
        scene.upsert(aVolume("v").on("n2").boundTo(aClaim("data").build()).build())
                .upsert(aClaim("data").boundTo("v").build());

        scene.createReservation(mounting("r", "data"));

        assertThat(scene.status("r").nodeName()).isEqualTo("n2");
    }

    @Test
    void reservationWithAMissingClaimIsPlacedOnceTheClaimExists() {
        scene.createReservation(mounting("r", "data"));
        assertThat(scene.status("r").conditions().toString()).contains("persistentvolumeclaim \"data\" not found");

        scene.upsert(aVolume("v").build()).upsert(aClaim("data").boundTo("v").build());
        scene.advance(BACKOFF);

        assertThat(scene.status("r").nodeName()).isEqualTo("n1");
    }

    @Test
    void reservationDoesNotBindItsClaimAndItsOwnerDoes() {
        scene.upsert(new StorageClass("made", "class-made", DRIVER, true, List.of()))
                .upsert(aClaim("data").ofClass("made").build());
        scene.createReservation(mounting("r", "data").onNode("n2"));
        assertThat(scene.status("r").nodeName()).isEqualTo("n2");
        scene.advance(BACKOFF).restart();
        assertThat(scene.volumeWrites()).isEmpty();

        scene.upsert(owner("owner").mounting("data"));

        assertThat(scene.volumeWrites()).hasSize(1);
        assertThat(scene.volumeWrites().get(0).toString()).contains("n2");
    }

    @Test
    void reservationWaitsForANodeThatCanProvideItsUnboundClaim() {
        scene.upsert(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()))
                .upsert(aClaim("data").ofClass("local").build());
        scene.createReservation(mounting("r", "data"));
        assertThat(scene.status("r").nodeName()).isEmpty();

        scene.upsert(aVolume("v").ofClass("local").on("n2").build()).advance(BACKOFF);

        assertThat(scene.status("r").nodeName()).isEqualTo("n2");
        assertThat(scene.volumeWrites()).isEmpty();
    }

    @Test
    void claimOfTheSameNameInAnotherNamespaceIsAnotherClaim() {
        bindExclusively("data");
        scene.upsert(aVolume("of-team").build())
                .upsert(aClaim("team/data")
                        .withAccessModes("ReadWriteOncePod")
                        .boundTo("of-team")
                        .build());
        scene.createReservation(mounting("r", "data").onNode("n1"));

        scene.upsert(aPod("team/stranger").asking("1 cpu").mounting("data"));

        assertThat(scene.nodeOf("stranger")).isNotEmpty();
    }

    private void bindExclusively(String claim) {
        scene.upsert(aVolume("volume-" + claim).build())
                .upsert(aClaim(claim)
                        .withAccessModes("ReadWriteOncePod")
                        .boundTo("volume-" + claim)
                        .build());
    }

    private void bindOfDriver(String claim) {
        scene.upsert(aVolume("volume-" + claim).ofDriver(DRIVER).build())
                .upsert(aClaim(claim).boundTo("volume-" + claim).build());
    }

    private VolumeScenariosTest limitOn(String node, long volumes) {
        scene.upsert(new CsiNode(node, "csi-" + node, Map.of(DRIVER, volumes), Set.of()));
        return this;
    }

    private static ReservationBuilder mounting(String name, String claim) {
        return reservation(name).mounting(claim);
    }

    private static ReservationBuilder reservation(String name) {
        return aReservation(name).requesting("1 cpu");
    }

    private static PodBuilder owner(String name) {
        return aPod(name).labelled("app", "web").asking("1 cpu");
    }
}
