package dev.berth.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void registeredPartsAreClosedInReverseOrder() {
        try (Shutdown shutdown = new Shutdown()) {
            shutdown.register(part("first"));
            shutdown.register(part("second"));
        }
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void aPartRegisteredAfterCloseIsClosedAtOnce() {
        Shutdown shutdown = new Shutdown();
        shutdown.close();
        assertThatThrownBy(() -> shutdown.register(part("late")))
                .isInstanceOf(UserError.class)
                .hasMessage("Berth was stopped while it was starting");
        assertThat(closed).containsExactly("late");
    }

    @Test
    void aFailingPartDoesNotPreventTheOthersFromClosing() {
        try (Shutdown shutdown = new Shutdown()) {
            shutdown.register(part("first"));
            shutdown.register((AutoCloseable) () -> {
                throw new IllegalStateException("broken");
            });
        }
        assertThat(closed).containsExactly("first");
    }

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }
}
