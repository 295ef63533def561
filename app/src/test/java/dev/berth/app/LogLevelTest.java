package dev.berth.app;

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
    void aLevelThatIsKnownIsTaken(String level) {
        assertThat(LogLevel.complaint(Map.of("BERTH_LOG", level))).isEmpty();
    }

    @Test
    void withoutAWordThereIsNothingToComplainOf() {
        assertThat(LogLevel.complaint(Map.of())).isEmpty();
        assertThat(LogLevel.complaint(Map.of("BERTH_LOG", ""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"debug,DEBUG,WARN", "trace,TRACE,WARN", "error,ERROR,WARN", "'',INFO,WARN"})
    void theLevelIsBerthsAndLibrariesOnlyWarn(String level, String ours, String theirs) throws JoranException {
        LoggerContext context = new LoggerContext();
        context.putProperty("BERTH_LOG", level);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Objects.requireNonNull(LogLevel.class.getResource("/logback.xml")));
        assertThat(context.getLogger("dev.berth.app").getEffectiveLevel()).hasToString(ours);
        assertThat(context.getLogger("io.netty").getEffectiveLevel()).hasToString(theirs);
        context.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbose", "warning"})
    void aMisspeltLevelIsNamedWithThoseThereAre(String level) {
        assertThat(LogLevel.complaint(Map.of("BERTH_LOG", level)))
                .hasValue("BERTH_LOG (%s) must be one of trace, debug, info, warn, error, off".formatted(level));
    }
}
