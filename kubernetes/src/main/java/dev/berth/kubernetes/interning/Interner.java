package dev.berth.kubernetes.interning;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interns values in a table of fixed size; a newer value replaces an older one. Two slots for each hash keep two
 * frequent values from evicting each other.
 */
public final class Interner<T> {
    private final @Nullable Object[] slots;

    /** @param size a power of two */
    public Interner(int size) {
        if (size < 2 || Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("size (%d) must be a power of two".formatted(size));
        }
        slots = new Object[size];
    }

    @SuppressWarnings("unchecked") // Only values of this type are added.
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
