package dev.berth.embedded.store;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest changes of one resource, a fixed number of them. Appending happens under the store's lock; reading needs
 * none: an entry knows its own place, so a reader sees when it was overwritten.
 */
final class History {

    private final AtomicReferenceArray<Change> ring;
    private volatile long end;

    // Guarded by the store's lock: what the resource held before the oldest change that is still known, and the
    // place of the first change that was not forgotten on purpose.
    private SortedTree<Stored> base = SortedTree.empty();
    private long baseRevision;
    private long kept;

    History(int limit, long baseRevision) {
        this.ring = new AtomicReferenceArray<>(limit);
        this.baseRevision = baseRevision;
    }

    /** The place the next change will get. */
    long end() {
        return end;
    }

    void append(Change change) {
        int slot = slot(change.sequence());
        Change overwritten = ring.get(slot);
        if (overwritten != null && overwritten.sequence() >= kept) {
            base = overwritten.after();
            baseRevision = overwritten.revision();
        }
        ring.set(slot, change);
        end = change.sequence() + 1;
    }

    /** Forgets every change so far; this is what the resource holds now. Call under the store's lock. */
    void forget(SortedTree<Stored> now, long revision) {
        base = now;
        baseRevision = revision;
        kept = end;
    }

    /** The change at that place, empty when it was overwritten by a younger one. */
    Optional<Change> at(long sequence) {
        Change change = ring.get(slot(sequence));
        return change != null && change.sequence() == sequence ? Optional.of(change) : Optional.empty();
    }

    /** The oldest revision from which nothing is missing. Call under the store's lock. */
    long oldestRevision() {
        return baseRevision;
    }

    /** The place of the first change after a revision, which must not be older than the oldest. Call under the lock. */
    long firstAfter(long revision) {
        long low = oldest();
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (ring.get(slot(middle)).revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** What the resource held at a revision that is not older than the oldest. Call under the lock. */
    SortedTree<Stored> at(long revision, SortedTree<Stored> now) {
        long next = firstAfter(revision);
        if (next == end) {
            return now;
        }
        return next == oldest() ? base : ring.get(slot(next - 1)).after();
    }

    private long oldest() {
        return Math.max(kept, end - ring.length());
    }

    private int slot(long sequence) {
        return (int) (sequence % ring.length());
    }
}
