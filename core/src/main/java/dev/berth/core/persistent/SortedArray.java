package dev.berth.core.persistent;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An immutable list sorted by a key of its elements, one element a key, packed into one array. A change copies the
 * array: right for the hundred pods of a node, not for the hundred thousand of a cluster.
 */
public final class SortedArray<K extends Comparable<K>, T> {
    private final Function<T, K> keyOf;
    private final Object[] elements;

    private SortedArray(Function<T, K> keyOf, Object[] elements) {
        this.keyOf = keyOf;
        this.elements = elements;
    }

    public static <K extends Comparable<K>, T> SortedArray<K, T> by(Function<T, K> keyOf) {
        return new SortedArray<>(keyOf, new Object[0]);
    }

    /** With this element, in place of one of the same key. */
    public SortedArray<K, T> with(T element) {
        int at = find(keyOf.apply(element));
        if (at >= 0) {
            Object[] copy = elements.clone();
            copy[at] = element;
            return new SortedArray<>(keyOf, copy);
        }
        int target = -at - 1;
        Object[] copy = new Object[elements.length + 1];
        System.arraycopy(elements, 0, copy, 0, target);
        copy[target] = element;
        System.arraycopy(elements, target, copy, target + 1, elements.length - target);
        return new SortedArray<>(keyOf, copy);
    }

    public SortedArray<K, T> without(K key) {
        int at = find(key);
        if (at < 0) {
            return this;
        }
        Object[] copy = new Object[elements.length - 1];
        System.arraycopy(elements, 0, copy, 0, at);
        System.arraycopy(elements, at + 1, copy, at, copy.length - at);
        return new SortedArray<>(keyOf, copy);
    }

    public Optional<T> get(K key) {
        int at = find(key);
        return at < 0 ? Optional.empty() : Optional.of(element(at));
    }

    /** The elements in order, without a copy. */
    @SuppressWarnings("unchecked") // Only elements of type T were put in, and nobody can put in others.
    public List<T> asList() {
        return (List<T>) Collections.unmodifiableList(Arrays.asList(elements));
    }

    public boolean isEmpty() {
        return elements.length == 0;
    }

    @SuppressWarnings("unchecked") // Only elements of type T were put in.
    private T element(int at) {
        return (T) elements[at];
    }

    private int find(K key) {
        int low = 0;
        int high = elements.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = keyOf.apply(element(middle)).compareTo(key);
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
