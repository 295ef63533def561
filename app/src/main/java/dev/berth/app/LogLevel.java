package dev.berth.app;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How much is logged. A word that the logging library does not know would mean everything to it. */
enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF;

    private static final String VARIABLE = "BERTH_LOG_LEVEL";

    /** What is wrong with the environment, if anything. */
    static Optional<String> validationError(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "");
        if (value.isBlank()
                || Arrays.stream(values()).anyMatch(level -> level.name().equalsIgnoreCase(value))) {
            return Optional.empty();
        }
        String known = Arrays.stream(values())
                .map(level -> level.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return Optional.of("%s (%s) must be one of %s".formatted(VARIABLE, value, known));
    }
}
