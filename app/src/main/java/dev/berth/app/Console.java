package dev.berth.app;

import dev.berth.app.log.LogFormat;
import java.io.PrintWriter;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How commands say on standard error what they do: to people in sentences, and as entries of the log where machines read
 * it, for these take each line for one. However little is logged, this is said: logback.xml knows the logger by name.
 */
final class Console {
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    private final PrintWriter out;
    private final LogFormat format;

    Console(PrintWriter out, Map<String, String> environment) {
        this.out = out;
        this.format = LogFormat.from(environment);
    }

    void println(String message) {
        switch (format) {
            case TEXT -> out.println(message);
            case JSON -> LOG.info(message);
        }
    }

    /** The command fails. */
    void printError(String message) {
        switch (format) {
            case TEXT -> out.println("berth: " + message);
            case JSON -> LOG.error(message);
        }
    }
}
