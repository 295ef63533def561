package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLevelTest {
    @ParameterizedTest
    @ValueSource(strings = {"trace", "debug", "info", "warn", "error", "off", "DEBUG"})
    void aLevelThatIsKnownIsTaken(String level) {
        assertThat(LogLevel.complaint(Map.of("BERTH_LOG", level))).isEmpty();
    }

    @Test
    void withoutAWordThereIsNothingToComplainOf() {
        assertThat(LogLevel.complaint(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbose", "warning", ""})
    void aMisspeltLevelIsNamedWithThoseThereAre(String level) {
        assertThat(LogLevel.complaint(Map.of("BERTH_LOG", level)))
                .hasValue("BERTH_LOG (%s) must be one of trace, debug, info, warn, error, off".formatted(level));
    }
}
