package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When Berth deletes reservations whose last status is from koord-scheduler or from a user, not from Berth. */
class EndOfForeignStatusTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant start = cluster.clock.instant();
    private final Instant twoDaysAgo = start.minus(Duration.ofDays(2));

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu"));
    }

    @Test
    void aReservationThatWasAvailableForTwoDaysAndUsedAMinuteAgoStaysForADay() {
        takeOver("n1", ReservationPhase.SUCCEEDED, readyFalse("Succeeded", start.minus(MINUTE), twoDaysAgo));
        assertThat(cluster.exists("r")).as("when Berth takes over").isTrue();
        cluster.advance(DAY.minus(MINUTE).minusSeconds(1));
        assertThat(cluster.exists("r")).as("a second less than a day later").isTrue();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.exists("r")).as("a day after its use").isFalse();
    }

    @Test
    void aReservationThatKoordinatorExpiredTwoDaysAgoIsDeletedAtOnce() {
        takeOver("n1", ReservationPhase.FAILED, readyFalse("Expired", twoDaysAgo, twoDaysAgo));
        assertThat(cluster.exists("r")).isFalse();
    }

    @Test
    void anEndedReservationWithoutConditionsIsDeletedADayAfterBerthSawIt() {
        takeOver("n1", ReservationPhase.FAILED);
        assertIsDeletedAfter(DAY);
    }

    @Test
    void aFailedReservationWithoutConditionsIsDeletedAfterAMinuteIfItsNodeDoesNotExist() {
        takeOver("gone", ReservationPhase.FAILED);
        assertIsDeletedAfter(MINUTE);
    }

    @Test
    void aFailedReservationWithoutConditionsIsDeletedWhenItsNodeIsDeletedLater() {
        takeOver("n1", ReservationPhase.FAILED);
        cluster.advance(MINUTE);
        assertThat(cluster.exists("r")).isTrue();
        cluster.deleteNode("n1");
        assertThat(cluster.exists("r")).isFalse();
    }

    @Test
    void aReservationWhosePhaseAUserPatchedStaysForADayFromThePatchOn() {
        cluster.createReservation(aReservation("r").requesting("4 cpu").createdAt(twoDaysAgo));
        cluster.advance(Duration.ofDays(2));
        ReservationStatus available = cluster.status("r");
        assertThat(available.phase()).isEqualTo(ReservationPhase.AVAILABLE);
        cluster.writeStatusAsOtherScheduler(
                "r",
                status("n1", ReservationPhase.FAILED, available.conditions().toArray(new ReservationCondition[0])));
        assertIsDeletedAfter(DAY);
    }

    @Test
    void aConditionThatIsOlderThanThePatchedPhaseIsNotItsEnd() {
        takeOver("n1", ReservationPhase.SUCCEEDED, readyFalse("Overcommitted", twoDaysAgo, twoDaysAgo));
        assertIsDeletedAfter(DAY);
    }

    @Test
    void aConditionWithoutTimesIsNotTheEnd() {
        takeOver("n1", ReservationPhase.FAILED, readyFalse("Expired", Instant.EPOCH, Instant.EPOCH));
        assertIsDeletedAfter(DAY);
    }

    private void assertIsDeletedAfter(Duration time) {
        assertThat(cluster.exists("r")).as("at first").isTrue();
        cluster.advance(time.minusSeconds(1));
        assertThat(cluster.exists("r")).as("a second before the end").isTrue();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.exists("r")).as("after %s", time).isFalse();
    }

    private void takeOver(String node, ReservationPhase phase, ReservationCondition... conditions) {
        cluster.createReservation(aReservation("r")
                .requesting("4 cpu")
                .createdAt(twoDaysAgo)
                .withStatus(status(node, phase, conditions)));
    }

    private static ReservationStatus status(String node, ReservationPhase phase, ReservationCondition... conditions) {
        return new ReservationStatus(phase, node, amounts("4 cpu"), Resources.NONE, List.of(), List.of(conditions));
    }

    private static ReservationCondition readyFalse(String reason, Instant probed, Instant changed) {
        return new ReservationCondition(ReservationCondition.Type.READY, false, reason, "", probed, changed);
    }
}
