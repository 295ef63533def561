package dev.berth.sandbox.storage;

import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map: adding and removing return a new map that shares all nodes except one path with
 * the old map. So an old version can be listed without a lock and without a copy. It is an AVL
 * tree; every operation takes time logarithmic in the size.
 */
final class PersistentSortedMap<V> {

    private static final PersistentSortedMap<?> EMPTY = new PersistentSortedMap<>(null);

    private final @Nullable Node<V> root;

    private PersistentSortedMap(@Nullable Node<V> root) {
        this.root = root;
    }

    @SuppressWarnings("unchecked")
    static <V> PersistentSortedMap<V> empty() {
        return (PersistentSortedMap<V>) EMPTY;
    }

    int size() {
        return size(root);
    }

    Optional<V> get(String key) {
        Node<V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return Optional.of(node.value);
            }
            node = order < 0 ? node.left : node.right;
        }
        return Optional.empty();
    }

    PersistentSortedMap<V> with(String key, V value) {
        return new PersistentSortedMap<>(put(root, key, value));
    }

    PersistentSortedMap<V> without(String key) {
        return get(key).isEmpty() ? this : new PersistentSortedMap<>(remove(root, key));
    }

    /** Visits values in order of their keys from (inclusive) until (exclusive), while the visitor returns true. */
    void visit(Range range, Predicate<? super V> visitor) {
        visit(root, range, visitor);
    }

    /** How many keys lie in the range. */
    int count(Range range) {
        return rank(range.until()) - rank(range.from());
    }

    private int rank(String key) {
        int before = 0;
        Node<V> node = root;
        while (node != null) {
            if (node.key.compareTo(key) < 0) {
                before += size(node.left) + 1;
                node = node.right;
            } else {
                node = node.left;
            }
        }
        return before;
    }

    private static <V> boolean visit(@Nullable Node<V> node, Range range, Predicate<? super V> visitor) {
        if (node == null) {
            return true;
        }
        boolean afterFrom = node.key.compareTo(range.from()) >= 0;
        boolean beforeUntil = node.key.compareTo(range.until()) < 0;
        if (afterFrom && !visit(node.left, range, visitor)) {
            return false;
        }
        if (afterFrom && beforeUntil && !visitor.test(node.value)) {
            return false;
        }
        return !beforeUntil || visit(node.right, range, visitor);
    }

    private static <V> Node<V> put(@Nullable Node<V> node, String key, V value) {
        if (node == null) {
            return new Node<>(key, value, null, null);
        }
        int order = key.compareTo(node.key);
        if (order == 0) {
            return new Node<>(key, value, node.left, node.right);
        }
        return order < 0
                ? balanced(node, put(node.left, key, value), node.right)
                : balanced(node, node.left, put(node.right, key, value));
    }

    private static <V> @Nullable Node<V> remove(@Nullable Node<V> node, String key) {
        if (node == null) {
            return null;
        }
        int order = key.compareTo(node.key);
        if (order < 0) {
            return balanced(node, remove(node.left, key), node.right);
        }
        if (order > 0) {
            return balanced(node, node.left, remove(node.right, key));
        }
        if (node.left == null) {
            return node.right;
        }
        if (node.right == null) {
            return node.left;
        }
        Node<V> successor = leftmost(node.right);
        return balanced(successor, node.left, remove(node.right, successor.key));
    }

    private static <V> Node<V> leftmost(Node<V> from) {
        Node<V> node = from;
        while (node.left != null) {
            node = node.left;
        }
        return node;
    }

    /** The entry of {@code at} over the two subtrees, rotated where one has grown two levels higher. */
    private static <V> Node<V> balanced(Node<V> at, @Nullable Node<V> left, @Nullable Node<V> right) {
        int lean = height(left) - height(right);
        if (lean > 1 && left != null) {
            Node<V> inner = left.right;
            if (inner != null && height(left.left) < height(inner)) {
                return join(inner, join(left, left.left, inner.left), join(at, inner.right, right));
            }
            return join(left, left.left, join(at, inner, right));
        }
        if (lean < -1 && right != null) {
            Node<V> inner = right.left;
            if (inner != null && height(right.right) < height(inner)) {
                return join(inner, join(at, left, inner.left), join(right, inner.right, right.right));
            }
            return join(right, join(at, left, inner), right.right);
        }
        return join(at, left, right);
    }

    private static <V> Node<V> join(Node<V> entry, @Nullable Node<V> left, @Nullable Node<V> right) {
        return new Node<>(entry.key, entry.value, left, right);
    }

    private static int height(@Nullable Node<?> node) {
        return node == null ? 0 : node.height;
    }

    private static int size(@Nullable Node<?> node) {
        return node == null ? 0 : node.size;
    }

    /** Keys from (inclusive) until (exclusive). */
    record Range(String from, String until) {

        private static final String END = "\uffff";

        static final Range ALL = new Range("", END);

        /** The keys of one namespace: every path that begins with its name and a slash. */
        static Range ofNamespace(String namespace) {
            return namespace.isEmpty() ? ALL : new Range(namespace + "/", namespace + "0");
        }

        /** The part of this range behind a key. */
        Range after(String key) {
            return new Range(key + "\u0000", until);
        }
    }

    private static final class Node<V> {
        private final String key;
        private final V value;
        private final @Nullable Node<V> left;
        private final @Nullable Node<V> right;
        private final int height;
        private final int size;

        Node(String key, V value, @Nullable Node<V> left, @Nullable Node<V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.height = Math.max(height(left), height(right)) + 1;
            this.size = size(left) + size(right) + 1;
        }
    }
}
