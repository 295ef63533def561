package dev.berth.core.door.comeback;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reservations by UID, the oldest first. */
final class ByAge {
    private record Key(Instant created, String uid) {}

    private final Map<String, Key> keys = new HashMap<>();
    private final TreeSet<Key> order =
            new TreeSet<>(Comparator.comparing(Key::created).thenComparing(Key::uid));
    /** The one that was last given by {@link #next}, maybe removed since. */
    private @Nullable Key last;

    boolean isEmpty() {
        return order.isEmpty();
    }

    int size() {
        return order.size();
    }

    boolean contains(String uid) {
        return keys.containsKey(uid);
    }

    void add(Placeholder reservation) {
        remove(reservation.uid());
        Key key = new Key(reservation.created(), reservation.uid());
        keys.put(reservation.uid(), key);
        order.add(key);
    }

    void remove(String uid) {
        @Nullable Key key = keys.remove(uid);
        if (key != null) {
            order.remove(key);
        }
    }

    /** Takes the oldest one out. */
    Optional<String> poll() {
        @Nullable Key oldest = order.pollFirst();
        if (oldest == null) {
            return Optional.empty();
        }
        keys.remove(oldest.uid());
        return Optional.of(oldest.uid());
    }

    /** The next one in turn; after the newest comes the oldest. */
    Optional<String> next() {
        @Nullable Key next = last == null ? null : order.higher(last);
        last = next != null || order.isEmpty() ? next : order.first();
        return Optional.ofNullable(last).map(Key::uid);
    }

    /** The oldest one is the next in turn. */
    void rewind() {
        last = null;
    }
}
