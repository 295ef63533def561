package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The recent events. A message that is repeated every few seconds is written only once in a while. An event whose
 * response was lost is written again under the same name, so that only one exists. Safe from any thread.
 */
final class EventDeduplicator {
    private static final int MAX_ENTRIES = 50_000;
    /** The limit of the API server for names. */
    private static final int MAX_NAME_LENGTH = 253;

    private record EventKey(String subject, Effect.RecordEvent.EventTemplate kind, String note) {}

    private record RecentEvent(String name, Instant at, boolean written) {}

    private final Duration window;
    private final Object lock = new Object();
    // Guarded by the lock.
    private final Map<EventKey, RecentEvent> recentEvents = new LinkedHashMap<>();
    private long lastNanos;

    EventDeduplicator(Duration window) {
        this.window = window;
    }

    /** The name of the event to write; empty if it was written recently. */
    Optional<String> nameUnlessRecent(Effect.RecordEvent event, Instant now) {
        EventKey key = key(event);
        synchronized (lock) {
            RecentEvent recent = recentEvents.get(key);
            if (recent != null && recent.at.plus(window).isAfter(now)) {
                return recent.written ? Optional.empty() : Optional.of(recent.name);
            }
            String name = uniqueName(event.target().name(), now);
            recentEvents.remove(key);
            recentEvents.put(key, new RecentEvent(name, now, false));
            if (recentEvents.size() > MAX_ENTRIES) {
                recentEvents.remove(recentEvents.keySet().iterator().next());
            }
            return Optional.of(name);
        }
    }

    void recordWritten(Effect.RecordEvent event) {
        synchronized (lock) {
            recentEvents.computeIfPresent(
                    key(event), (key, recentEvent) -> new RecentEvent(recentEvent.name, recentEvent.at, true));
        }
    }

    /** The object's name and a unique time, as kube-scheduler names events. */
    private String uniqueName(String subject, Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        lastNanos = Math.max(nanos, lastNanos + 1);
        String suffix = "." + Long.toHexString(lastNanos);
        int maxLength = MAX_NAME_LENGTH - suffix.length();
        return (subject.length() > maxLength ? subject.substring(0, maxLength) : subject) + suffix;
    }

    private static EventKey key(Effect.RecordEvent event) {
        return new EventKey(event.target().uid(), event.kind(), event.note());
    }
}
