package dev.berth.app.log;

import java.util.Map;
import java.util.Optional;

/** The format of the log. */
public enum LogFormat {
    /** For users. */
    TEXT,
    /** For programs: each line is a JSON object. */
    JSON;

    private static final String VARIABLE = "BERTH_LOG_FORMAT";

    /** The format with this name; text if there is none. */
    static LogFormat parse(String name) {
        return name.equalsIgnoreCase("json") ? JSON : TEXT;
    }

    public static LogFormat from(Map<String, String> environment) {
        return parse(environment.getOrDefault(VARIABLE, ""));
    }

    /** The problem with the environment variable, if there is one. */
    public static Optional<String> validationError(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "");
        boolean known = value.isBlank() || value.equalsIgnoreCase("text") || value.equalsIgnoreCase("json");
        return known ? Optional.empty() : Optional.of("%s (%s) must be text or json".formatted(VARIABLE, value));
    }
}
