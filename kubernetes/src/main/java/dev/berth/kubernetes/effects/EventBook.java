package dev.berth.kubernetes.effects;

import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which events were written lately, so that a refusal that is repeated every few seconds is told once in a while, and
 * an event whose answer was lost is written again under the same name, which makes it one. Safe from any thread.
 */
final class EventBook {
    private static final int MOST = 50_000;
    /** What the API server takes as a name. */
    private static final int LONGEST_NAME = 253;

    private record Key(String subject, Effect.Announce.Kind kind, String note) {}

    private record Entry(String name, Instant at, boolean written) {}

    private final Duration window;
    private final Object lock = new Object();
    // Guarded by the lock.
    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private long lastNanos;

    EventBook(Duration window) {
        this.window = window;
    }

    /** The name to write the event under, or nothing where it was written lately. */
    Optional<String> nameFor(Effect.Announce announcement, Instant now) {
        Key key = key(announcement);
        synchronized (lock) {
            Entry known = entries.get(key);
            if (known != null && known.at.plus(window).isAfter(now)) {
                return known.written ? Optional.empty() : Optional.of(known.name);
            }
            String name = name(announcement.subject().name(), now);
            entries.remove(key);
            entries.put(key, new Entry(name, now, false));
            if (entries.size() > MOST) {
                entries.remove(entries.keySet().iterator().next());
            }
            return Optional.of(name);
        }
    }

    void written(Effect.Announce announcement) {
        synchronized (lock) {
            entries.computeIfPresent(key(announcement), (key, entry) -> new Entry(entry.name, entry.at, true));
        }
    }

    /** The subject's name and a time that no other event has, as kube-scheduler names them. */
    private String name(String subject, Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        lastNanos = Math.max(nanos, lastNanos + 1);
        String suffix = "." + Long.toHexString(lastNanos);
        int room = LONGEST_NAME - suffix.length();
        return (subject.length() > room ? subject.substring(0, room) : subject) + suffix;
    }

    private static Key key(Effect.Announce announcement) {
        return new Key(announcement.subject().uid(), announcement.kind(), announcement.note());
    }
}
