package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CachedValueTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int asked;
    private final CachedValue<Integer> cachedValue = new CachedValue<>(() -> ++asked, () -> now);

    @Test
    void aValueIsReusedWithinItsTtl() throws InterruptedException {
        assertThat(cachedValue.get()).isEqualTo(1);
        now = now.plus(CachedValue.TTL).minusNanos(1);
        assertThat(cachedValue.get()).isEqualTo(1);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aValueIsReloadedAfterItsTtl() throws InterruptedException {
        cachedValue.get();
        now = now.plus(CachedValue.TTL);
        assertThat(cachedValue.get()).isEqualTo(2);
    }

    @Test
    void aClockSetBackForcesAReload() throws InterruptedException {
        cachedValue.get();
        now = now.minus(Duration.ofHours(1));
        assertThat(cachedValue.get()).isEqualTo(2);
    }

    @Test
    void loadingTimeDoesNotCountTowardsTheTtl() throws InterruptedException {
        CachedValue<Integer> slow = new CachedValue<>(
                () -> {
                    now = now.plusSeconds(2);
                    return ++asked;
                },
                () -> now);
        slow.get();
        assertThat(slow.get()).isEqualTo(1);
    }
}
