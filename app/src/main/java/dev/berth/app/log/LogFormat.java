package dev.berth.app.log;

import java.util.Map;
import java.util.Optional;

/** For whom the log is written. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** For machines: each line is a JSON object. */
    JSON;

    private static final String VARIABLE = "BERTH_LOG_FORMAT";

    /** The format that a word means; text where there is none. */
    static LogFormat parse(String name) {
        return name.equalsIgnoreCase("json") ? JSON : TEXT;
    }

    public static LogFormat from(Map<String, String> environment) {
        return parse(environment.getOrDefault(VARIABLE, ""));
    }

    /** What is wrong with the environment, if anything. */
    public static Optional<String> validationError(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "");
        boolean known = value.isBlank() || value.equalsIgnoreCase("text") || value.equalsIgnoreCase("json");
        return known ? Optional.empty() : Optional.of("%s (%s) must be text or json".formatted(VARIABLE, value));
    }
}
