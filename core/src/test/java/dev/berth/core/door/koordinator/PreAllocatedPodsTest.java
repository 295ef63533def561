package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Running pods that a reservation takes over: what is promised, at every point where Berth may be killed. */
class PreAllocatedPodsTest {
    private static final String LABEL = "pod.koordinator.sh/is-pre-allocatable";
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aNodeOfEightCpusWithACandidate() {
        cluster.withSettings(ReservationSettings.DEFAULT.withPreAllocation(
                new PreAllocationSettings(true, LABEL, "pod.koordinator.sh/pre-allocatable-priority", false)));
        cluster.upsert(aNode("n").with("8 cpu", "110 pods")).upsert(candidate("a"));
    }

    private static PodBuilder candidate(String name) {
        return aPod(name)
                .asking("4 cpu")
                .labelled("app", "web")
                .labelled(LABEL, "true")
                .on("n");
    }

    private static ReservationBuilder reservation(String name) {
        return aReservation(name)
                .requesting("8 cpu")
                .shared()
                .restricted()
                .preAllocating(PreAllocation.Mode.DEFAULT, false);
    }

    private List<String> taken(String reservation) {
        return cluster.status(reservation).currentOwners().stream()
                .map(CurrentOwner::name)
                .toList();
    }

    private List<HoldId> holdsBackedBy(String pod) {
        return cluster.ledger().holdsBackedBy(cluster.pod(pod).uid(), "n");
    }

    @Test
    void takenOverPodDoesNotConsumeAnAllocateOnceReservation() {
        cluster.createReservation(reservation("r").allocateOnce());
        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertThat(taken("r")).containsExactly("a");

        cluster.restart().deletePod("a");
        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertThat(taken("r")).isEmpty();

        cluster.upsert(aPod("owner").asking("8 cpu").labelled("app", "web"));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.SUCCEEDED);
        assertThat(taken("r")).containsExactly("owner");
    }

    @Test
    void annotationOnATakenOverPodDoesNotConsumeAnAllocateOnceReservation() {
        cluster.createReservation(reservation("r").allocateOnce());
        cluster.annotate("a", Claim.ANNOTATION, "koordinator/r");

        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertThat(cluster.cpuFree("n")).isZero();

        cluster.restart();
        assertThat(cluster.status("r").isAvailable()).isTrue();
    }

    @Test
    void podThatFinishesGivesItsResourcesToTheReservation() {
        cluster.createReservation(reservation("r"));
        cluster.changePod("a", pod -> pod.phase(PodPhase.SUCCEEDED))
                .upsert(aPod("other").asking("1 cpu"));

        assertThat(taken("r")).isEmpty();
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.cpuFree("n")).isZero();
    }

    @Test
    void onePodIsTakenOverByOneReservation() {
        cluster.createReservation(reservation("r")).createReservation(reservation("s"));

        assertThat(taken("r")).containsExactly("a");
        assertThat(cluster.status("s").isAvailable()).isFalse();
        assertThat(holdsBackedBy("a")).containsExactly(new HoldId("koordinator/r"));

        cluster.deleteReservation("r").advance(A_BACK_OFF);
        assertThat(taken("s")).containsExactly("a");
        assertThat(cluster.annotation("a", ALLOCATED)).contains("\"uid\":\"s\"");
    }

    @Test
    void podThatUsesAReservationIsNoCandidateInBothModes() {
        cluster.deletePod("a")
                .createReservation(aReservation("used").requesting("4 cpu").shared())
                .upsert(aPod("user").asking("4 cpu").labelled("app", "web").labelled(LABEL, "true"));
        assertThat(taken("used")).containsExactly("user");

        for (PreAllocation.Mode mode : PreAllocation.Mode.values()) {
            cluster.createReservation(
                    aReservation("r" + mode).requesting("8 cpu").restricted().preAllocating(mode, true));
            assertThat(cluster.status("r" + mode).isAvailable()).isFalse();
        }
    }

    @Test
    void annotationOfALiveReservationExcludesACandidate() {
        cluster.createReservation(aReservation("other")
                        .requesting("1 cpu")
                        .forOwner(Owner.ofLabels(LabelSelector.of(Labels.of("app", "other")))))
                .annotate("a", ALLOCATED, "{\"name\":\"other\",\"uid\":\"other\"}")
                .createReservation(reservation("r").requesting("7 cpu"));
        assertThat(cluster.status("r").isAvailable()).isFalse();

        cluster.deleteReservation("other").advance(A_BACK_OFF);
        assertThat(taken("r")).containsExactly("a");
    }

    @Test
    void podThatIgnoresReservationsIsNoCandidate() {
        cluster.changePod(
                        "a",
                        pod ->
                                candidate("a")
                                        .labelled("scheduling.koordinator.sh/reservation-ignored", "true")
                                        .build()
                                        .toBuilder())
                .createReservation(reservation("r"));

        assertThat(cluster.status("r").isAvailable()).isFalse();
    }

    @Test
    void podThatDoesNotTolerateTheTaintsOfTheReservationIsNoCandidate() {
        for (PreAllocation.Mode mode : PreAllocation.Mode.values()) {
            cluster.createReservation(aReservation("r" + mode)
                    .requesting("8 cpu")
                    .restricted()
                    .tainted("team", "x")
                    .preAllocating(mode, false));
            assertThat(cluster.status("r" + mode).isAvailable()).isFalse();
        }
    }

    @Test
    void podWhoseAffinityNamesAnotherReservationIsNoCandidate() {
        for (PreAllocation.Mode mode : PreAllocation.Mode.values()) {
            cluster.deletePod("a").upsert(requiringReservation("a", "other"));
            cluster.createReservation(reservation("r").preAllocating(mode, false));
            assertThat(cluster.status("r").isAvailable()).isFalse();

            cluster.deletePod("a").upsert(requiringReservation("a", "r")).advance(A_BACK_OFF);
            assertThat(taken("r")).containsExactly("a");
            cluster.deleteReservation("r");
        }
    }

    private static PodBuilder requiringReservation(String pod, String reservation) {
        return candidate(pod)
                .withSpec(spec ->
                        spec.reservations(ReservationConstraints.ofAffinity(ReservationAffinity.ofName(reservation))));
    }

    @Test
    void podThatRequiresTheExactSizeOfAReservationIsNoCandidateOfALargerOne() {
        cluster.deletePod("a")
                .upsert(candidate("b")
                        .withSpec(spec -> spec.reservations(new ReservationConstraints(
                                Optional.empty(), List.of(ResourceName.CPU), Optional.empty()))))
                .createReservation(reservation("r"));

        assertThat(cluster.status("r").isAvailable()).isFalse();
    }

    @Test
    void filtersOfTheTemplateApplyToTheNodesOfCandidates() {
        cluster.upsert(aNode("n").with("8 cpu", "110 pods").tainted("gone", "", Taint.TaintEffect.NO_SCHEDULE))
                .createReservation(reservation("r").requiringPreAllocation());

        assertThat(cluster.events.get(cluster.events.size() - 1))
                .isEqualTo("FailedScheduling: 0/1 nodes are available: 1 node(s) had untolerated taint(s).");
    }

    @Test
    void hostPortOfACandidateIsTakenOverWithIt() {
        cluster.deletePod("a")
                .upsert(candidate("b").withHostPort(80))
                .createReservation(reservation("r").requestingHostPort(80));

        assertThat(taken("r")).containsExactly("b");
    }

    @Test
    void killedBeforeTheStatusIsWrittenBerthPlacesTheReservationAgain() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT).createReservation(reservation("r"));
        assertThat(holdsBackedBy("a")).hasSize(1);
        assertThat(cluster.annotation("a", ALLOCATED)).isEmpty();

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).restart();
        assertThat(taken("r")).containsExactly("a");
        assertThat(cluster.annotation("a", ALLOCATED)).contains("\"uid\":\"r\"");
        assertThat(cluster.cpuFree("n")).isZero();
    }

    @Test
    void killedBetweenTheStatusAndTheAnnotationBerthWritesTheAnnotation() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .createReservation(reservation("r"))
                .setServerMode(SchedulerScene.ServerMode.WATCH_STALLED);
        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertThat(cluster.annotation("a", ALLOCATED)).isEmpty();

        cluster.restart().setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertThat(taken("r")).containsExactly("a");
        assertThat(cluster.annotation("a", ALLOCATED)).contains("\"uid\":\"r\"");
        assertThat(cluster.cpuFree("n")).isZero();
        assertThat(cluster.ledger().claimBy(new PodUid("a"))).isEmpty();
    }

    @Test
    void podThatEndsWhileBerthIsDownLeavesItsRoomToTheReservation() {
        cluster.createReservation(reservation("r")).deletePodUnseen("a").restart();

        assertThat(taken("r")).isEmpty();
        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertThat(cluster.cpuFree("n")).isZero();
        assertThat(cluster.conditions("r")).doesNotContain("PreAllocated");
    }

    @Test
    void podThatEndsBeforeTheStatusIsWrittenLeavesItsRoomToTheReservation() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .createReservation(reservation("r"))
                .deletePod("a")
                .upsert(aPod("other").asking("1 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).restart();
        assertThat(cluster.status("r").isAvailable()).isTrue();
        assertThat(cluster.cpuFree("n")).isZero();
    }

    @Test
    void deniedStatusReleasesThePod() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING).createReservation(reservation("r"));

        assertThat(cluster.ledger().hold(new HoldId("koordinator/r"))).isEmpty();
        assertThat(cluster.annotation("a", ALLOCATED)).isEmpty();
        assertThat(cluster.cpuFree("n")).isEqualTo(4_000);
    }

    @Test
    void editOfTheOwnersBeforeTheStatusIsWrittenReleasesThePod() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT).createReservation(reservation("r"));
        cluster.edit(aReservation("r").requesting("8 cpu").shared().preAllocating(PreAllocation.Mode.DEFAULT, false));

        assertThat(cluster.ledger().hold(new HoldId("koordinator/r"))).isEmpty();
    }

    @Test
    void ownerUsesWhatTheTakenOverPodLeaves() {
        cluster.createReservation(reservation("r"))
                .upsert(aPod("small").asking("4 cpu").labelled("app", "web"))
                .upsert(aPod("more").asking("1 cpu").labelled("app", "web"));

        assertThat(cluster.nodeOf("small")).isEqualTo("n");
        assertThat(cluster.nodeOf("more")).isEmpty();
        assertThat(taken("r")).containsExactly("a", "small");
        assertThat(cluster.status("r").allocated().get(ResourceName.CPU)).isEqualTo(8_000);

        cluster.deletePod("a").advance(A_BACK_OFF);
        assertThat(cluster.nodeOf("more")).isEqualTo("n");
    }

    @Test
    void reservationThatEndsLeavesThePodAlone() {
        cluster.createReservation(reservation("r").until(cluster.clock.instant().plusSeconds(60)));
        cluster.advance(Duration.ofSeconds(61));

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).doesNotContain("PreAllocated");
        assertThat(cluster.hasPod("a")).isTrue();
        assertThat(cluster.cpuFree("n")).isEqualTo(4_000);
    }

    @Test
    void theStatusDoesNotSayThatPodsOfADeletedNodeAreTakenOver() {
        cluster.createReservation(reservation("r"));
        assertThat(cluster.conditions("r")).contains("PreAllocated=true");
        cluster.deleteNode("n");
        assertThat(cluster.conditions("r")).contains("Ready=false/NodeDeleted").doesNotContain("PreAllocated");
        assertThat(taken("r")).isEmpty();
    }
}
