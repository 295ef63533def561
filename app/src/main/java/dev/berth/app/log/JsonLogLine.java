package dev.berth.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.slf4j.event.KeyValuePair;

/**
 * A log entry as one line of JSON: time, level, logger, thread and message; then its objects, such as pod, node or
 * door, if they are known; then error and stack trace, if there is one.
 */
final class JsonLogLine {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonLogLine() {}

    static String format(ILoggingEvent event) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("time", event.getInstant().toString());
            json.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
            json.writeStringField("logger", event.getLoggerName());
            json.writeStringField("thread", event.getThreadName());
            json.writeStringField("message", event.getFormattedMessage());
            List<KeyValuePair> about = event.getKeyValuePairs();
            for (KeyValuePair pair : about == null ? List.<KeyValuePair>of() : about) {
                json.writeStringField(pair.key, String.valueOf(pair.value));
            }
            IThrowableProxy broken = event.getThrowableProxy();
            if (broken != null) {
                json.writeStringField("error", "%s: %s".formatted(broken.getClassName(), broken.getMessage()));
                json.writeStringField("stacktrace", ThrowableProxyUtil.asString(broken));
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a string cannot be written to", impossible);
        }
        return line.append('\n').toString();
    }
}
