package dev.berth.core.cluster;

/** The identity of a pod. A pod with the same name and another UID is another pod. */
public final class PodUid implements Comparable<PodUid> {
    private final String value;
    /** Stored here to save an indirection: pods are looked up by it very often. */
    private final int hash;

    public PodUid(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("pod uid (%s) is blank".formatted(value));
        }
        this.value = value;
        this.hash = value.hashCode();
    }

    public String value() {
        return value;
    }

    @Override
    public int compareTo(PodUid other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof PodUid uid && hash == uid.hash && value.equals(uid.value));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return value;
    }
}
