package dev.berth.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LatelyTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int asked;
    private final Lately<Integer> lately = new Lately<>(() -> ++asked, () -> now);

    @Test
    void manyWhoAskWithinASecondAreToldTheSame() throws InterruptedException {
        assertThat(lately.ask()).isEqualTo(1);
        now = now.plus(Lately.GOOD_FOR).minusNanos(1);
        assertThat(lately.ask()).isEqualTo(1);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aSecondLaterItIsFoundOutAnew() throws InterruptedException {
        lately.ask();
        now = now.plus(Lately.GOOD_FOR);
        assertThat(lately.ask()).isEqualTo(2);
    }

    @Test
    void aClockThatIsSetBackKeepsNoAnswerAlive() throws InterruptedException {
        lately.ask();
        now = now.minus(Duration.ofHours(1));
        assertThat(lately.ask()).isEqualTo(2);
    }

    @Test
    void theTimeItTookToFindOutDoesNotCount() throws InterruptedException {
        Lately<Integer> slow = new Lately<>(
                () -> {
                    now = now.plusSeconds(2);
                    return ++asked;
                },
                () -> now);
        slow.ask();
        assertThat(slow.ask()).isEqualTo(1);
    }
}
