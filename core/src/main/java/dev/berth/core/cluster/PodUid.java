package dev.berth.core.cluster;

/** The identity of a pod. Another UID under the same name is another pod. */
public record PodUid(String value) implements Comparable<PodUid> {
    public PodUid {
        if (value.isBlank()) {
            throw new IllegalArgumentException("pod uid (%s) is blank".formatted(value));
        }
    }

    @Override
    public int compareTo(PodUid other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
