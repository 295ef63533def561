package dev.berth.kubernetes.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Kubernetes writes them: {@code 15s}, {@code 1m30s}, {@code 1.5h}, {@code 200ms}. */
public final class GoDuration {
    private static final Pattern WHOLE = Pattern.compile("(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)");
    private static final Map<String, BigDecimal> MILLIS = Map.of(
            "ms", BigDecimal.ONE,
            "s", BigDecimal.valueOf(1_000),
            "m", BigDecimal.valueOf(60_000),
            "h", BigDecimal.valueOf(3_600_000));

    /** Go counts nanoseconds in 63 bits. */
    private static final BigDecimal MAX_MILLIS = BigDecimal.valueOf(Long.MAX_VALUE / 1_000_000);

    private GoDuration() {}

    public static Duration parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("must be a duration such as 15s, 1m30s or 200ms");
        }
        BigDecimal millis = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            millis = millis.add(new BigDecimal(part.group(1)).multiply(MILLIS.get(part.group(2))));
        }
        if (millis.compareTo(MAX_MILLIS) > 0) {
            throw new IllegalArgumentException("exceeds %dh, the maximum in Kubernetes"
                    .formatted(Duration.ofMillis(MAX_MILLIS.longValueExact()).toHours()));
        }
        try {
            return Duration.ofMillis(millis.longValueExact());
        } catch (ArithmeticException finer) {
            throw new IllegalArgumentException("must be whole milliseconds", finer);
        }
    }

    /** In a form that can be parsed again. Fractions of a millisecond are dropped, and the largest unit is hours. */
    public static String format(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration (%s) is negative".formatted(duration));
        }
        String text = part(duration.toHours(), "h")
                + part(duration.toMinutesPart(), "m")
                + part(duration.toSecondsPart(), "s")
                + part(duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text;
    }

    private static String part(long count, String unit) {
        return count == 0 ? "" : count + unit;
    }
}
