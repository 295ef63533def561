package dev.berth.embedded.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** All resources under one revision counter and one short write lock. Holds no thread, no clock and no randomness. */
public final class Store {

    /** How many changes of each resource can be followed back, unless told otherwise. */
    public static final int DEFAULT_HISTORY_LIMIT = 16_384;

    // As in etcd, where an empty store stands at 1: zero means "any version" to clients.
    private static final long FIRST_REVISION = 1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Revisions revisions = new Revisions(FIRST_REVISION);
    private final Map<ResourceId, Shelf> shelves = new ConcurrentHashMap<>();
    private final int historyLimit;
    private volatile long forgotten;

    public Store(int historyLimit) {
        if (historyLimit < 1) {
            throw new IllegalArgumentException("history limit (" + historyLimit + ") is below 1");
        }
        this.historyLimit = historyLimit;
    }

    /** The revision of the newest write. */
    public long revision() {
        return revisions.last();
    }

    /** The shelf of a resource, made empty at its first mention. */
    public Shelf shelf(ResourceId id) {
        Shelf there = shelves.get(id);
        return there != null
                ? there
                : shelves.computeIfAbsent(id, each -> new Shelf(lock, revisions, new History(historyLimit, forgotten)));
    }

    /** Forgets all history, as compaction does: nothing can be followed or listed from before now. */
    public void forgetHistory() {
        lock.lock();
        try {
            forgotten = revisions.last();
            shelves.values().forEach(shelf -> shelf.forgetHistory(forgotten));
        } finally {
            lock.unlock();
        }
    }
}
