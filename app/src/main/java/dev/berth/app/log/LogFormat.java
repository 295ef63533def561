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
    static LogFormat named(String word) {
        return word.equalsIgnoreCase("json") ? JSON : TEXT;
    }

    public static LogFormat of(Map<String, String> environment) {
        return named(environment.getOrDefault(VARIABLE, ""));
    }

    /** What is wrong with the environment, if anything. */
    public static Optional<String> complaint(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "");
        boolean known = value.isBlank() || value.equalsIgnoreCase("text") || value.equalsIgnoreCase("json");
        return known ? Optional.empty() : Optional.of("%s (%s) must be text or json".formatted(VARIABLE, value));
    }
}
