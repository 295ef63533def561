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
final class Speech {
    private static final Logger LOG = LoggerFactory.getLogger(Speech.class);

    private final PrintWriter people;
    private final LogFormat format;

    Speech(PrintWriter people, Map<String, String> environment) {
        this.people = people;
        this.format = LogFormat.of(environment);
    }

    void say(String words) {
        switch (format) {
            case TEXT -> people.println(words);
            case JSON -> LOG.info(words);
        }
    }

    /** The command fails. */
    void complain(String words) {
        switch (format) {
            case TEXT -> people.println("berth: " + words);
            case JSON -> LOG.error(words);
        }
    }
}
