package dev.berth.core.hold;

/** The identity of a hold. It is written on the pods that use it, so it outlives the process. */
public record HoldId(String value) implements Comparable<HoldId> {
    public HoldId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("hold id (%s) is blank".formatted(value));
        }
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
