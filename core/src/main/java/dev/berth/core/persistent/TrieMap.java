package dev.berth.core.persistent;

import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map. A change returns a new map that shares all but a few small arrays with the old one. The cost is
 * O(log size), base 32. Keys need good {@code equals} and {@code hashCode}; neither keys nor values are null. The order
 * of {@link #forEach} depends on the keys alone, not on the order of the changes.
 */
public final class TrieMap<K, V> {
    private static final TrieMap<?, ?> EMPTY = new TrieMap<>(BranchNode.EMPTY, 0);

    private final BranchNode root;
    private final int size;

    private TrieMap(BranchNode root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // An empty map contains nothing of the wrong type.
    public static <K, V> TrieMap<K, V> empty() {
        return (TrieMap<K, V>) EMPTY;
    }

    @SuppressWarnings("unchecked") // Only values of type V were added.
    public @Nullable V get(K key) {
        return (V) root.get(key, TrieNode.hash(key), 0);
    }

    public boolean has(K key) {
        return root.get(key, TrieNode.hash(key), 0) != null;
    }

    public TrieMap<K, V> with(K key, V value) {
        int hash = TrieNode.hash(key);
        Object existing = root.get(key, hash, 0);
        if (existing == value) {
            return this;
        }
        return new TrieMap<>(root.with(key, hash, 0, value), existing == null ? size + 1 : size);
    }

    public TrieMap<K, V> without(K key) {
        int hash = TrieNode.hash(key);
        if (root.get(key, hash, 0) == null) {
            return this;
        }
        return size == 1 ? empty() : new TrieMap<>(root.without(key, hash, 0), size - 1);
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** The value that {@link #forEach} visits first; null if the map is empty. */
    @SuppressWarnings("unchecked") // Only values of type V were added.
    public @Nullable V firstValue() {
        return size == 0 ? null : (V) root.firstValue();
    }

    @SuppressWarnings("unchecked") // Only keys of type K and values of type V were added.
    public void forEach(BiConsumer<? super K, ? super V> visitor) {
        root.forEach((key, value) -> visitor.accept((K) key, (V) value));
    }

    /** Whether all entries match. Visits them in the order of {@link #forEach}, up to the first one that does not. */
    @SuppressWarnings("unchecked") // Only keys of type K and values of type V were added.
    public boolean allMatch(BiPredicate<? super K, ? super V> condition) {
        return root.allMatch((key, value) -> condition.test((K) key, (V) value));
    }
}
