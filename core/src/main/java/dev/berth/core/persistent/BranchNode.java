package dev.berth.core.persistent;

import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A node of the trie with up to 32 positions. Each is empty, a pair or a child node; two bit sets show which. {@code
 * cells} has first the keys and values of the pairs and then the child nodes, both in the order of their positions.
 */
final class BranchNode implements TrieNode {
    static final BranchNode EMPTY = new BranchNode(0, 0, new Object[0]);

    private final int pairBits;
    private final int nodeBits;
    private final Object[] cells;

    private BranchNode(int pairBits, int nodeBits, Object[] cells) {
        this.pairBits = pairBits;
        this.nodeBits = nodeBits;
        this.cells = cells;
    }

    @Override
    public @Nullable Object get(Object key, int hash, int shift) {
        int bit = bit(hash, shift);
        if ((pairBits & bit) != 0) {
            int at = pairAt(bit);
            return cells[at].equals(key) ? cells[at + 1] : null;
        }
        return (nodeBits & bit) != 0 ? node(nodeAt(bit)).get(key, hash, shift + BITS) : null;
    }

    @Override
    public BranchNode with(Object key, int hash, int shift, Object value) {
        int bit = bit(hash, shift);
        if ((nodeBits & bit) != 0) {
            int at = nodeAt(bit);
            return replaced(at, node(at).with(key, hash, shift + BITS, value));
        }
        if ((pairBits & bit) == 0) {
            return withPair(bit, key, value);
        }
        int at = pairAt(bit);
        if (cells[at].equals(key)) {
            return replaced(at + 1, value);
        }
        Object[] mine = {cells[at], cells[at + 1]};
        Object[] theirs = {key, value};
        return pairBecomesNode(bit, TrieNode.ofTwo(mine, TrieNode.hash(mine[0]), theirs, hash, shift + BITS));
    }

    @Override
    public BranchNode without(Object key, int hash, int shift) {
        int bit = bit(hash, shift);
        if ((pairBits & bit) != 0) {
            return withoutPair(bit);
        }
        int at = nodeAt(bit);
        TrieNode below = node(at).without(key, hash, shift + BITS);
        return below.isSinglePair() ? nodeBecomesPair(bit, below.pairs()) : replaced(at, below);
    }

    @Override
    public boolean isSinglePair() {
        return nodeBits == 0 && cells.length == 2;
    }

    @Override
    public Object[] pairs() {
        return cells;
    }

    @Override
    public Object firstValue() {
        return pairBits != 0 ? cells[1] : node(0).firstValue();
    }

    @Override
    public void forEach(BiConsumer<Object, Object> visitor) {
        int nodes = 2 * Integer.bitCount(pairBits);
        for (int i = 0; i < nodes; i += 2) {
            visitor.accept(cells[i], cells[i + 1]);
        }
        for (int i = nodes; i < cells.length; i++) {
            node(i).forEach(visitor);
        }
    }

    @Override
    public boolean allMatch(BiPredicate<Object, Object> condition) {
        int nodes = 2 * Integer.bitCount(pairBits);
        for (int i = 0; i < nodes; i += 2) {
            if (!condition.test(cells[i], cells[i + 1])) {
                return false;
            }
        }
        for (int i = nodes; i < cells.length; i++) {
            if (!node(i).allMatch(condition)) {
                return false;
            }
        }
        return true;
    }

    private static int bit(int hash, int shift) {
        return 1 << ((hash >>> shift) & 31);
    }

    private int pairAt(int bit) {
        return 2 * Integer.bitCount(pairBits & (bit - 1));
    }

    private int nodeAt(int bit) {
        return 2 * Integer.bitCount(pairBits) + Integer.bitCount(nodeBits & (bit - 1));
    }

    private TrieNode node(int at) {
        return (TrieNode) cells[at];
    }

    private BranchNode replaced(int at, Object cell) {
        Object[] copy = cells.clone();
        copy[at] = cell;
        return new BranchNode(pairBits, nodeBits, copy);
    }

    private BranchNode withPair(int bit, Object key, Object value) {
        int at = pairAt(bit);
        Object[] copy = new Object[cells.length + 2];
        System.arraycopy(cells, 0, copy, 0, at);
        copy[at] = key;
        copy[at + 1] = value;
        System.arraycopy(cells, at, copy, at + 2, cells.length - at);
        return new BranchNode(pairBits | bit, nodeBits, copy);
    }

    private BranchNode withoutPair(int bit) {
        int at = pairAt(bit);
        Object[] copy = new Object[cells.length - 2];
        System.arraycopy(cells, 0, copy, 0, at);
        System.arraycopy(cells, at + 2, copy, at, copy.length - at);
        return new BranchNode(pairBits & ~bit, nodeBits, copy);
    }

    private BranchNode pairBecomesNode(int bit, TrieNode node) {
        int from = pairAt(bit);
        int to = nodeAt(bit) - 2;
        Object[] copy = new Object[cells.length - 1];
        System.arraycopy(cells, 0, copy, 0, from);
        System.arraycopy(cells, from + 2, copy, from, to - from);
        copy[to] = node;
        System.arraycopy(cells, to + 2, copy, to + 1, cells.length - to - 2);
        return new BranchNode(pairBits & ~bit, nodeBits | bit, copy);
    }

    private BranchNode nodeBecomesPair(int bit, Object[] pair) {
        int from = nodeAt(bit);
        int to = pairAt(bit);
        Object[] copy = new Object[cells.length + 1];
        System.arraycopy(cells, 0, copy, 0, to);
        copy[to] = pair[0];
        copy[to + 1] = pair[1];
        System.arraycopy(cells, to, copy, to + 2, from - to);
        System.arraycopy(cells, from + 1, copy, from + 2, cells.length - from - 1);
        return new BranchNode(pairBits | bit, nodeBits & ~bit, copy);
    }
}
