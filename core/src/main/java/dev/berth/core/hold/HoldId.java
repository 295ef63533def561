package dev.berth.core.hold;

import java.util.Optional;

/** The identity of a hold. Binds record it on the pods that use the hold, so it survives a restart. */
public record HoldId(String value) implements Comparable<HoldId> {
    /** Longer than any id that a door creates. Tenants write ids on pods, and Berth stores what they write. */
    private static final int MAX_LENGTH = 1_024;

    public HoldId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("hold id (%s) is blank".formatted(value));
        }
    }

    /** Parses an id; empty if the text is blank or too long. */
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
