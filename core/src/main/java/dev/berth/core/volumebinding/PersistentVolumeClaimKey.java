package dev.berth.core.volumebinding;

/** The namespace and the name of a claim. */
public record PersistentVolumeClaimKey(String namespace, String name) implements Comparable<PersistentVolumeClaimKey> {
    @Override
    public int compareTo(PersistentVolumeClaimKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
