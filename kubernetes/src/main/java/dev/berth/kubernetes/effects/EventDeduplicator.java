package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which events were written lately, so that a refusal that is repeated every few seconds is told once in a while, and
 * an event whose answer was lost is written again under the same name, which makes it one. Safe from any thread.
 */
final class EventDeduplicator {
    private static final int MAX_ENTRIES = 50_000;
    /** What the API server takes as a name. */
    private static final int MAX_NAME_LENGTH = 253;

    private record EventKey(String subject, Effect.RecordEvent.Kind kind, String note) {}

    private record RecentEvent(String name, Instant at, boolean written) {}

    private final Duration window;
    private final Object lock = new Object();
    // Guarded by the lock.
    private final Map<EventKey, RecentEvent> recentEvents = new LinkedHashMap<>();
    private long lastNanos;

    EventDeduplicator(Duration window) {
        this.window = window;
    }

    /** The name to write the event under, or nothing where it was written lately. */
    Optional<String> nameUnlessRecent(Effect.RecordEvent announcement, Instant now) {
        EventKey key = key(announcement);
        synchronized (lock) {
            RecentEvent known = recentEvents.get(key);
            if (known != null && known.at.plus(window).isAfter(now)) {
                return known.written ? Optional.empty() : Optional.of(known.name);
            }
            String name = uniqueName(announcement.target().name(), now);
            recentEvents.remove(key);
            recentEvents.put(key, new RecentEvent(name, now, false));
            if (recentEvents.size() > MAX_ENTRIES) {
                recentEvents.remove(recentEvents.keySet().iterator().next());
            }
            return Optional.of(name);
        }
    }

    void recordWritten(Effect.RecordEvent announcement) {
        synchronized (lock) {
            recentEvents.computeIfPresent(
                    key(announcement), (key, recentEvent) -> new RecentEvent(recentEvent.name, recentEvent.at, true));
        }
    }

    /** The subject's name and a time that no other event has, as kube-scheduler names them. */
    private String uniqueName(String subject, Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        lastNanos = Math.max(nanos, lastNanos + 1);
        String suffix = "." + Long.toHexString(lastNanos);
        int room = MAX_NAME_LENGTH - suffix.length();
        return (subject.length() > room ? subject.substring(0, room) : subject) + suffix;
    }

    private static EventKey key(Effect.RecordEvent announcement) {
        return new EventKey(announcement.target().uid(), announcement.kind(), announcement.note());
    }
}
