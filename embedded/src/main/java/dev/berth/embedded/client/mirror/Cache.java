package dev.berth.embedded.client.mirror;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Meta;
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
 * The objects of one resource as last heard of, in the order of their keys. Who writes an object tells it by
 * {@link #wrote} and {@link #deleted}, so that its next look already shows it; the echo of the write and whatever was on
 * the way before it change nothing then. Objects are shared and must not be changed.
 */
public final class Cache {

    /** Told of every change, right after it; exactly one of the two is empty when an object came or went. */
    @FunctionalInterface
    public interface Listener {
        void changed(Optional<ObjectNode> before, Optional<ObjectNode> after);
    }

    private final Resource resource;
    private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
    private final Set<String> deletedUids = new HashSet<>();
    private final List<Index> indexes = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private boolean filled;
    /** The version up to which lists and watches have told everything. */
    private long reached;

    Cache(Resource resource) {
        this.resource = resource;
    }

    public Resource resource() {
        return resource;
    }

    /** Adds an index; objects already there are entered. */
    public Index index(Function<ObjectNode, ? extends Collection<String>> property) {
        Index index = new Index(property);
        objects.forEach(index::put);
        indexes.add(index);
        return index;
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    boolean filled() {
        return filled;
    }

    public Optional<ObjectNode> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    public Optional<ObjectNode> get(String namespace, String name) {
        return get(new ObjectKey(namespace, name));
    }

    /** All objects; a view that changes with the cache. */
    public Collection<ObjectNode> all() {
        return objects.values();
    }

    /** The objects of one namespace; a view that changes with the cache. */
    public Collection<ObjectNode> in(String namespace) {
        return objects.subMap(new ObjectKey(namespace, ""), new ObjectKey(namespace + '\0', ""))
                .values();
    }

    /**
     * Takes in the server's answer to a create, update or patch of ours. It may come after the watch has told of a later
     * deletion: then it does not bring the object back.
     */
    public void wrote(ObjectNode object) {
        ObjectNode present = objects.get(ObjectKey.of(object));
        boolean there = present != null && Meta.uid(present).equals(Meta.uid(object));
        if (there || version(object) > reached) {
            take(object);
        }
    }

    /** Takes in that the server removed the object at once when we deleted it. */
    public void deleted(ObjectNode object) {
        ObjectKey key = ObjectKey.of(object);
        ObjectNode present = objects.get(key);
        if (present != null && Meta.uid(present).equals(Meta.uid(object))) {
            // Until the watch says so too, what is still on the way must not bring it back.
            deletedUids.add(Meta.uid(object));
            drop(key, present);
        }
    }

    void put(ObjectNode object) {
        reached = Math.max(reached, version(object));
        take(object);
    }

    private void take(ObjectNode object) {
        ObjectNode before = objects.get(ObjectKey.of(object));
        if (!deletedUids.contains(Meta.uid(object)) && (before == null || newer(object, before))) {
            set(object);
        }
    }

    private void set(ObjectNode object) {
        ObjectKey key = ObjectKey.of(object);
        ObjectNode before = objects.get(key);
        if (before != null && Meta.resourceVersion(before).equals(Meta.resourceVersion(object))) {
            return;
        }
        if (before != null && !Meta.uid(before).equals(Meta.uid(object))) {
            drop(key, before);
            before = null;
        }
        if (before != null) {
            unindex(key, before);
        }
        objects.put(key, object);
        indexes.forEach(index -> index.put(key, object));
        tell(Optional.ofNullable(before), Optional.of(object));
    }

    void remove(ObjectNode object) {
        reached = Math.max(reached, version(object));
        deletedUids.remove(Meta.uid(object));
        ObjectKey key = ObjectKey.of(object);
        ObjectNode before = objects.get(key);
        if (before != null && Meta.uid(before).equals(Meta.uid(object))) {
            drop(key, before);
        }
    }

    /**
     * Takes a list as the truth, whatever its versions: a server that started again counts from the beginning.
     *
     * @param version the version of the list
     */
    void replaceAll(List<ObjectNode> items, String version) {
        reached = Long.parseUnsignedLong(version);
        deletedUids.clear();
        Set<ObjectKey> gone = new TreeSet<>(objects.keySet());
        for (ObjectNode item : items) {
            gone.remove(ObjectKey.of(item));
        }
        for (ObjectKey key : gone) {
            get(key).ifPresent(object -> drop(key, object));
        }
        items.forEach(this::set);
        filled = true;
    }

    private void drop(ObjectKey key, ObjectNode object) {
        objects.remove(key);
        unindex(key, object);
        tell(Optional.of(object), Optional.empty());
    }

    private void unindex(ObjectKey key, ObjectNode object) {
        indexes.forEach(index -> index.remove(key, object));
    }

    private void tell(Optional<ObjectNode> before, Optional<ObjectNode> after) {
        for (Listener listener : listeners) {
            listener.changed(before, after);
        }
    }

    /** Versions of one server are decimal numbers that only grow. */
    private static boolean newer(ObjectNode one, ObjectNode other) {
        return version(one) > version(other);
    }

    private static long version(ObjectNode object) {
        return Long.parseUnsignedLong(Meta.resourceVersion(object));
    }
}
