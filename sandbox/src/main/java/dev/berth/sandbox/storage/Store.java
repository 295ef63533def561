package dev.berth.sandbox.storage;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** All resources under one revision counter and one short write lock. It has no threads, no clock and no random source. */
public final class Store {

    /** The default number of changes of each resource that are kept for watches. */
    public static final int DEFAULT_HISTORY_LIMIT = 16_384;

    // As in etcd, an empty store is at revision 1: zero means "any version" to clients.
    private static final long FIRST_REVISION = 1;

    private final ReentrantLock lock = new ReentrantLock();
    private final RevisionCounter revisionCounter = new RevisionCounter(FIRST_REVISION);
    private final Map<GroupResource, ResourceStorage> resources = new ConcurrentHashMap<>();
    private final int historyLimit;
    private volatile long compactedRevision;

    public Store(int historyLimit) {
        if (historyLimit < 1) {
            throw new IllegalArgumentException("history limit (" + historyLimit + ") is below 1");
        }
        this.historyLimit = historyLimit;
    }

    /** The revision of the newest write. */
    public long revision() {
        return revisionCounter.current();
    }

    /** The storage of a resource, created empty on first use. */
    public ResourceStorage resource(GroupResource id) {
        ResourceStorage there = resources.get(id);
        return there != null
                ? there
                : resources.computeIfAbsent(
                        id,
                        each -> new ResourceStorage(
                                lock, revisionCounter, new EventHistory(historyLimit, compactedRevision)));
    }

    /** Compacts all history: no watch and no list can use an older revision. */
    public void compact() {
        lock.lock();
        try {
            compactedRevision = revisionCounter.current();
            resources.values().forEach(resourceStorage -> resourceStorage.compact(compactedRevision));
        } finally {
            lock.unlock();
        }
    }
}
