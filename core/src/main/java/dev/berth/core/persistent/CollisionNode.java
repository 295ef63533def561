package dev.berth.core.persistent;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Pairs whose keys have the same hash. */
final class CollisionNode implements TrieNode {
    private final Object[] pairs;

    CollisionNode(Object[] pairs) {
        this.pairs = pairs;
    }

    @Override
    public @Nullable Object get(Object key, int hash, int shift) {
        int at = find(key);
        return at < 0 ? null : pairs[at + 1];
    }

    @Override
    public TrieNode with(Object key, int hash, int shift, Object value) {
        int at = find(key);
        Object[] copy = Arrays.copyOf(pairs, at < 0 ? pairs.length + 2 : pairs.length);
        int target = at < 0 ? pairs.length : at;
        copy[target] = key;
        copy[target + 1] = value;
        return new CollisionNode(copy);
    }

    @Override
    public TrieNode without(Object key, int hash, int shift) {
        int at = find(key);
        Object[] copy = new Object[pairs.length - 2];
        System.arraycopy(pairs, 0, copy, 0, at);
        System.arraycopy(pairs, at + 2, copy, at, copy.length - at);
        return new CollisionNode(copy);
    }

    @Override
    public boolean isSinglePair() {
        return pairs.length == 2;
    }

    @Override
    public Object[] pairs() {
        return pairs;
    }

    @Override
    public Object firstValue() {
        return pairs[1];
    }

    @Override
    public void forEach(BiConsumer<Object, Object> visitor) {
        for (int i = 0; i < pairs.length; i += 2) {
            visitor.accept(pairs[i], pairs[i + 1]);
        }
    }

    @Override
    public boolean allMatch(BiPredicate<Object, Object> condition) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (!condition.test(pairs[i], pairs[i + 1])) {
                return false;
            }
        }
        return true;
    }

    private int find(Object key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }
}
