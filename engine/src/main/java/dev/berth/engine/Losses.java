package dev.berth.engine;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What could not be written: all of it is counted, and logged at once, but then only once in a while. */
final class Losses {
    private static final Duration BETWEEN_WORDS = Duration.ofMinutes(1);

    private final String consequence;
    private long count;
    private long said;
    private String last = "";
    private Instant nextWords = Instant.MIN;

    Losses() {
        this("are given up");
    }

    /** @param consequence what becomes of them, as the log says it */
    Losses(String consequence) {
        this.consequence = consequence;
    }

    void add(Effect effect, String why) {
        count++;
        last = "%s (%s)".formatted(words(effect), why);
    }

    private static String words(Effect effect) {
        if (effect instanceof Effect.Announce announcement) {
            return "the event \"%s\" of %s".formatted(announcement.note(), announcement.subject());
        }
        return effect instanceof Effect.MarkUnscheduled mark
                ? "the condition PodScheduled of %s".formatted(Subject.of(mark.pod()))
                : effect.toString();
    }

    long count() {
        return count;
    }

    /** What is to be said now. */
    Optional<String> words(Instant now) {
        if (count == said || now.isBefore(nextWords)) {
            return Optional.empty();
        }
        String words = "%d conditions or events could not be written and %s, %d in all; the last: %s"
                .formatted(count - said, consequence, count, last);
        said = count;
        nextWords = now.plus(BETWEEN_WORDS);
        return Optional.of(words);
    }
}
