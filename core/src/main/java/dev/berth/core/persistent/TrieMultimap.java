package dev.berth.core.persistent;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An immutable map from a key to several distinct values, with the cost of a {@link TrieMap}. */
public final class TrieMultimap<K, V extends Comparable<V>> {
    private static final TrieMultimap<?, ?> EMPTY = new TrieMultimap<>(TrieMap.empty());

    private final TrieMap<K, TrieMap<V, V>> values;

    private TrieMultimap(TrieMap<K, TrieMap<V, V>> values) {
        this.values = values;
    }

    @SuppressWarnings("unchecked") // An empty map contains nothing of the wrong type.
    public static <K, V extends Comparable<V>> TrieMultimap<K, V> empty() {
        return (TrieMultimap<K, V>) EMPTY;
    }

    /** A sorted copy of the values of the key. */
    public Set<V> get(K key) {
        Set<V> sorted = new TreeSet<>();
        addAllTo(sorted, key);
        return sorted;
    }

    public void addAllTo(Set<V> target, K key) {
        @Nullable TrieMap<V, V> existing = values.get(key);
        if (existing != null) {
            existing.forEach((value, same) -> target.add(value));
        }
    }

    public TrieMultimap<K, V> with(K key, V value) {
        @Nullable TrieMap<V, V> existing = values.get(key);
        TrieMap<V, V> before = existing == null ? TrieMap.empty() : existing;
        return new TrieMultimap<>(values.with(key, before.with(value, value)));
    }

    public TrieMultimap<K, V> without(K key, V value) {
        @Nullable TrieMap<V, V> existing = values.get(key);
        if (existing == null) {
            return this;
        }
        TrieMap<V, V> after = existing.without(value);
        return new TrieMultimap<>(after.isEmpty() ? values.without(key) : values.with(key, after));
    }

    public TrieMultimap<K, V> withoutAll(K key) {
        return values.has(key) ? new TrieMultimap<>(values.without(key)) : this;
    }
}
