package dev.berth.core.cluster;

import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;

/**
 * An immutable list with a fast {@link #contains}. Users write lists of tens of thousands of values, and each pod or node of
 * the cluster is looked up in them.
 */
public final class HashedList<E> extends AbstractList<E> implements RandomAccess {
    /** Up to this many elements, a scan is as fast as a hash. */
    private static final int MAX_UNHASHED = 8;

    private final List<E> list;
    private final Set<E> set;
    /** Selectors are keys of maps that are read once for each node. */
    private final int hash;

    private HashedList(List<E> list) {
        this.list = list;
        this.set = new HashSet<>(list);
        this.hash = list.hashCode();
    }

    /** A hashed copy, or a plain one of a short list. */
    public static <E> List<E> copyOf(List<E> list) {
        if (list instanceof HashedList) {
            return list;
        }
        List<E> copy = List.copyOf(list);
        return copy.size() <= MAX_UNHASHED ? copy : new HashedList<>(copy);
    }

    @Override
    public E get(int index) {
        return list.get(index);
    }

    @Override
    public int size() {
        return list.size();
    }

    @Override
    public boolean contains(Object element) {
        return set.contains(element);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof HashedList<?> hashed
                        ? hashed.hash == hash && hashed.list.equals(list)
                        : list.equals(other));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
