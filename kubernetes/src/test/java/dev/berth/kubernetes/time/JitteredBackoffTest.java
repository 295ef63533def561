package dev.berth.kubernetes.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JitteredBackoffTest {
    @Test
    void delaysDoubleUpToTheMaximumAndRestartAfterASuccess() {
        JitteredBackoff jitteredBackoff =
                new JitteredBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5), new Random(1));
        for (int base : new int[] {1, 2, 4, 5, 5}) {
            assertThat(jitteredBackoff.next()).isBetween(Duration.ofSeconds(base), Duration.ofMillis(base * 1500L));
        }
        jitteredBackoff.reset();
        assertThat(jitteredBackoff.next()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
    }

    @Test
    void invalidBoundsAreRejected() {
        assertThatThrownBy(() -> new JitteredBackoff(Duration.ZERO, Duration.ofSeconds(1), new Random(1)))
                .hasMessageContaining("pauses from (PT0S) to (PT1S)");
        assertThatThrownBy(() -> new JitteredBackoff(Duration.ofSeconds(2), Duration.ofSeconds(1), new Random(1)))
                .hasMessageContaining("not above");
    }
}
