package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchHealthTest {
    @Test
    void aKindThatTwoWatchesReadFailsWhereOneOfThemDoes() {
        WatchHealth.State works = new WatchHealth.State("statefulsets", 0, 1, "", 2, 3, false);
        WatchHealth.State fails = new WatchHealth.State("statefulsets", 3, 4, "403 Forbidden", 2, 1, true);
        assertThat(works.and(fails))
                .isEqualTo(fails.and(works))
                .isEqualTo(new WatchHealth.State("statefulsets", 3, 5, "403 Forbidden", 2, 4, true));
        assertThat(works.and(fails).failing()).isTrue();
    }
}
