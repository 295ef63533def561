package dev.berth.sandbox.client.record;

import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides about an event: drop it because its source floods one object, count it on an Event that was already
 * written, combine it with similar events, or write a new one. The limits are those of client-go.
 */
final class EventCorrelator {
    private static final int CACHE_SIZE = 4_096;
    private static final int BURST = 25;
    private static final Duration REFILL_INTERVAL = Duration.ofMinutes(5);
    private static final int AGGREGATION_THRESHOLD = 10;
    private static final Duration AGGREGATION_WINDOW = Duration.ofMinutes(10);

    private final Map<String, TokenBucket> tokenBuckets = newLruMap();
    private final Map<String, AggregateRecord> aggregateRecords = newLruMap();
    private final Map<String, ObservedEvent> observedEvents = newLruMap();
    private long lastSuffix;

    /**
     * What to write.
     *
     * @param name the event's name
     * @param count how often it occurred, this time included
     * @param firstTimestamp when it occurred first
     */
    record CorrelatedEvent(RecordedEvent recordedEvent, String name, int count, Instant firstTimestamp) {}

    private record TokenBucket(double tokens, Instant refilledAt) {}

    private record ObservedEvent(String name, int count, Instant firstTimestamp) {}

    private static final class AggregateRecord {
        private final Set<String> messages = new HashSet<>();
        private Instant last;

        AggregateRecord(Instant last) {
            this.last = last;
        }
    }

    Optional<CorrelatedEvent> correlate(RecordedEvent recordedEvent) {
        AggregateRecord group = findAggregateRecord(recordedEvent);
        boolean combine = group.messages.size() >= AGGREGATION_THRESHOLD;
        String key = combine
                ? recordedEvent.aggregationKey()
                : recordedEvent.aggregationKey() + "|" + recordedEvent.message();
        if (!passesSpamFilter(recordedEvent)) {
            return Optional.empty();
        }
        RecordedEvent written = combine ? recordedEvent.aggregated() : recordedEvent;
        ObservedEvent before = observedEvents.get(key);
        ObservedEvent now = before == null
                ? new ObservedEvent(newEventName(recordedEvent), 1, recordedEvent.time())
                : new ObservedEvent(before.name(), before.count() + 1, before.firstTimestamp());
        observedEvents.put(key, now);
        return Optional.of(new CorrelatedEvent(written, now.name(), now.count(), now.firstTimestamp()));
    }

    private AggregateRecord findAggregateRecord(RecordedEvent recordedEvent) {
        AggregateRecord group = aggregateRecords.computeIfAbsent(
                recordedEvent.aggregationKey(), none -> new AggregateRecord(recordedEvent.time()));
        if (group.last.plus(AGGREGATION_WINDOW).isBefore(recordedEvent.time())) {
            group.messages.clear();
        }
        group.last = recordedEvent.time();
        if (group.messages.size() < AGGREGATION_THRESHOLD) {
            group.messages.add(recordedEvent.message());
        }
        return group;
    }

    private boolean passesSpamFilter(RecordedEvent recordedEvent) {
        String key = recordedEvent.spamKey();
        Instant now = recordedEvent.time();
        TokenBucket before = tokenBuckets.getOrDefault(key, new TokenBucket(BURST, now));
        double refilled = (double) Duration.between(before.refilledAt(), now).toMillis() / REFILL_INTERVAL.toMillis();
        double tokens = Math.min(BURST, before.tokens() + refilled);
        boolean allowed = tokens >= 1;
        tokenBuckets.put(key, new TokenBucket(allowed ? tokens - 1 : tokens, now));
        return allowed;
    }

    /** Derived from the time, as in client-go, but unique even if the clock is coarse. */
    private String newEventName(RecordedEvent recordedEvent) {
        Instant time = recordedEvent.time();
        lastSuffix = Math.max(lastSuffix + 1, time.getEpochSecond() * 1_000_000_000L + time.getNano());
        int teller = recordedEvent.source().component().hashCode() & 0xffff;
        return "%s.%x%04x".formatted(ObjectMetaReader.name(recordedEvent.involvedObject()), lastSuffix, teller);
    }

    private static <V> Map<String, V> newLruMap() {
        return new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > CACHE_SIZE;
            }
        };
    }
}
