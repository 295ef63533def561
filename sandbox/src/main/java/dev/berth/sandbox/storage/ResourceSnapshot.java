package dev.berth.sandbox.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The content of one resource at one revision. Immutable. */
public final class ResourceSnapshot {

    private final PersistentSortedMap<StoredObject> objects;
    private final long revision;

    ResourceSnapshot(PersistentSortedMap<StoredObject> objects, long revision) {
        this.objects = objects;
        this.revision = revision;
    }

    public long revision() {
        return revision;
    }

    public int size() {
        return objects.size();
    }

    /** All objects of a namespace (empty: of all namespaces) in order. */
    public List<StoredObject> list(String namespace) {
        List<StoredObject> all = new ArrayList<>();
        visit(namespace, Optional.empty(), all::add);
        return all;
    }

    /** Visits a namespace's objects (empty: all) behind a key in order, while the visitor returns true. */
    public void visit(String namespace, Optional<StorageKey> after, Predicate<? super StoredObject> visitor) {
        objects.visit(range(namespace, after), visitor);
    }

    /** How many objects of a namespace (empty: all) lie behind a key. */
    public int countAfter(String namespace, StorageKey after) {
        return objects.count(range(namespace, Optional.of(after)));
    }

    private static PersistentSortedMap.Range range(String namespace, Optional<StorageKey> after) {
        PersistentSortedMap.Range whole = PersistentSortedMap.Range.ofNamespace(namespace);
        return after.map(key -> whole.after(key.path())).orElse(whole);
    }
}
