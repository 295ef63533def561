package dev.berth.kubernetes.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.queue.BackoffPolicy;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JitteredBackoffTest {
    @Test
    void delaysDoubleUpToTheMaximumAndRestartAfterASuccess() {
        JitteredBackoff jitteredBackoff =
                new JitteredBackoff(new BackoffPolicy(Duration.ofSeconds(1), Duration.ofSeconds(5)), new Random(1));
        for (int base : new int[] {1, 2, 4, 5, 5}) {
            assertThat(jitteredBackoff.next()).isBetween(Duration.ofSeconds(base), Duration.ofMillis(base * 1500L));
        }
        jitteredBackoff.reset();
        assertThat(jitteredBackoff.next()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
    }
}
