package dev.berth.core.door.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class WaitingReservationsTest {
    private final WaitingReservations waiting = new WaitingReservations();

    private static Placeholder reservation(String name, String node) {
        return Placeholder.builder("default", name, "uid-" + name, Instant.EPOCH)
                .key("j")
                .node(node)
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
