package dev.berth.app.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/** Writes the entries of the log in the format that logback.xml gives it. */
public final class LineEncoder extends EncoderBase<ILoggingEvent> {
    private static final String FOR_PEOPLE = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%ex{short}";

    private final PatternLayout text = new PatternLayout();
    private LogFormat format = LogFormat.TEXT;

    /**
     * For whom to write.
     *
     * @param word text or json; nothing is text
     */
    public void setFormat(String word) {
        format = LogFormat.named(word);
    }

    @Override
    public void start() {
        text.setContext(getContext());
        text.setPattern(FOR_PEOPLE);
        text.start();
        super.start();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = switch (format) {
            case TEXT -> text.doLayout(event);
            case JSON -> JsonLine.of(event);
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
