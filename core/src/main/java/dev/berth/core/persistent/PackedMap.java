package dev.berth.core.persistent;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An immutable map of elements that contain their key, packed into one array. A change copies the array: right for the
 * hundred pods of a node, not for the hundred thousand pods of a cluster. The order depends on the keys alone: by hash,
 * then by key. So a search compares numbers and reads the text of only one key.
 */
public final class PackedMap<K extends Comparable<K>, T> {
    private final Function<T, K> keyOf;
    private final Object[] elements;

    private PackedMap(Function<T, K> keyOf, Object[] elements) {
        this.keyOf = keyOf;
        this.elements = elements;
    }

    public static <K extends Comparable<K>, T> PackedMap<K, T> keyedBy(Function<T, K> keyOf) {
        return new PackedMap<>(keyOf, new Object[0]);
    }

    /** The map with this element, which replaces one with the same key. */
    public PackedMap<K, T> with(T element) {
        int at = find(keyOf.apply(element));
        if (at >= 0) {
            Object[] copy = elements.clone();
            copy[at] = element;
            return new PackedMap<>(keyOf, copy);
        }
        int target = -at - 1;
        Object[] copy = new Object[elements.length + 1];
        System.arraycopy(elements, 0, copy, 0, target);
        copy[target] = element;
        System.arraycopy(elements, target, copy, target + 1, elements.length - target);
        return new PackedMap<>(keyOf, copy);
    }

    public PackedMap<K, T> without(K key) {
        int at = find(key);
        if (at < 0) {
            return this;
        }
        Object[] copy = new Object[elements.length - 1];
        System.arraycopy(elements, 0, copy, 0, at);
        System.arraycopy(elements, at + 1, copy, at, copy.length - at);
        return new PackedMap<>(keyOf, copy);
    }

    public Optional<T> get(K key) {
        int at = find(key);
        return at < 0 ? Optional.empty() : Optional.of(element(at));
    }

    /** The elements in order, not copied. */
    @SuppressWarnings("unchecked") // Only elements of type T were added.
    public List<T> asList() {
        return (List<T>) Collections.unmodifiableList(Arrays.asList(elements));
    }

    public boolean isEmpty() {
        return elements.length == 0;
    }

    @SuppressWarnings("unchecked") // Only elements of type T were added.
    private T element(int at) {
        return (T) elements[at];
    }

    /** The index of the key; if the key is absent, minus the insertion point, minus one. */
    private int find(K key) {
        int hash = key.hashCode();
        int low = 0;
        int high = elements.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            K there = keyOf.apply(element(middle));
            int order = Integer.compare(there.hashCode(), hash);
            if (order == 0) {
                order = there.compareTo(key);
            }
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
