package dev.berth.core.reconcile;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One wake-up time for each object.
 *
 * @param <K> identifies an object
 */
public final class Timers<K extends Comparable<K>> {
    private record Timer<K>(Instant at, K key) {}

    private final TreeSet<Timer<K>> timers =
            new TreeSet<>(Comparator.<Timer<K>, Instant>comparing(Timer::at).thenComparing(Timer::key));
    private final Map<K, Timer<K>> byKey = new HashMap<>();

    /** Replaces the time of the object; {@link Instant#MAX} clears it. */
    public void set(K key, Instant at) {
        clear(key);
        if (!at.equals(Instant.MAX)) {
            Timer<K> timer = new Timer<>(at, key);
            timers.add(timer);
            byKey.put(key, timer);
        }
    }

    public void clear(K key) {
        Timer<K> timer = byKey.remove(key);
        if (timer != null) {
            timers.remove(timer);
        }
    }

    /** The objects whose time has come, earliest first; each is returned once. */
    public List<K> expired(Instant now) {
        List<K> expired = new ArrayList<>();
        while (!timers.isEmpty() && !timers.first().at().isAfter(now)) {
            K key = timers.first().key();
            clear(key);
            expired.add(key);
        }
        return expired;
    }

    public Optional<Instant> next() {
        return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().at());
    }
}
