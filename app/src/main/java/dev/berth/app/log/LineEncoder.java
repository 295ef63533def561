package dev.berth.app.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/** Writes log entries in the format that logback.xml configures. */
public final class LineEncoder extends EncoderBase<ILoggingEvent> {
    private static final String TEXT_PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%ex{short}";

    private final PatternLayout textLayout = new PatternLayout();
    private LogFormat format = LogFormat.TEXT;

    /**
     * Sets the format; logback.xml calls it.
     *
     * @param name text or json; empty means text
     */
    public void setFormat(String name) {
        format = LogFormat.parse(name);
    }

    @Override
    public void start() {
        textLayout.setContext(getContext());
        textLayout.setPattern(TEXT_PATTERN);
        textLayout.start();
        super.start();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = switch (format) {
            case TEXT -> textLayout.doLayout(event);
            case JSON -> JsonLogLine.format(event);
        };
        return line.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
