package dev.berth.sandbox.storage;

/**
 * The counter of all resource versions. Incremented under the lock of the store; visible to readers only when the write
 * is visible.
 */
final class RevisionCounter {

    private volatile long published;

    RevisionCounter(long first) {
        this.published = first;
    }

    /** The revision of the newest write that readers can see. */
    long current() {
        return published;
    }

    /** The revision of the write in progress. Call under the store's lock. */
    long next() {
        return published + 1;
    }

    /** Makes the revision of a finished write visible. Call under the store's lock. */
    void publish(long revision) {
        published = revision;
    }
}
