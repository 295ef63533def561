package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners of a Reservation preempt each other inside of it, and no other pod takes its room by preemption. */
class OwnersPreemptOwnersTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final KoordinatorScene scene =
            new KoordinatorScene().withPreemption().upsert(aNode("n1").with("8 cpu", "8Gi memory", "20 pods"));

    private static PodBuilder owner(String name, String cpu, int priority) {
        return aPod(name).labelled("app", "web").asking(cpu).ofPriority(priority);
    }

    private static UnaryOperator<ReservationBuilder> policy(String name) {
        return reservation -> name.equals("Restricted") ? reservation.restricted() : reservation;
    }

    private String reservationOf(String pod) {
        return scene.annotation(pod, RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED);
    }

    @Test
    @Scenario(125)
    void aNonOwnerOfTheHighestPriorityNeverEvictsAnOwnerInTheReservation() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(owner("low", "8 cpu", 1))
                .upsert(aPod("stranger").asking("1 cpu").ofPriority(Integer.MAX_VALUE))
                .advance(A_WHILE);

        assertThat(reservationOf("low")).contains("\"r\"");
        assertThat(scene.podWrites()).isEmpty();
        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.unschedulableMessages.get("stranger")).contains("Insufficient cpu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Aligned", "Restricted"})
    @Scenario(126)
    void anOwnerOfHigherPriorityEvictsAnOwnerOfLowerPriorityAndUsesTheReservation(String policy) {
        scene.createReservation(policy(policy)
                        .apply(aReservation("r")
                                .requesting("6 cpu", "6Gi memory")
                                .shared()))
                .upsert(owner("filler", "2 cpu", 100).labelled("app", "other"))
                .upsert(aPod("low")
                        .labelled("app", "web")
                        .asking("6 cpu", "6Gi memory")
                        .ofPriority(1))
                .upsert(aPod("high")
                        .labelled("app", "web")
                        .asking("6 cpu", "2Gi memory")
                        .ofPriority(10));
        assertThat(scene.podWrites()).containsExactly("nominate high to n1", "mark low", "delete low");

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(reservationOf("high")).contains("\"r\"");
        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("high");
    }

    /** Victims give two cpus in the Reservation and two on the node. */
    private void requestFourOfVictimsInsideAndOutside(String policy) {
        scene.upsert(aPod("fixed").asking("4 cpu").ofPriority(100))
                .createReservation(policy(policy)
                        .apply(aReservation("r").requesting("2 cpu").shared()))
                .upsert(owner("inside", "2 cpu", 1))
                .upsert(aPod("outside").asking("2 cpu").ofPriority(1))
                .upsert(owner("high", "4 cpu", 10));
    }

    @Test
    @Scenario(127)
    void anAlignedReservationAddsVictimsInsideAndOnTheNode() {
        requestFourOfVictimsInsideAndOutside("Aligned");
        assertThat(scene.podWrites()).contains("delete inside", "delete outside");

        scene.deletePod("inside").deletePod("outside").advance(A_WHILE);
        assertThat(reservationOf("high")).contains("\"r\"");
    }

    @Test
    @Scenario(127)
    void aRestrictedReservationNeedsVictimsInside() {
        requestFourOfVictimsInsideAndOutside("Restricted");
        scene.advance(A_WHILE);

        assertThat(scene.podWrites()).isEmpty();
        assertThat(scene.nodeOf("high")).isEmpty();
    }

    @Test
    @Scenario(46)
    void theLimitOfPodsInARestrictedReservationIsRelievedByOneVictim() {
        scene.createReservation(
                        aReservation("r").requesting("4 cpu", "2 pods").shared().restricted())
                .upsert(aPod("fixed").asking("4 cpu").ofPriority(100))
                .upsert(owner("low-1", "1 cpu", 1))
                .upsert(owner("low-2", "1 cpu", 2))
                .upsert(owner("high", "1 cpu", 10));
        assertThat(scene.podWrites()).containsExactly("nominate high to n1", "mark low-1", "delete low-1");

        scene.deletePod("low-1").advance(A_WHILE);

        assertThat(reservationOf("high")).contains("\"r\"");
        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("high", "low-2");
    }

    @Test
    @Scenario(131)
    void theReservationIsKeptForTheNominatedOwnerUntilItLands() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(owner("low", "8 cpu", 1))
                .upsert(owner("high", "4 cpu", 10))
                .deletePod("low");
        scene.upsert(owner("other", "8 cpu", 5)).restart().advance(A_WHILE);

        assertThat(reservationOf("high")).contains("\"r\"");
        assertThat(scene.nodeOf("other")).isEmpty();
    }

    @Test
    @Scenario(131)
    void theReservationHasItsCapacityAgainIfTheNominatedOwnerGivesUp() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(owner("low", "8 cpu", 1))
                .upsert(owner("high", "8 cpu", 10))
                .deletePod("high");
        scene.deletePod("low").upsert(owner("other", "8 cpu", 0)).advance(A_WHILE);

        assertThat(reservationOf("other")).contains("\"r\"");
    }

    /** A pod that ignored the Reservation is an ordinary pod on its node: an owner of higher priority may evict it. */
    @Test
    @Scenario(76)
    void anOwnerRegainsTheCapacityThatAnotherPodTook() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsertPodOfOtherScheduler(
                        aPod("taker").asking("8 cpu").ofPriority(1).on("n1"))
                .upsert(owner("high", "8 cpu", 10));
        assertThat(scene.podWrites()).contains("delete taker");

        scene.deletePod("taker").advance(A_WHILE);
        assertThat(reservationOf("high")).contains("\"r\"");
    }

    /** The owner must not evict a pod and then wait for ever: its nomination draws on the Reservation that it names. */
    @Test
    void anOwnerThatNamesAnAllocateOnceReservationUsesItOnceItsVictimHasLeft() {
        scene.createReservation(aReservation("r").requesting("8 cpu"))
                .upsertPodOfOtherScheduler(
                        aPod("low").asking("2 cpu").ofPriority(1).on("n1"))
                .upsert(owner("high", "8 cpu", 10)
                        .withSpec(spec ->
                                spec.reservations(ReservationConstraints.ofAffinity(ReservationAffinity.ofName("r")))));
        assertThat(scene.podWrites()).containsExactly("nominate high to n1", "mark low", "delete low");

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(reservationOf("high")).contains("\"r\"");
    }
}
