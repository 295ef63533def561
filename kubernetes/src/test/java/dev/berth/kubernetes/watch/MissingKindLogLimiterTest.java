package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MissingKindLogLimiterTest {
    private static final ListWatchFailure ABSENT =
            new ListWatchFailure(ListWatchFailure.FailureCause.NOT_INSTALLED, "no things", Optional.empty());
    private static final Duration BETWEEN_LISTS = Duration.ofSeconds(10);

    private final MissingKindLogLimiter reminder = new MissingKindLogLimiter();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aMissingKindIsLoggedImmediatelyAndThenAtLeastEveryTenMinutes() {
        assertThat(reminder.shouldLog(ABSENT, now)).isTrue();
        Instant last = now;
        int times = 0;
        for (int i = 0; i < 360; i++) {
            now = now.plus(BETWEEN_LISTS);
            if (reminder.shouldLog(ABSENT, now)) {
                assertThat(Duration.between(last, now)).isLessThanOrEqualTo(Duration.ofMinutes(10));
                last = now;
                times++;
            }
        }
        assertThat(times).as("in an hour").isBetween(6, 12);
    }

    @Test
    void anotherFailureInBetweenLogsTheMissingKindAgain() {
        reminder.shouldLog(ABSENT, now);
        assertThat(reminder.shouldLog(ABSENT, now)).isFalse();
        assertThat(reminder.shouldLog(ListWatchFailure.retryable("connection lost"), now))
                .isTrue();
        assertThat(reminder.shouldLog(ABSENT, now)).isTrue();
    }
}
