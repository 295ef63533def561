package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reservations that ask for something that Berth does not support, such as a gang. */
class UnsupportedReservationTest {
    private static final String MESSAGE = "spec.template uses gang scheduling, which Berth does not support yet";

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant end = cluster.clock.instant().plus(Duration.ofMinutes(10));

    @BeforeEach
    void aNodeOfEightCpus() {
        cluster.upsert(aNode("n1").with("8 cpu"));
    }

    @Test
    void aReservationWithoutANodeStaysPendingAndIsReportedAsInvalid() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").unsupported(MESSAGE));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/InvalidReservation");
        assertThat(cluster.status("r").conditions().get(0).message()).isEqualTo(MESSAGE);
        assertThat(cluster.events).containsOnlyOnce("InvalidReservation: " + MESSAGE);
        assertThat(cluster.invalid()).isOne();

        cluster.edit(aReservation("r").requesting("6 cpu"));
        assertThat(cluster.status("r").nodeName()).isEqualTo("n1");
        assertThat(cluster.invalid()).isZero();
    }

    @Test
    void aPlacedReservationKeepsItsCapacityForItsOwnersUntilItsDeadline() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().until(end));
        cluster.edit(aReservation("r").requesting("6 cpu").shared().unsupported(MESSAGE));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");
        cluster.upsert(aPod("other").asking("4 cpu"))
                .upsert(aPod("owner").labelled("app", "web").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void aReservationOfAnotherSchedulerHoldsItsCapacityUntilItsDeadlineAsBefore() {
        ReservationStatus placed =
                ReservationStatus.ABSENT.toAvailable("n1", amounts("6 cpu"), cluster.clock.instant());
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .shared()
                        .until(end)
                        .scheduledBy("another-scheduler")
                        .withStatus(placed)
                        .unsupported(MESSAGE))
                .upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.events).noneMatch(event -> event.startsWith("InvalidReservation"));
        assertThat(cluster.invalid()).isZero();

        cluster.advance(Duration.ofMinutes(11));
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
        assertThat(cluster.writes).isZero();
    }
}
