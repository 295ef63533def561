package dev.berth.core.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class WaitingReservationsTest {
    private final WaitingReservations waiting = new WaitingReservations();

    private static GodelReservation reservation(String name, String node) {
        return GodelReservation.builder("default", name, "uid-" + name, Instant.EPOCH)
                .key("j")
                .nodeName(node)
                .build();
    }

    @Test
    void theLoopIsNotWokenForANodeWhoseReservationsWereDeletedBeforeTheyWereTried() {
        waiting.add(reservation("a", "n1"));
        waiting.add(reservation("b", "n2"));
        waiting.nodeChanged("n1");
        waiting.nodeChanged("n2");
        waiting.remove("uid-a");
        assertThat(waiting.nextWake()).as("b is still to be tried").isPresent();

        waiting.remove("uid-b");

        assertThat(waiting.nextWake()).isEmpty();
    }
}
