package dev.berth.kubernetes.interning;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shares equal values, as many as there is room for; a newer one takes the room of an older. Two places for each hash
 * keep two frequent ones from chasing each other away.
 */
public final class Interner<T> {
    private final @Nullable Object[] slots;

    /**
     * Makes a pool.
     *
     * @param size a power of two
     */
    public Interner(int size) {
        if (size < 2 || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("size (%d) must be a power of two".formatted(size));
        }
        slots = new Object[size];
    }

    @SuppressWarnings("unchecked") // Nothing else is ever put in.
    public T intern(T value) {
        int slot = slot(value.hashCode());
        for (int i = slot; i < slot + 2; i++) {
            if (value.equals(slots[i])) {
                return (T) Objects.requireNonNull(slots[i]);
            }
        }
        slots[slot + 1] = slots[slot];
        slots[slot] = value;
        return value;
    }

    private int slot(int hash) {
        return ((hash * 0x9e3779b9) >>> 7) & (slots.length - 2);
    }
}
