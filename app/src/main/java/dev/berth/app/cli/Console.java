package dev.berth.app.cli;

import dev.berth.app.log.LogFormat;
import java.io.PrintWriter;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prints what commands do on standard error: as sentences for users, or as log entries if the log is JSON, because
 * machines parse each line. It is printed at every log level: logback.xml configures this logger by name.
 */
public final class Console {
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    private final PrintWriter out;
    private final LogFormat format;

    public Console(PrintWriter out, Map<String, String> environment) {
        this.out = out;
        this.format = LogFormat.from(environment);
    }

    public void println(String message) {
        switch (format) {
            case TEXT -> out.println(message);
            case JSON -> LOG.info(message);
        }
    }

    /** The command failed. */
    public void printError(String message) {
        switch (format) {
            case TEXT -> out.println("berth: " + message);
            case JSON -> LOG.error(message);
        }
    }
}
