package dev.berth.core.collection;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A set of values for each key. A key without values is absent. */
public final class SetMultimap<K, V> {
    private final Map<K, Set<V>> sets = new HashMap<>();
    private final Supplier<Set<V>> newSet;

    private SetMultimap(Supplier<Set<V>> newSet) {
        this.newSet = newSet;
    }

    /** The values of a key are in no particular order. */
    public static <K, V> SetMultimap<K, V> unordered() {
        return new SetMultimap<>(HashSet::new);
    }

    /** The values of a key are in their natural order. */
    public static <K, V extends Comparable<? super V>> SetMultimap<K, V> sorted() {
        return new SetMultimap<>(TreeSet::new);
    }

    /** The values of a key are in the order in which they were added. */
    public static <K, V> SetMultimap<K, V> inOrderOfAddition() {
        return new SetMultimap<>(LinkedHashSet::new);
    }

    public void add(K key, V value) {
        sets.computeIfAbsent(key, same -> newSet.get()).add(value);
    }

    /**
     * Removes the value, if the key has it.
     *
     * @return whether it was the key's last value
     */
    public boolean remove(K key, V value) {
        @Nullable Set<V> values = sets.get(key);
        if (values == null || !values.remove(value) || !values.isEmpty()) {
            return false;
        }
        sets.remove(key);
        return true;
    }

    /** Removes the key, and returns the values that it had. */
    public Set<V> removeAll(K key) {
        @Nullable Set<V> values = sets.remove(key);
        return values == null ? Set.of() : values;
    }

    /** A view of the key's values. */
    public Set<V> get(K key) {
        @Nullable Set<V> values = sets.get(key);
        return values == null ? Set.of() : Collections.unmodifiableSet(values);
    }

    /** A view of the values of all keys. */
    public Collection<Set<V>> valueSets() {
        return Collections.unmodifiableCollection(sets.values());
    }

    public boolean containsKey(K key) {
        return sets.containsKey(key);
    }

    public boolean isEmpty() {
        return sets.isEmpty();
    }

    /** The number of keys. */
    public int keyCount() {
        return sets.size();
    }
}
