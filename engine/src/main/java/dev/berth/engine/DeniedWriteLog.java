package dev.berth.engine;

import dev.berth.core.effect.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes that the API server denied, by verb and resource. A missing permission affects every object of a kind, and
 * Berth retries each of them. So the first denial of a request is logged at once, and later ones as a count once a
 * minute. When such a write succeeds, the log says so, and the earlier denials are not counted any more.
 */
final class DeniedWriteLog {
    private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);
    /** Per request; the oldest entry is removed first. */
    private static final int MAX_REMEMBERED = 1024;

    private final Map<String, Denials> byRequest = new TreeMap<>();

    private static final class Denials {
        private long count;
        private Effect.Write last;
        private String message = "";
        private Instant next = Instant.MIN;
        /** Denied and not written yet. */
        private final Set<DeniedWrite> open = new LinkedHashSet<>();

        Denials(Effect.Write first) {
            this.last = first;
        }
    }

    /** A kind of write of one object: the API server may accept other kinds of writes of the same object. */
    private record DeniedWrite(Class<?> kind, String key) {
        private static DeniedWrite of(Effect.Write write) {
            return new DeniedWrite(write.getClass(), write.key());
        }
    }

    /** A line of the log about one request. */
    record Warning(Effect.Write last, String message) {}

    void add(Effect.Write write, WriteResponse.Denied denied) {
        String request = denied.request().isEmpty()
                ? "a write of door " + write.component().text()
                : denied.request();
        Denials denials = byRequest.computeIfAbsent(request, first -> new Denials(write));
        denials.count++;
        denials.last = write;
        denials.message = denied.message();
        if (denials.open.size() == MAX_REMEMBERED) {
            denials.open.remove(denials.open.iterator().next());
        }
        denials.open.add(DeniedWrite.of(write));
    }

    /** The write succeeded. Returns the lines to log, usually none. */
    List<String> onWritten(Effect.Write write) {
        if (byRequest.isEmpty()) {
            return List.of();
        }
        List<String> allowed = new ArrayList<>();
        DeniedWrite deniedWrite = DeniedWrite.of(write);
        byRequest.forEach((request, denials) -> {
            if (denials.open.contains(deniedWrite)) {
                allowed.add("the API server accepts %s again: it wrote %s".formatted(request, write.object()));
                denials.open.clear();
                denials.count = 0;
            }
        });
        return allowed;
    }

    /** The lines to log now. */
    List<Warning> pollWarnings(Instant now) {
        List<Warning> warnings = new ArrayList<>();
        byRequest.forEach((request, denials) -> {
            if (denials.count > 0 && !now.isBefore(denials.next)) {
                String message = "the API server denied %s %s, and Berth tries again; the last was %s: %s"
                        .formatted(
                                request,
                                denials.count == 1 ? "once" : "%d times".formatted(denials.count),
                                denials.last.object(),
                                denials.message);
                warnings.add(new Warning(denials.last, message));
                denials.count = 0;
                denials.next = now.plus(WARNING_INTERVAL);
            }
        });
        return warnings;
    }
}
