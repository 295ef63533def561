package dev.berth.sandbox.kubelet.podlifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The simulation annotations of a pod; the documentation of the kubelet package describes them.
 *
 * @param readyAfter empty when the pod never becomes ready
 * @param exitAfter empty when the containers do not exit
 * @param stopAfter empty when the setting of the kubelet applies
 * @param failureReason the reason for an immediate failure
 */
public record SimulationAnnotations(
        Duration startAfter,
        Optional<Duration> readyAfter,
        Optional<Duration> exitAfter,
        int exitCode,
        Optional<Duration> stopAfter,
        Optional<String> failureReason) {
    private static final String PREFIX = "simulate.berth.dev/";
    private static final Pattern TIME = Pattern.compile("(\\d+h)?(\\d+m)?(\\d+(\\.\\d+)?s)?");
    private static final Pattern MILLIS = Pattern.compile("\\d{1,12}ms");

    /** Reads the annotations; an invalid value is rejected with the annotation and an example. */
    public static SimulationAnnotations of(ObjectNode pod, Duration startTime) {
        Optional<String> ready = text(pod, "ready-after");
        Optional<Duration> readyAfter = ready.filter("never"::equals).isPresent()
                ? Optional.empty()
                : Optional.of(time(pod, "ready-after").orElse(Duration.ZERO));
        return new SimulationAnnotations(
                time(pod, "start-after").orElse(startTime),
                readyAfter,
                time(pod, "exit-after"),
                exitCode(pod),
                time(pod, "stop-after"),
                text(pod, "fail").filter(reason -> !reason.isEmpty()));
    }

    /** The defaults for a pod without annotations. */
    public static SimulationAnnotations defaults(Duration startTime) {
        return new SimulationAnnotations(
                startTime, Optional.of(Duration.ZERO), Optional.empty(), 0, Optional.empty(), Optional.empty());
    }

    private static Optional<String> text(ObjectNode pod, String name) {
        return ObjectMetaReader.annotation(pod, PREFIX + name);
    }

    private static int exitCode(ObjectNode pod) {
        String value = text(pod, "exit-code").orElse("0");
        try {
            int code = Integer.parseInt(value);
            if (code >= 0 && code <= 255) {
                return code;
            }
        } catch (NumberFormatException noNumber) {
            throw invalid("exit-code", value, "a number from 0 to 255");
        }
        throw invalid("exit-code", value, "a number from 0 to 255");
    }

    private static Optional<Duration> time(ObjectNode pod, String name) {
        return text(pod, name).map(value -> parse(name, value.strip()));
    }

    private static Duration parse(String name, String value) {
        if (MILLIS.matcher(value).matches()) {
            return Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)));
        }
        if (value.isEmpty() || !TIME.matcher(value).matches()) {
            throw invalid(name, value, "a time such as 5s, 1m30s or 250ms");
        }
        try {
            return Duration.parse("PT" + value.toUpperCase(Locale.ROOT));
        } catch (DateTimeParseException tooLarge) {
            throw invalid(name, value, "a time such as 5s, 1m30s or 250ms");
        }
    }

    private static IllegalArgumentException invalid(String name, String value, String expected) {
        return new IllegalArgumentException("annotation %s%s (%s) must be %s".formatted(PREFIX, name, value, expected));
    }
}
