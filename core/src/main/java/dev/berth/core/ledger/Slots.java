package dev.berth.core.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Small numbers for nodes, and the table by number that snapshots read. The table is cut into chunks: what is published
 * shares every chunk that did not change with what was published before.
 */
final class Slots {
    private static final int CHUNK = 64;

    private final List<@Nullable Account> accounts = new ArrayList<>();
    private final TreeSet<Integer> unused = new TreeSet<>();
    private final BitSet changed = new BitSet();
    private int inUse;
    private Table published = new Table(new NodeState[0][], 0, 0);

    /** Nodes by slot, immutable. */
    static final class Table {
        private final @Nullable NodeState[][] chunks;
        private final int bound;
        private final int count;

        private Table(@Nullable NodeState[][] chunks, int bound, int count) {
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
    }

    int take() {
        inUse++;
        Integer again = unused.pollFirst();
        if (again != null) {
            return again;
        }
        accounts.add(null);
        return accounts.size() - 1;
    }

    void occupy(int slot, Account account) {
        accounts.set(slot, account);
        changed.set(slot);
    }

    void release(int slot) {
        accounts.set(slot, null);
        changed.set(slot);
        unused.add(slot);
        inUse--;
    }

    void touch(int slot) {
        changed.set(slot);
    }

    int bound() {
        return accounts.size();
    }

    int count() {
        return inUse;
    }

    Optional<NodeState> get(int slot) {
        Account account = slot < 0 || slot >= accounts.size() ? null : accounts.get(slot);
        return account == null ? Optional.empty() : account.state();
    }

    Table publish() {
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
        published = new Table(chunks, bound, inUse);
        return published;
    }
}
