package dev.berth.embedded.client.event;

import dev.berth.embedded.client.object.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what becomes of an occurrence: dropped because its source floods one object, counted on an event already
 * written, combined with similar ones, or written anew. The limits are those of client-go.
 */
final class Correlation {
    private static final int REMEMBERED = 4_096;
    private static final int BURST = 25;
    private static final Duration REFILL = Duration.ofMinutes(5);
    private static final int SIMILAR = 10;
    private static final Duration SIMILAR_WITHIN = Duration.ofMinutes(10);

    private final Map<String, Allowance> allowances = remembering();
    private final Map<String, Similar> similar = remembering();
    private final Map<String, Told> told = remembering();
    private long lastSuffix;

    /**
     * What to write.
     *
     * @param name the event's name
     * @param count how often it has been told, this time included
     * @param first when it was told first
     */
    record Verdict(Occurrence occurrence, String name, int count, Instant first) {}

    private record Allowance(double tokens, Instant at) {}

    private record Told(String name, int count, Instant first) {}

    private static final class Similar {
        private final Set<String> messages = new HashSet<>();
        private Instant last;

        Similar(Instant last) {
            this.last = last;
        }
    }

    Optional<Verdict> judge(Occurrence occurrence) {
        Similar group = group(occurrence);
        boolean combine = group.messages.size() >= SIMILAR;
        String key = combine ? occurrence.similarity() : occurrence.similarity() + "|" + occurrence.message();
        if (!allowed(occurrence)) {
            return Optional.empty();
        }
        Occurrence written = combine ? occurrence.combined() : occurrence;
        Told before = told.get(key);
        Told now = before == null
                ? new Told(name(occurrence), 1, occurrence.time())
                : new Told(before.name(), before.count() + 1, before.first());
        told.put(key, now);
        return Optional.of(new Verdict(written, now.name(), now.count(), now.first()));
    }

    private Similar group(Occurrence occurrence) {
        Similar group = similar.computeIfAbsent(occurrence.similarity(), none -> new Similar(occurrence.time()));
        if (group.last.plus(SIMILAR_WITHIN).isBefore(occurrence.time())) {
            group.messages.clear();
        }
        group.last = occurrence.time();
        if (group.messages.size() < SIMILAR) {
            group.messages.add(occurrence.message());
        }
        return group;
    }

    private boolean allowed(Occurrence occurrence) {
        String key = occurrence.sourceAndObject();
        Instant now = occurrence.time();
        Allowance before = allowances.getOrDefault(key, new Allowance(BURST, now));
        double refilled = (double) Duration.between(before.at(), now).toMillis() / REFILL.toMillis();
        double tokens = Math.min(BURST, before.tokens() + refilled);
        boolean allowed = tokens >= 1;
        allowances.put(key, new Allowance(allowed ? tokens - 1 : tokens, now));
        return allowed;
    }

    /** By the time, as everywhere in Kubernetes, but never twice the same, however coarse the clock and whoever tells. */
    private String name(Occurrence occurrence) {
        Instant time = occurrence.time();
        lastSuffix = Math.max(lastSuffix + 1, time.getEpochSecond() * 1_000_000_000L + time.getNano());
        int teller = occurrence.source().component().hashCode() & 0xffff;
        return "%s.%x%04x".formatted(Meta.name(occurrence.about()), lastSuffix, teller);
    }

    private static <V> Map<String, V> remembering() {
        return new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }
}
