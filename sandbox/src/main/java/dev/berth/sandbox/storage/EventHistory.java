package dev.berth.sandbox.storage;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest changes of one resource, a fixed number of them. Appending happens under the store's lock; reading needs
 * none: an entry knows its own place, so a reader sees when it was overwritten.
 */
final class EventHistory {

    private final AtomicReferenceArray<StorageEvent> ring;
    private volatile long end;

    // Guarded by the store's lock: what the resource held before the oldest change that is still known, and the
    // place of the first change that was not forgotten on purpose.
    private PersistentSortedMap<StoredObject> base = PersistentSortedMap.empty();
    private long baseRevision;
    private long oldestKept;

    EventHistory(int limit, long baseRevision) {
        this.ring = new AtomicReferenceArray<>(limit);
        this.baseRevision = baseRevision;
    }

    /** The place the next change will get. */
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

    /** Forgets every change so far; this is what the resource holds now. Call under the store's lock. */
    void compact(PersistentSortedMap<StoredObject> now, long revision) {
        base = now;
        baseRevision = revision;
        oldestKept = end;
    }

    /** The change at that place, empty when it was overwritten by a younger one. */
    Optional<StorageEvent> find(long sequence) {
        StorageEvent storageEvent = ring.get(slot(sequence));
        return storageEvent != null && storageEvent.sequence() == sequence
                ? Optional.of(storageEvent)
                : Optional.empty();
    }

    /** The oldest revision from which nothing is missing. Call under the store's lock. */
    long oldestRevision() {
        return baseRevision;
    }

    /** The place of the first change after a revision, which must not be older than the oldest. Call under the lock. */
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

    /** What the resource held at a revision that is not older than the oldest. Call under the lock. */
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
