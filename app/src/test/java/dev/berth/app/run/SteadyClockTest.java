package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant wall = START;
    private long nanos = -5_000_000_000L;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

    private void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    @Test
    void itShowsTheWallClockTime() {
        pass(Duration.ofMinutes(5));

        assertThat(clock.instant()).isEqualTo(wall);
    }

    @Test
    void itKeepsAdvancingWhenTheWallClockIsSetBack() {
        wall = wall.minus(Duration.ofHours(1));
        pass(Duration.ofSeconds(20));

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(19));
    }

    @Test
    void itConvergesWithTheWallClockAfterAStepBack() {
        wall = wall.minus(Duration.ofSeconds(3));
        for (int second = 0; second < 60; second++) {
            pass(Duration.ofSeconds(1));
            clock.instant();
        }

        assertThat(clock.instant()).isEqualTo(wall);
    }

    @Test
    void itFollowsAForwardStepAtOnce() {
        wall = wall.plus(Duration.ofHours(1));

        assertThat(clock.instant()).isEqualTo(wall);
    }

    @RandomHistories(count = 1, fresh = true)
    void itAlwaysAdvancesAndNeverLagsBehindTheWallClock(long seed) {
        Random random = new Random(seed);
        Instant before = clock.instant();
        for (int i = 0; i < 10_000; i++) {
            Duration passed = Duration.ofMillis(1 + random.nextInt(10_000));
            pass(passed);
            if (random.nextInt(10) == 0) {
                wall = wall.plusMillis(random.nextInt(200_000) - 100_000);
            }
            Instant now = clock.instant();
            assertThat(Duration.between(before, now))
                    .as("step %d", i)
                    .isGreaterThanOrEqualTo(passed.multipliedBy(19).dividedBy(20));
            assertThat(now).as("step %d", i).isAfterOrEqualTo(wall);
            before = now;
        }
    }
}
