package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationBuilder;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reservations that take over running pods. The node has 16 cpu and 32Gi. */
class PreAllocationTest {
    private static final String LABEL = "pod.koordinator.sh/is-pre-allocatable";
    private static final String PRIORITY = "pod.koordinator.sh/pre-allocatable-priority";
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);

    /** A cluster with one node, on which a pod that is no candidate uses all but {@code free}. */
    private static final class Case {
        private final PreAllocation.Mode mode;
        private final boolean multiple;
        private final KoordinatorScene cluster = new KoordinatorScene();
        private ReservationBuilder reservation = aReservation("r");

        Case(PreAllocation.Mode mode, boolean multiple, boolean preferNoPods) {
            this.mode = mode;
            this.multiple = multiple;
            cluster.withSettings(ReservationSettings.DEFAULT.withPreAllocation(
                    new PreAllocationSettings(true, LABEL, PRIORITY, preferNoPods)));
            cluster.upsert(aNode("n").with("16 cpu", "32Gi memory", "110 pods"));
        }

        Case occupied(String... amounts) {
            cluster.upsert(aPod("other").asking(amounts).on("n"));
            return this;
        }

        Case candidate(String name, int priority, String... amounts) {
            cluster.upsert(candidatePod(name, amounts).annotated(PRIORITY, "" + priority));
            return this;
        }

        Case reservation(String... amounts) {
            reservation =
                    aReservation("r").requesting(amounts).shared().restricted().preAllocating(mode, multiple);
            cluster.createReservation(reservation);
            return this;
        }

        String phase() {
            return cluster.status("r").phase().value();
        }

        List<String> taken() {
            return cluster.status("r").currentOwners().stream()
                    .map(CurrentOwner::name)
                    .toList();
        }

        String message() {
            return cluster.events.get(cluster.events.size() - 1);
        }
    }

    private static PodBuilder candidatePod(String name, String... amounts) {
        return aPod(name)
                .asking(amounts)
                .labelled("app", "web")
                .labelled(LABEL, "true")
                .on("n");
    }

    private Case cluster(boolean multiple) {
        return new Case(PreAllocation.Mode.CLUSTER, multiple, false);
    }

    /** Both modes, with one pod and with several. */
    private List<Case> allCases() {
        List<Case> all = new ArrayList<>();
        for (PreAllocation.Mode mode : PreAllocation.Mode.values()) {
            all.add(new Case(mode, false, false));
            all.add(new Case(mode, true, false));
        }
        return all;
    }

    @Test
    @Scenario({87, 94})
    void reservationOnANodeWithoutPodsTakesOverNone() {
        for (Case it : allCases()) {
            it.reservation("8 cpu", "16Gi memory");

            assertThat(it.phase()).isEqualTo("Available");
            assertThat(it.taken()).isEmpty();
            assertThat(it.cluster.cpuFree("n")).isEqualTo(8_000);
        }
    }

    @Test
    @Scenario(88)
    void candidateOfTheHighestPriorityIsTakenOverEvenIfTheNodeHasCapacity() {
        Case it = cluster(true)
                .occupied("1 cpu", "2Gi memory")
                .candidate("low", 10, "2 cpu", "4Gi memory")
                .candidate("high", 20, "2 cpu", "4Gi memory")
                .reservation("8 cpu", "16Gi memory");

        assertThat(it.taken()).containsExactly("high");
        assertThat(it.cluster.cpuFree("n")).isEqualTo(16_000 - 1_000 - 4_000 - 6_000);
        assertThat(it.cluster.annotation("high", ALLOCATED)).isEqualTo("{\"name\":\"r\",\"uid\":\"r\"}");
        assertThat(it.cluster.annotation("low", ALLOCATED)).isEmpty();
    }

    @Test
    @Scenario(88)
    void noCandidateIsTakenOverIfFreeCapacityIsPreferred() {
        Case it = new Case(PreAllocation.Mode.CLUSTER, true, true)
                .occupied("1 cpu", "2Gi memory")
                .candidate("low", 10, "2 cpu", "4Gi memory")
                .candidate("high", 20, "2 cpu", "4Gi memory")
                .reservation("8 cpu", "16Gi memory");

        assertThat(it.phase()).isEqualTo("Available");
        assertThat(it.taken()).isEmpty();
        assertThat(it.cluster.cpuFree("n")).isEqualTo(16_000 - 1_000 - 4_000 - 8_000);
    }

    @Test
    @Scenario({89, 94})
    void withoutCandidatesTheFreeCapacityDecides() {
        for (Case it : allCases()) {
            it.occupied("11 cpu", "16Gi memory").reservation("8 cpu", "16Gi memory");

            assertThat(it.phase()).isEqualTo("Pending");
            assertThat(it.message()).isEqualTo("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu.");
        }
    }

    @Test
    @Scenario({90, 94})
    void reservationStaysPendingIfTheCandidatesAreTooSmallTogether() {
        for (Case it : allCases()) {
            it.occupied("10 cpu", "14Gi memory")
                    .candidate("a", 10, "1 cpu", "2Gi memory")
                    .candidate("b", 20, "1 cpu", "2Gi memory")
                    .reservation("8 cpu", "16Gi memory");

            assertThat(it.phase()).isEqualTo("Pending");
            assertThat(it.message()).contains("1 Insufficient cpu, 1 Insufficient memory");
        }
    }

    @Test
    @Scenario({91, 94})
    void candidateThatExceedsTheReservationIsSkipped() {
        for (PreAllocation.Mode mode : PreAllocation.Mode.values()) {
            Case it = new Case(mode, true, false)
                    .occupied("7 cpu", "14Gi memory")
                    .candidate("big", 90, "5 cpu", "10Gi memory")
                    .candidate("a", 10, "1 cpu", "2Gi memory")
                    .candidate("b", 10, "1 cpu", "2Gi memory")
                    .reservation("4 cpu", "8Gi memory");

            assertThat(it.taken()).containsExactly("a", "b");
            assertThat(it.cluster.cpuFree("n")).isZero();
        }
    }

    @Test
    @Scenario({91, 94})
    void onePodIsNotEnoughInTheSingleMode() {
        for (PreAllocation.Mode mode : PreAllocation.Mode.values()) {
            Case it = new Case(mode, false, false)
                    .occupied("7 cpu", "14Gi memory")
                    .candidate("big", 90, "5 cpu", "10Gi memory")
                    .candidate("a", 10, "1 cpu", "2Gi memory")
                    .candidate("b", 10, "1 cpu", "2Gi memory")
                    .reservation("4 cpu", "8Gi memory");

            assertThat(it.phase()).isEqualTo("Pending");
        }
    }

    @Test
    @Scenario({92, 94})
    void oneCandidateThatSufficesIsTakenOverAlone() {
        for (Case it : allCases()) {
            it.occupied("7 cpu", "14Gi memory")
                    .candidate("a", 10, "1 cpu", "2Gi memory")
                    .candidate("enough", 90, "2 cpu", "2Gi memory")
                    .reservation("8 cpu", "16Gi memory");

            assertThat(it.taken()).containsExactly("enough");
            assertThat(it.cluster.cpuFree("n")).isZero();
        }
    }

    @Test
    @Scenario({93, 94})
    void candidatesThatExceedTheReservationInOneResourceAreNotTakenOver() {
        for (Case it : allCases()) {
            it.occupied("7 cpu", "16Gi memory")
                    .candidate("cpu", 10, "5 cpu", "2Gi memory")
                    .candidate("memory", 20, "2 cpu", "10Gi memory")
                    .reservation("4 cpu", "8Gi memory");

            assertThat(it.phase()).isEqualTo("Pending");
            assertThat(it.message()).contains("1 Insufficient cpu, 1 Insufficient memory");
        }
    }

    @Test
    @Scenario(94)
    void largestCandidateOfTheOwnersIsTakenOverInTheModeDefault() {
        Case it = new Case(PreAllocation.Mode.DEFAULT, false, false)
                .candidate("small", 90, "2 cpu", "4Gi memory")
                .candidate("large", 10, "4 cpu", "8Gi memory")
                .reservation("8 cpu", "16Gi memory");

        assertThat(it.taken()).containsExactly("large");
    }

    @Test
    @Scenario(95)
    void reservationThatRequiresAPodWaitsForACandidate() {
        Case it = cluster(false);
        it.cluster.upsert(aNode("empty").with("16 cpu", "32Gi memory", "110 pods"));
        it.cluster.createReservation(requiring("8 cpu"));

        assertThat(it.phase()).isEqualTo("Pending");
        assertThat(it.message())
                .isEqualTo("FailedScheduling: 0/2 nodes are available: node(s) no pod match reservation with pre"
                        + " allocation required.");

        it.candidate("a", 0, "2 cpu");
        it.cluster.advance(A_BACK_OFF);

        assertThat(it.cluster.status("r").nodeName()).isEqualTo("n");
        assertThat(it.taken()).containsExactly("a");
    }

    @Test
    @Scenario(95)
    void nodeWithoutAFittingCandidateIsRejectedIfAPodIsRequired() {
        Case it = cluster(false);
        it.cluster.upsert(aNode("empty").with("16 cpu", "32Gi memory", "110 pods"));
        it.occupied("15 cpu").candidate("small", 0, "1 cpu");
        it.cluster.createReservation(requiring("8 cpu"));

        assertThat(it.message())
                .isEqualTo("FailedScheduling: 0/2 nodes are available: 1 node(s) no pod match reservation with pre"
                        + " allocation required, 1 node(s) no pod(s) to meet the pre-allocation requirements.");
    }

    private static ReservationBuilder requiring(String... amounts) {
        return aReservation("r")
                .requesting(amounts)
                .shared()
                .restricted()
                .preAllocating(PreAllocation.Mode.CLUSTER, false)
                .requiringPreAllocation();
    }

    @Test
    @Scenario(96)
    void candidateOfAnotherControllerIsNotTakenOver() {
        Case it = new Case(PreAllocation.Mode.DEFAULT, false, false);
        it.cluster
                .upsert(candidatePod("mine", "2 cpu").ownedBy("ReplicaSet/web"))
                .upsert(candidatePod("other", "4 cpu").ownedBy("ReplicaSet/db"))
                .createReservation(aReservation("r")
                        .requesting("8 cpu")
                        .shared()
                        .restricted()
                        .forOwner(new Owner(
                                Optional.empty(),
                                Optional.of(new Owner.ControllerMatch(
                                        Optional.empty(),
                                        Optional.of("ReplicaSet"),
                                        Optional.empty(),
                                        Optional.of("web"),
                                        Optional.empty())),
                                Optional.of(LabelSelector.of(Labels.of("app", "web")))))
                        .preAllocating(PreAllocation.Mode.DEFAULT, true));

        assertThat(it.taken()).containsExactly("mine");
    }

    @Test
    @Scenario(97)
    void policyOtherThanRestrictedIsRejectedWithAMessage() {
        Case it = cluster(false).candidate("a", 0, "2 cpu");
        it.cluster.createReservation(
                aReservation("r").requesting("8 cpu").shared().preAllocating(PreAllocation.Mode.CLUSTER, false));

        assertThat(it.phase()).isEqualTo("Pending");
        assertThat(it.cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        assertThat(it.message())
                .isEqualTo("FailedScheduling: 0/1 nodes are available: 1 node(s) reservation pre allocation is"
                        + " unsupported with current attributes. spec.preAllocation requires spec.allocatePolicy"
                        + " Restricted.");

        it.cluster.edit(aReservation("r")
                .requesting("8 cpu")
                .shared()
                .restricted()
                .preAllocating(PreAllocation.Mode.CLUSTER, false));
        it.cluster.advance(A_BACK_OFF);

        assertThat(it.taken()).containsExactly("a");
    }

    @Test
    @Scenario(97)
    void modeClusterIsRejectedWhileItIsDisabled() {
        KoordinatorScene cluster = new KoordinatorScene();
        cluster.upsert(aNode("n").with("16 cpu", "32Gi memory", "110 pods"))
                .upsert(candidatePod("a", "2 cpu"))
                .createReservation(aReservation("r")
                        .requesting("8 cpu")
                        .shared()
                        .restricted()
                        .preAllocating(PreAllocation.Mode.CLUSTER, false));

        assertThat(cluster.status("r").phase().value()).isEqualTo("Pending");
        assertThat(cluster.events.get(cluster.events.size() - 1))
                .startsWith("FailedScheduling: 0/1 nodes are available: reservation requires cluster mode"
                        + " pre-allocation which is disabled.");
    }

    @Test
    @Scenario(98)
    void reservationKeepsTheCapacityOfAPodThatEnded() {
        Case it = cluster(false)
                .occupied("8 cpu", "16Gi memory")
                .candidate("a", 0, "8 cpu", "16Gi memory")
                .reservation("8 cpu", "16Gi memory");
        assertThat(it.cluster.conditions("r")).contains("PreAllocated=true/PodsRunning");
        assertThat(it.cluster.status("r").allocated().get(ResourceName.CPU)).isEqualTo(8_000);

        it.cluster
                .upsert(aPod("stranger").asking("8 cpu"))
                .upsert(aPod("owner").asking("8 cpu").labelled("app", "web"));
        it.cluster.deletePod("a").advance(A_BACK_OFF);

        assertThat(it.cluster.nodeOf("stranger")).isEmpty();
        assertThat(it.cluster.nodeOf("owner")).isEqualTo("n");
        assertThat(it.taken()).containsExactly("owner");
        assertThat(it.cluster.conditions("r")).doesNotContain("PreAllocated");
    }

    @Test
    @Scenario(99)
    void changesOfCandidatesChangeTheirOrder() {
        Case it = cluster(false)
                .candidate("a", 10, "2 cpu")
                .candidate("b", 20, "2 cpu")
                .candidate("c", 0, "2 cpu");
        it.cluster.createReservation(requiring("8 cpu").onNode("elsewhere"));
        it.cluster.annotate("a", PRIORITY, "30").annotate("b", PRIORITY, "not a number");
        it.cluster.relabel("a", LABEL, "false");
        it.cluster.edit(requiring("8 cpu")).advance(A_BACK_OFF);

        assertThat(it.taken()).containsExactly("b");
    }

    @Test
    @Scenario(99)
    void labellingAPodRetriesTheReservation() {
        Case it = cluster(false);
        it.cluster.upsert(aPod("a").asking("2 cpu").on("n")).createReservation(requiring("8 cpu"));
        assertThat(it.phase()).isEqualTo("Pending");

        it.cluster.relabel("a", LABEL, "true").advance(A_BACK_OFF);

        assertThat(it.taken()).containsExactly("a");
    }
}
