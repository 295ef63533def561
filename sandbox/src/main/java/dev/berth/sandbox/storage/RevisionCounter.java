package dev.berth.sandbox.storage;

/**
 * The one counter behind every resource version. Drawn under the store's lock; visible to readers only when the write
 * it belongs to is.
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

    /** The revision for the write that is being made. Call under the store's lock. */
    long next() {
        return published + 1;
    }

    /** Makes the revision of a finished write visible. Call under the store's lock. */
    void publish(long revision) {
        published = revision;
    }
}
