package dev.berth.sandbox.storage;

/**
 * The key of an object inside its resource: a namespace (empty for cluster-scoped ones) and a name. Ordered as etcd
 * orders the paths made of them, which is the order of every list.
 */
public record StorageKey(String namespace, String name) implements Comparable<StorageKey> {

    public StorageKey {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name is empty in namespace (" + namespace + ")");
        }
    }

    /** The path the object is sorted by. */
    String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(StorageKey other) {
        return path().compareTo(other.path());
    }
}
