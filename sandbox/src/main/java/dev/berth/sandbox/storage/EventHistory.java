package dev.berth.sandbox.storage;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest changes of one resource, up to a fixed number. Appending needs the lock of the store; reading needs
 * no lock: an entry knows its position, so a reader notices when it was overwritten.
 */
final class EventHistory {

    private final AtomicReferenceArray<StorageEvent> ring;
    private volatile long end;

    // Guarded by the lock of the store: the content before the oldest kept change, and the
    // position of the first change after the last compaction.
    private PersistentSortedMap<StoredObject> base = PersistentSortedMap.empty();
    private long baseRevision;
    private long oldestKept;

    EventHistory(int limit, long baseRevision) {
        this.ring = new AtomicReferenceArray<>(limit);
        this.baseRevision = baseRevision;
    }

    /** The position of the next change. */
    long end() {
        return end;
    }

    void append(StorageEvent storageEvent) {
        int slot = slot(storageEvent.sequence());
        StorageEvent overwritten = ring.get(slot);
        if (overwritten != null && overwritten.sequence() >= oldestKept) {
            base = overwritten.after();
            baseRevision = overwritten.revision();
        }
        ring.set(slot, storageEvent);
        end = storageEvent.sequence() + 1;
    }

    /** Drops all changes so far. Call under the lock of the store. */
    void compact(PersistentSortedMap<StoredObject> now, long revision) {
        base = now;
        baseRevision = revision;
        oldestKept = end;
    }

    /** The change at that position; empty when it was overwritten. */
    Optional<StorageEvent> find(long sequence) {
        StorageEvent storageEvent = ring.get(slot(sequence));
        return storageEvent != null && storageEvent.sequence() == sequence
                ? Optional.of(storageEvent)
                : Optional.empty();
    }

    /** The oldest revision that a watch can resume from. Call under the lock of the store. */
    long oldestRevision() {
        return baseRevision;
    }

    /** The position of the first change after a revision, which must not be older than the oldest. Call under the lock. */
    long firstSequenceAfter(long revision) {
        long low = oldestSequence();
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

    /** The content at a revision that is not older than the oldest. Call under the lock. */
    PersistentSortedMap<StoredObject> stateAt(long revision, PersistentSortedMap<StoredObject> now) {
        long next = firstSequenceAfter(revision);
        if (next == end) {
            return now;
        }
        return next == oldestSequence() ? base : ring.get(slot(next - 1)).after();
    }

    private long oldestSequence() {
        return Math.max(oldestKept, end - ring.length());
    }

    private int slot(long sequence) {
        return (int) (sequence % ring.length());
    }
}
