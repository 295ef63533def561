package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void whatIsOwnedEndsLastFirst() {
        try (Shutdown shutdown = new Shutdown()) {
            shutdown.owns(part("first"));
            shutdown.owns(part("second"));
        }
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void whatComesAfterTheEndIsEndedAtOnce() {
        Shutdown shutdown = new Shutdown();
        shutdown.close();
        assertThatThrownBy(() -> shutdown.owns(part("late")))
                .isInstanceOf(UserError.class)
                .hasMessage("it was asked to stop while it started");
        assertThat(closed).containsExactly("late");
    }

    @Test
    void aPartThatBreaksDoesNotKeepTheOthersFromEnding() {
        try (Shutdown shutdown = new Shutdown()) {
            shutdown.owns(part("first"));
            shutdown.owns((AutoCloseable) () -> {
                throw new IllegalStateException("broken");
            });
        }
        assertThat(closed).containsExactly("first");
    }

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }
}
