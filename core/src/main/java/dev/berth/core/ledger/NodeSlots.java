package dev.berth.core.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Assigns slots, which are small numbers, to nodes, and publishes the table of nodes by slot for snapshots. The table
 * consists of chunks: each published table shares the unchanged chunks with the one before.
 */
final class NodeSlots {
    private static final int CHUNK = 64;

    private final List<@Nullable NodeAccount> accounts = new ArrayList<>();
    private final TreeSet<Integer> unused = new TreeSet<>();
    private final BitSet changed = new BitSet();
    private int inUse;
    private NodesBySlot published = new NodesBySlot(new NodeState[0][], 0, 0);

    /** Nodes by slot, immutable. */
    static final class NodesBySlot {
        private final @Nullable NodeState[][] chunks;
        private final int bound;
        private final int count;

        private NodesBySlot(@Nullable NodeState[][] chunks, int bound, int count) {
            this.chunks = chunks;
            this.bound = bound;
            this.count = count;
        }

        int bound() {
            return bound;
        }

        int count() {
            return count;
        }

        Optional<NodeState> get(int slot) {
            return slot < 0 || slot >= bound
                    ? Optional.empty()
                    : Optional.ofNullable(chunks[slot / CHUNK][slot % CHUNK]);
        }

        /** Chunks that are shared with the older table did not change. */
        @SuppressWarnings("ReferenceEquality") // A node that changed has another state.
        void forEachChange(NodesBySlot older, IntConsumer visitor) {
            int most = Math.max(chunks.length, older.chunks.length);
            for (int chunk = 0; chunk < most; chunk++) {
                @Nullable NodeState[] now = chunk < chunks.length ? chunks[chunk] : null;
                @Nullable NodeState[] before = chunk < older.chunks.length ? older.chunks[chunk] : null;
                for (int i = 0; now != before && i < CHUNK; i++) {
                    if ((now == null ? null : now[i]) != (before == null ? null : before[i])) {
                        visitor.accept(chunk * CHUNK + i);
                    }
                }
            }
        }
    }

    int allocate() {
        inUse++;
        Integer reused = unused.pollFirst();
        if (reused != null) {
            return reused;
        }
        accounts.add(null);
        return accounts.size() - 1;
    }

    void assign(int slot, NodeAccount account) {
        accounts.set(slot, account);
        changed.set(slot);
    }

    void release(int slot) {
        accounts.set(slot, null);
        changed.set(slot);
        unused.add(slot);
        inUse--;
    }

    void markChanged(int slot) {
        changed.set(slot);
    }

    int bound() {
        return accounts.size();
    }

    int count() {
        return inUse;
    }

    Optional<NodeState> get(int slot) {
        NodeAccount account = slot < 0 || slot >= accounts.size() ? null : accounts.get(slot);
        return account == null ? Optional.empty() : account.state();
    }

    NodesBySlot publish() {
        if (changed.isEmpty()) {
            return published;
        }
        int bound = accounts.size();
        @Nullable NodeState[][] chunks = new NodeState[(bound + CHUNK - 1) / CHUNK][];
        System.arraycopy(published.chunks, 0, chunks, 0, published.chunks.length);
        int copied = -1;
        for (int slot = changed.nextSetBit(0); slot >= 0; slot = changed.nextSetBit(slot + 1)) {
            int chunk = slot / CHUNK;
            if (chunk != copied) {
                chunks[chunk] = chunks[chunk] == null ? new NodeState[CHUNK] : chunks[chunk].clone();
                copied = chunk;
            }
            chunks[chunk][slot % CHUNK] = get(slot).orElse(null);
        }
        changed.clear();
        published = new NodesBySlot(chunks, bound, inUse);
        return published;
    }
}
