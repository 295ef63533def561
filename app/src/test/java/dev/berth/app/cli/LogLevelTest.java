package dev.berth.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogLevelTest {
    @ParameterizedTest
    @ValueSource(strings = {"trace", "debug", "info", "warn", "error", "off", "DEBUG"})
    void aKnownLevelIsAccepted(String level) {
        assertThat(LogLevel.validationError(Map.of("BERTH_LOG_LEVEL", level))).isEmpty();
    }

    @Test
    void anUnsetLevelIsAccepted() {
        assertThat(LogLevel.validationError(Map.of())).isEmpty();
        assertThat(LogLevel.validationError(Map.of("BERTH_LOG_LEVEL", ""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"debug,DEBUG,WARN", "trace,TRACE,WARN", "error,ERROR,WARN", "'',INFO,WARN"})
    void theLevelAppliesToBerthAndLibrariesStayAtWarn(String level, String ours, String theirs) throws JoranException {
        LoggerContext context = new LoggerContext();
        context.putProperty("BERTH_LOG_LEVEL", level);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Objects.requireNonNull(LogLevel.class.getResource("/logback.xml")));
        assertThat(context.getLogger("dev.berth.app").getEffectiveLevel()).hasToString(ours);
        assertThat(context.getLogger("io.netty").getEffectiveLevel()).hasToString(theirs);
        context.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbose", "warning"})
    void anUnknownLevelIsReportedWithTheKnownOnes(String level) {
        assertThat(LogLevel.validationError(Map.of("BERTH_LOG_LEVEL", level)))
                .hasValue("BERTH_LOG_LEVEL (%s) must be one of trace, debug, info, warn, error, off".formatted(level));
    }
}
