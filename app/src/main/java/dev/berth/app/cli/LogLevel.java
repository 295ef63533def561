package dev.berth.app.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The log level. The logging library would treat an unknown word as the most detailed level. */
public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF;

    private static final String VARIABLE = "BERTH_LOG_LEVEL";

    /** The problem with the environment variable, if there is one. */
    public static Optional<String> validationError(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "");
        if (value.isBlank()
                || Arrays.stream(values()).anyMatch(level -> level.name().equalsIgnoreCase(value))) {
            return Optional.empty();
        }
        String names = Arrays.stream(values())
                .map(level -> level.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return Optional.of("%s (%s) must be one of %s".formatted(VARIABLE, value, names));
    }
}
