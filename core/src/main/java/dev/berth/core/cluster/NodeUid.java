package dev.berth.core.cluster;

/** The identity of a node. A node that is registered again under its name has another UID and is another node. */
public record NodeUid(String value) implements Comparable<NodeUid> {
    public NodeUid {
        if (value.isBlank()) {
            throw new IllegalArgumentException("node uid (%s) is blank".formatted(value));
        }
    }

    @Override
    public int compareTo(NodeUid other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
