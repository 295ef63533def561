package dev.berth.core.persistent;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A part of a {@link TrieMap}: all its keys agree in the lowest {@code shift} bits of their hashes. */
sealed interface TrieNode permits BranchNode, CollisionNode {
    int BITS = 5;
    int HASH_BITS = 32;

    /** The upper half of a string's hash is the better one; the trie reads from below. */
    static int hash(Object key) {
        int hash = key.hashCode();
        return hash ^ (hash >>> 16);
    }

    @Nullable
    Object get(Object key, int hash, int shift);

    TrieNode with(Object key, int hash, int shift, Object value);

    /** Called only for a key that is there, and never for the last one. */
    TrieNode without(Object key, int hash, int shift);

    /** Whether it has shrunk to one pair, which its parent then takes in: equal maps have equal tries. */
    boolean isSinglePair();

    Object[] pairs();

    /** The value that {@link #forEach} shows first; not of an empty trie. */
    Object firstValue();

    void forEach(BiConsumer<Object, Object> visitor);

    /** Two different keys that agree in the lowest {@code shift} bits. */
    static TrieNode ofTwo(Object[] first, int firstHash, Object[] second, int secondHash, int shift) {
        if (shift >= HASH_BITS) {
            return new CollisionNode(new Object[] {first[0], first[1], second[0], second[1]});
        }
        return BranchNode.EMPTY
                .with(first[0], firstHash, shift, first[1])
                .with(second[0], secondHash, shift, second[1]);
    }
}
