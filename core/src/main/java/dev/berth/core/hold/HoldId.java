package dev.berth.core.hold;

import java.util.Optional;

/** The identity of a hold. It is written on the pods that use it, so it outlives the process. */
public record HoldId(String value) implements Comparable<HoldId> {
    /** Longer than any id that a door makes. Tenants write ids on pods, and what they write is kept in memory. */
    private static final int MAX_LENGTH = 1_024;

    public HoldId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("hold id (%s) is blank".formatted(value));
        }
    }

    /** The id that the text is; empty where it is blank or longer than any id. */
    public static Optional<HoldId> parse(String text) {
        return text.isBlank() || text.length() > MAX_LENGTH ? Optional.empty() : Optional.of(new HoldId(text));
    }

    @Override
    public int compareTo(HoldId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
