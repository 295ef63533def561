package dev.berth.core.ledger;

import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.TrieMap;
import java.util.AbstractList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a node's holds in their order. They are sorted at the first read, because a node with many holds changes more
 * often than its holds are listed. Readers on any thread see an immutable list.
 */
final class SortedHoldIds extends AbstractList<HoldId> {
    private final TrieMap<HoldId, HoldId> ids;
    private volatile HoldId @Nullable [] sorted;

    SortedHoldIds(TrieMap<HoldId, HoldId> ids) {
        this.ids = ids;
    }

    @Override
    public int size() {
        return ids.size();
    }

    @Override
    public HoldId get(int index) {
        return sorted()[index];
    }

    @Override
    public boolean contains(@Nullable Object other) {
        return other instanceof HoldId id && ids.has(id);
    }

    private HoldId[] sorted() {
        HoldId @Nullable [] cached = sorted;
        if (cached == null) {
            HoldId[] all = new HoldId[ids.size()];
            int[] next = new int[1];
            ids.forEach((id, same) -> all[next[0]++] = id);
            Arrays.sort(all);
            sorted = all;
            return all;
        }
        return cached;
    }
}
