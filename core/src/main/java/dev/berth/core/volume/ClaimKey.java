package dev.berth.core.volume;

/** Which claim: its name counts in its namespace alone. */
public record ClaimKey(String namespace, String name) implements Comparable<ClaimKey> {
    @Override
    public int compareTo(ClaimKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
