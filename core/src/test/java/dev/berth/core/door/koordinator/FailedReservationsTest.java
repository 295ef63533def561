package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailedReservationsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final FailedReservations failed = new FailedReservations();

    private static Reservation availableOn(String node) {
        return aReservation("r")
                .withStatus(ReservationStatus.ABSENT.toAvailable(node, amounts("1 cpu"), NOW))
                .build("1");
    }

    private static Reservation failedOn(String node) {
        return aReservation("r")
                .withStatus(availableOn(node).status().toExpired("the Reservation expired", NOW))
                .build("2");
    }

    @Test
    void aFailedReservationIsFoundByItsNodeUntilItIsDeleted() {
        failed.onUpsert(availableOn("n1"), failedOn("n1"));
        assertThat(failed.on("n1")).containsExactly(failedOn("n1").uid());
        failed.remove(failedOn("n1"));
        assertThat(failed.on("n1")).isEmpty();
    }

    @Test
    void aReservationWhoseStatusAnotherProgramReplacesLeavesNoEntry() {
        failed.onUpsert(failedOn("n1"), failedOn("n1"));
        failed.onUpsert(failedOn("n1"), failedOn("n2"));
        assertThat(failed.on("n1")).isEmpty();
        assertThat(failed.on("n2")).hasSize(1);
        failed.onUpsert(failedOn("n2"), availableOn("n2"));
        assertThat(failed.on("n2")).isEmpty();
    }
}
