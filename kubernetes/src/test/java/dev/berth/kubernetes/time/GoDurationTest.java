package dev.berth.kubernetes.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
    @ParameterizedTest
    @ValueSource(strings = {"0s", "15s", "1m30s", "200ms", "36h", "1h2m3s4ms"})
    void aFormattedDurationParsesBack(String text) {
        assertThat(GoDuration.format(GoDuration.parse(text))).isEqualTo(text);
    }

    @Test
    void aNegativeDurationIsRejected() {
        assertThatThrownBy(() -> GoDuration.format(Duration.ofSeconds(-1))).hasMessageContaining("is negative");
    }
}
