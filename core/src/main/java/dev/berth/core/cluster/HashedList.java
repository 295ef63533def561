package dev.berth.core.cluster;

import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;

/**
 * An unchangeable list that is asked more often whether it contains something than what is at an index. Users write lists
 * of tens of thousands of values, and each of them is compared with each pod or node of the cluster.
 */
public final class HashedList<E> extends AbstractList<E> implements RandomAccess {
    /** In so few a walk is as fast as a hash. */
    private static final int FEW = 8;

    private final List<E> list;
    private final Set<E> set;
    /** Selectors are the keys of maps, which are asked once for each node. */
    private final int hash;

    private HashedList(List<E> list) {
        this.list = list;
        this.set = new HashSet<>(list);
        this.hash = list.hashCode();
    }

    /** A copy that knows by hash what it contains, unless it is short. */
    public static <E> List<E> copyOf(List<E> list) {
        if (list instanceof HashedList) {
            return list;
        }
        List<E> copy = List.copyOf(list);
        return copy.size() <= FEW ? copy : new HashedList<>(copy);
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
