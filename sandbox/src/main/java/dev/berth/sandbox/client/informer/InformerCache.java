package dev.berth.sandbox.client.informer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The objects of one resource as last observed, in the order of their keys. A writer reports its writes by
 * {@link #applyWrite} and {@link #applyDelete}, so that its next read shows them. The echo of the write and older events
 * then change nothing. Objects are shared and must not be changed.
 */
public final class InformerCache {

    /** Called after every change. {@code before} is empty for a new object, {@code after} for a deleted one. */
    @FunctionalInterface
    public interface ChangeListener {
        void onChange(Optional<ObjectNode> before, Optional<ObjectNode> after);
    }

    private final RestMapping restMapping;
    private final NavigableMap<NamespacedName, ObjectNode> objects = new TreeMap<>();
    private final Set<String> deletedUids = new HashSet<>();
    private final List<Index> indexes = new ArrayList<>();
    private final List<ChangeListener> listeners = new ArrayList<>();
    private boolean synced;
    /** The version up to which lists and watches are complete. */
    private long syncedVersion;

    InformerCache(RestMapping restMapping) {
        this.restMapping = restMapping;
    }

    public RestMapping restMapping() {
        return restMapping;
    }

    /** Adds an index; objects already there are entered. */
    public Index index(Function<ObjectNode, ? extends Collection<String>> property) {
        Index index = new Index(property);
        objects.forEach(index::put);
        indexes.add(index);
        return index;
    }

    public void addListener(ChangeListener listener) {
        listeners.add(listener);
    }

    boolean hasSynced() {
        return synced;
    }

    public Optional<ObjectNode> get(NamespacedName key) {
        return Optional.ofNullable(objects.get(key));
    }

    public Optional<ObjectNode> get(String namespace, String name) {
        return get(new NamespacedName(namespace, name));
    }

    /** All objects; a view that changes with the cache. */
    public Collection<ObjectNode> list() {
        return objects.values();
    }

    /** The objects of one namespace; a view that changes with the cache. */
    public Collection<ObjectNode> listNamespace(String namespace) {
        return objects.subMap(new NamespacedName(namespace, ""), new NamespacedName(namespace + '\0', ""))
                .values();
    }

    /**
     * Applies the response to a create, update or patch of this process. It may arrive after the watch reported a later
     * deletion. Then the object stays deleted.
     */
    public void applyWrite(ObjectNode object) {
        ObjectNode present = objects.get(NamespacedName.of(object));
        boolean there = present != null && ObjectMetaReader.uid(present).equals(ObjectMetaReader.uid(object));
        if (there || version(object) > syncedVersion) {
            storeIfNewer(object);
        }
    }

    /** Applies a deletion by this process that removed the object at once. */
    public void applyDelete(ObjectNode object) {
        NamespacedName key = NamespacedName.of(object);
        ObjectNode present = objects.get(key);
        if (present != null && ObjectMetaReader.uid(present).equals(ObjectMetaReader.uid(object))) {
            // Until the watch confirms the deletion, older events must not bring the object back.
            deletedUids.add(ObjectMetaReader.uid(object));
            removeAndNotify(key, present);
        }
    }

    void onWatchUpsert(ObjectNode object) {
        syncedVersion = Math.max(syncedVersion, version(object));
        storeIfNewer(object);
    }

    private void storeIfNewer(ObjectNode object) {
        ObjectNode before = objects.get(NamespacedName.of(object));
        if (!deletedUids.contains(ObjectMetaReader.uid(object)) && (before == null || isNewer(object, before))) {
            store(object);
        }
    }

    private void store(ObjectNode object) {
        NamespacedName key = NamespacedName.of(object);
        ObjectNode before = objects.get(key);
        if (before != null
                && ObjectMetaReader.resourceVersion(before).equals(ObjectMetaReader.resourceVersion(object))) {
            return;
        }
        if (before != null && !ObjectMetaReader.uid(before).equals(ObjectMetaReader.uid(object))) {
            removeAndNotify(key, before);
            before = null;
        }
        if (before != null) {
            removeFromIndexes(key, before);
        }
        objects.put(key, object);
        indexes.forEach(index -> index.put(key, object));
        notifyListeners(Optional.ofNullable(before), Optional.of(object));
    }

    void onWatchDelete(ObjectNode object) {
        syncedVersion = Math.max(syncedVersion, version(object));
        deletedUids.remove(ObjectMetaReader.uid(object));
        NamespacedName key = NamespacedName.of(object);
        ObjectNode before = objects.get(key);
        if (before != null && ObjectMetaReader.uid(before).equals(ObjectMetaReader.uid(object))) {
            removeAndNotify(key, before);
        }
    }

    /**
     * Replaces everything by a list, whatever its versions: a restarted server counts from the beginning.
     *
     * @param version the version of the list
     */
    void replaceWithList(List<ObjectNode> items, String version) {
        syncedVersion = Long.parseUnsignedLong(version);
        deletedUids.clear();
        Set<NamespacedName> removed = new TreeSet<>(objects.keySet());
        for (ObjectNode item : items) {
            removed.remove(NamespacedName.of(item));
        }
        for (NamespacedName key : removed) {
            get(key).ifPresent(object -> removeAndNotify(key, object));
        }
        items.forEach(this::store);
        synced = true;
    }

    private void removeAndNotify(NamespacedName key, ObjectNode object) {
        objects.remove(key);
        removeFromIndexes(key, object);
        notifyListeners(Optional.of(object), Optional.empty());
    }

    private void removeFromIndexes(NamespacedName key, ObjectNode object) {
        indexes.forEach(index -> index.remove(key, object));
    }

    private void notifyListeners(Optional<ObjectNode> before, Optional<ObjectNode> after) {
        for (ChangeListener listener : listeners) {
            listener.onChange(before, after);
        }
    }

    /** Versions of one server are decimal numbers that only grow. */
    private static boolean isNewer(ObjectNode one, ObjectNode other) {
        return version(one) > version(other);
    }

    private static long version(ObjectNode object) {
        return Long.parseUnsignedLong(ObjectMetaReader.resourceVersion(object));
    }
}
