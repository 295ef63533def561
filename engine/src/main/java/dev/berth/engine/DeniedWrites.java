package dev.berth.engine;

import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes that the API server denied, by what was asked of it. A right that is missing concerns every object of a kind, and
 * each of them is tried again: the first denial of a request is logged at once, and the others by their number, once a
 * minute. When one of them is written at last, that is logged, and the denials before it are not.
 */
final class DeniedWrites {
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
    /** Of one request; the oldest are forgotten first. */
    private static final int MOST_REMEMBERED = 1024;

    private final Map<String, Denials> byRequest = new TreeMap<>();

    private static final class Denials {
        private long count;
        private Effect.Write last;
        private String message = "";
        private Instant next = Instant.MIN;
        /** Those that are not written yet. */
        private final Set<Denied> open = new LinkedHashSet<>();

        Denials(Effect.Write first) {
            this.last = first;
        }
    }

    /** One write of an object: of the same object another kind of write may be allowed. */
    private record Denied(Class<?> kind, String key) {
        private static Denied of(Effect.Write write) {
            return new Denied(write.getClass(), write.key());
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
        if (denials.open.size() == MOST_REMEMBERED) {
            denials.open.remove(denials.open.iterator().next());
        }
        denials.open.add(Denied.of(write));
    }

    /** It is written. Says what the log says then: mostly nothing. */
    List<String> written(Effect.Write write) {
        if (byRequest.isEmpty()) {
            return List.of();
        }
        List<String> allowed = new ArrayList<>();
        Denied was = Denied.of(write);
        byRequest.forEach((request, denials) -> {
            if (denials.open.contains(was)) {
                allowed.add("the API server allows %s again: it took %s".formatted(request, write.object()));
                denials.open.clear();
                denials.count = 0;
            }
        });
        return allowed;
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
                                denials.last.object(),
                                denials.message);
                warnings.add(new Warning(denials.last, words));
                denials.count = 0;
                denials.next = now.plus(BETWEEN_WARNINGS);
            }
        });
        return warnings;
    }
}
