package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AbsenceReminderTest {
    private static final Failure ABSENT = new Failure(Failure.Kind.ABSENT, "no things", Optional.empty());
    private static final Duration BETWEEN_LISTS = Duration.ofSeconds(10);

    private final AbsenceReminder reminder = new AbsenceReminder();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aKindThatStaysAbsentIsLoggedAtOnceAndAtLeastEveryTenMinutes() {
        assertThat(reminder.due(ABSENT, now)).isTrue();
        Instant last = now;
        int times = 0;
        for (int i = 0; i < 360; i++) {
            now = now.plus(BETWEEN_LISTS);
            if (reminder.due(ABSENT, now)) {
                assertThat(Duration.between(last, now)).isLessThanOrEqualTo(Duration.ofMinutes(10));
                last = now;
                times++;
            }
        }
        assertThat(times).as("in an hour").isBetween(6, 12);
    }

    @Test
    void anotherFailureInBetweenMakesTheAbsenceNews() {
        reminder.due(ABSENT, now);
        assertThat(reminder.due(ABSENT, now)).isFalse();
        assertThat(reminder.due(Failure.broken("connection lost"), now)).isTrue();
        assertThat(reminder.due(ABSENT, now)).isTrue();
    }
}
