package dev.berth.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogFormatTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("dev.berth.engine.WriteDispatcher");

    private LoggingEvent event(String message, Throwable broken, Object... arguments) {
        return new LoggingEvent("caller", logger, Level.WARN, message, broken, arguments);
    }

    private String encoded(String format, ILoggingEvent event) {
        LineEncoder encoder = new LineEncoder();
        encoder.setContext(context);
        encoder.setFormat(format);
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void aJsonEntryIsOneLineWithItsKeyValuePairs() throws Exception {
        LoggingEvent event = event("pod \"{}\"\nwas refused", new IllegalStateException("broken\nin two"), "web");
        event.addKeyValuePair(new KeyValuePair("pod", "default/web"));
        event.addKeyValuePair(new KeyValuePair("node", "n1"));

        String line = encoded("json", event);

        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        JsonNode entry = new ObjectMapper().readTree(line);
        assertThat(entry.path("message").asText()).isEqualTo("pod \"web\"\nwas refused");
        assertThat(entry.path("level").asText()).isEqualTo("warn");
        assertThat(entry.path("logger").asText()).isEqualTo("dev.berth.engine.WriteDispatcher");
        assertThat(entry.path("pod").asText()).isEqualTo("default/web");
        assertThat(entry.path("node").asText()).isEqualTo("n1");
        assertThat(entry.path("error").asText()).isEqualTo("java.lang.IllegalStateException: broken\nin two");
        assertThat(entry.path("stacktrace").asText()).contains("LogFormatTest");
        assertThat(entry.path("time").asText()).endsWith("Z");
    }

    @Test
    void aTextEntryHasTimeLevelLoggerAndMessage() {
        LoggingEvent event =
                new LoggingEvent("caller", logger, Level.WARN, "{} was refused", null, new Object[] {"web"});
        assertThat(encoded("text", event))
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  WriteDispatcher: web was refused\n");
        assertThat(encoded("", event)).contains("WARN  WriteDispatcher: web was refused");
    }

    @Test
    void anUnknownFormatIsReportedWithTheKnownOnes() {
        assertThat(LogFormat.validationError(Map.of("BERTH_LOG_FORMAT", "xml")))
                .hasValue("BERTH_LOG_FORMAT (xml) must be text or json");
        assertThat(LogFormat.validationError(Map.of("BERTH_LOG_FORMAT", "JSON")))
                .isEmpty();
        assertThat(LogFormat.validationError(Map.of("BERTH_LOG_FORMAT", ""))).isEmpty();
        assertThat(LogFormat.validationError(Map.of())).isEmpty();
        assertThat(LogFormat.from(Map.of("BERTH_LOG_FORMAT", "JSON"))).isEqualTo(LogFormat.JSON);
    }
}
