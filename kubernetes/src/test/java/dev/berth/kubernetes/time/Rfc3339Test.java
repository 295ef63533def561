package dev.berth.kubernetes.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
    @Test
    void aTimeWithAnOffsetIsRead() {
        assertThat(Rfc3339.parse("2030-01-31T14:00:00+02:00")).isEqualTo(Instant.parse("2030-01-31T12:00:00Z"));
        assertThat(Rfc3339.parse("9999-12-31T23:59:59Z")).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
        assertThat(Rfc3339.ofEpochSeconds(12, 500_000_000)).isEqualTo(Instant.ofEpochMilli(12_500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+10000-01-01T00:00:00Z", "+999999999-12-31T23:59:59Z", "0000-01-01T00:00:00Z"})
    void aTimeThatKubernetesCannotWriteIsRejected(String text) {
        assertThatThrownBy(() -> Rfc3339.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("(%s) must be in the years 1 to 9999".formatted(text));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, 253_402_300_800L})
    void secondsBeyondTheYear9999AreRejected(long seconds) {
        assertThatThrownBy(() -> Rfc3339.ofEpochSeconds(seconds, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be in the years 1 to 9999");
    }
}
