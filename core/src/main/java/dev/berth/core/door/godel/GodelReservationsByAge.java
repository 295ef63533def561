package dev.berth.core.door.godel;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reservations by UID, the oldest first. */
final class GodelReservationsByAge {
    private record AgeKey(Instant created, String uid) {}

    private final Map<String, AgeKey> keys = new HashMap<>();
    private final TreeSet<AgeKey> order =
            new TreeSet<>(Comparator.comparing(AgeKey::created).thenComparing(AgeKey::uid));
    /** The key that {@link #next} returned last; it may have been removed since. */
    private @Nullable AgeKey lastReturned;

    boolean isEmpty() {
        return order.isEmpty();
    }

    int size() {
        return order.size();
    }

    boolean contains(String uid) {
        return keys.containsKey(uid);
    }

    void add(GodelReservation reservation) {
        remove(reservation.uid());
        AgeKey key = new AgeKey(reservation.createdAt(), reservation.uid());
        keys.put(reservation.uid(), key);
        order.add(key);
    }

    void remove(String uid) {
        @Nullable AgeKey key = keys.remove(uid);
        if (key != null) {
            order.remove(key);
        }
    }

    /** Removes and returns the oldest Reservation. */
    Optional<String> poll() {
        @Nullable AgeKey oldest = order.pollFirst();
        if (oldest == null) {
            return Optional.empty();
        }
        keys.remove(oldest.uid());
        return Optional.of(oldest.uid());
    }

    /** Returns the next Reservation. The oldest follows the newest. */
    Optional<String> next() {
        @Nullable AgeKey next = lastReturned == null ? null : order.higher(lastReturned);
        lastReturned = next != null || order.isEmpty() ? next : order.first();
        return Optional.ofNullable(lastReturned).map(AgeKey::uid);
    }

    /** Continues with the oldest Reservation. */
    void rewind() {
        lastReturned = null;
    }
}
