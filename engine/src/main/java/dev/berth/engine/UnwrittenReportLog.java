package dev.berth.engine;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Counts reports that were not written. Logs the first at once, and then at most one line a minute. */
final class UnwrittenReportLog {
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final String consequence;
    private long count;
    private long logged;
    private String last = "";
    private Instant nextLog = Instant.MIN;

    UnwrittenReportLog() {
        this("are dropped");
    }

    /** @param consequence what happens to the reports, for the log line */
    UnwrittenReportLog(String consequence) {
        this.consequence = consequence;
    }

    void add(Effect effect, String why) {
        count++;
        last = "%s (%s)".formatted(describe(effect), why);
    }

    private static String describe(Effect effect) {
        if (effect instanceof Effect.RecordEvent event) {
            return "the event \"%s\" of %s".formatted(event.note(), event.target());
        }
        return effect instanceof Effect.MarkUnscheduled mark
                ? "the condition PodScheduled of %s".formatted(EventTarget.of(mark.pod()))
                : effect.toString();
    }

    long count() {
        return count;
    }

    /** The line to log now. */
    Optional<String> pollMessage(Instant now) {
        if (count == logged || now.isBefore(nextLog)) {
            return Optional.empty();
        }
        String message = "%d conditions or events could not be written and %s, %d in all; the last: %s"
                .formatted(count - logged, consequence, count, last);
        logged = count;
        nextLog = now.plus(LOG_INTERVAL);
        return Optional.of(message);
    }
}
