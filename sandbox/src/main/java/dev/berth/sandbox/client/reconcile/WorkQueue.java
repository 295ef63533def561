package dev.berth.sandbox.client.reconcile;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A queue of keys, each at most once, in order of arrival; a key may have an earliest time. */
final class WorkQueue<K> {
    private record Delayed<K>(K key, Instant due, long sequence) {}

    private final Set<K> ready = new LinkedHashSet<>();
    private final Map<K, Delayed<K>> delayed = new HashMap<>();
    private final TreeSet<Delayed<K>> byTime =
            new TreeSet<>(Comparator.comparing((Delayed<K> each) -> each.due()).thenComparing(each -> each.sequence()));
    private long nextSequence;

    void add(K key) {
        ready.add(key);
    }

    /** The earliest of several times for one key counts. */
    void addAt(K key, Instant due) {
        Delayed<K> before = delayed.get(key);
        if (before != null) {
            if (!due.isBefore(before.due())) {
                return;
            }
            byTime.remove(before);
        }
        Delayed<K> entry = new Delayed<>(key, due, nextSequence++);
        delayed.put(key, entry);
        byTime.add(entry);
    }

    Optional<K> poll(Instant now) {
        while (!byTime.isEmpty() && !byTime.first().due().isAfter(now)) {
            Delayed<K> due = byTime.first();
            byTime.remove(due);
            delayed.remove(due.key());
            ready.add(due.key());
        }
        Iterator<K> first = ready.iterator();
        if (!first.hasNext()) {
            return Optional.empty();
        }
        K key = first.next();
        first.remove();
        return Optional.of(key);
    }

    /** When the next key is due; the given time when a key is ready now. */
    Optional<Instant> nextDue(Instant now) {
        if (!ready.isEmpty()) {
            return Optional.of(now);
        }
        return byTime.isEmpty() ? Optional.empty() : Optional.of(byTime.first().due());
    }
}
