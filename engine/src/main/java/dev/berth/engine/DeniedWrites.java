package dev.berth.engine;

import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes that the API server denied, by what was asked of it. A right that is missing concerns every object of a kind, and
 * each of them is tried again: the first denial of a request is logged at once, and the others by their number, once a
 * minute.
 */
final class DeniedWrites {
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final Map<String, Denials> byRequest = new TreeMap<>();

    private static final class Denials {
        private long count;
        private Effect.Write last;
        private String message = "";
        private Instant next = Instant.MIN;

        Denials(Effect.Write first) {
            this.last = first;
        }
    }

    /** What the log says of one kind of write. */
    record Warning(Effect.Write last, String words) {}

    void add(Effect.Write write, Answer.Denied denied) {
        String request =
                denied.request().isEmpty() ? "a write of door " + write.door().word() : denied.request();
        Denials denials = byRequest.computeIfAbsent(request, first -> new Denials(write));
        denials.count++;
        denials.last = write;
        denials.message = denied.message();
    }

    /** What is to be logged now. */
    List<Warning> warnings(Instant now) {
        List<Warning> warnings = new ArrayList<>();
        byRequest.forEach((request, denials) -> {
            if (denials.count > 0 && !now.isBefore(denials.next)) {
                String words = "the API server denied %s %s, and Berth tries again; the last was %s: %s"
                        .formatted(
                                request,
                                denials.count == 1 ? "once" : "%d times".formatted(denials.count),
                                denials.last.key(),
                                denials.message);
                warnings.add(new Warning(denials.last, words));
                denials.count = 0;
                denials.next = now.plus(BETWEEN_WARNINGS);
            }
        });
        return warnings;
    }
}
