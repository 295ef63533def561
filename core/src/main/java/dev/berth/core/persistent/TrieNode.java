package dev.berth.core.persistent;

import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** A part of a {@link TrieMap}: all its keys have equal hashes in the lowest {@code shift} bits. */
sealed interface TrieNode permits BranchNode, CollisionNode {
    int BITS = 5;
    int HASH_BITS = 32;

    /** The upper half of a string's hash is distributed better, and the trie reads the lowest bits first. */
    static int hash(Object key) {
        int hash = key.hashCode();
        return hash ^ (hash >>> 16);
    }

    @Nullable
    Object get(Object key, int hash, int shift);

    TrieNode with(Object key, int hash, int shift, Object value);

    /** Called only for a key that exists, and never for the last one. */
    TrieNode without(Object key, int hash, int shift);

    /** Whether one pair is left, which moves to the parent then: equal maps have equal tries. */
    boolean isSinglePair();

    Object[] pairs();

    /** The value that {@link #forEach} visits first. Must not be called on an empty trie. */
    Object firstValue();

    void forEach(BiConsumer<Object, Object> visitor);

    /** Visits in the order of {@link #forEach}, up to the first entry that does not match. */
    boolean allMatch(BiPredicate<Object, Object> condition);

    /** A node for two different keys that have equal hashes in the lowest {@code shift} bits. */
    static TrieNode ofTwo(Object[] first, int firstHash, Object[] second, int secondHash, int shift) {
        if (shift >= HASH_BITS) {
            return new CollisionNode(new Object[] {first[0], first[1], second[0], second[1]});
        }
        return BranchNode.EMPTY
                .with(first[0], firstHash, shift, first[1])
                .with(second[0], secondHash, shift, second[1]);
    }
}
