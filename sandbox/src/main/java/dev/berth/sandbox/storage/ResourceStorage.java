package dev.berth.sandbox.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The objects of one resource and their recent history. Reads take no lock. A write names the version it is based on
 * and fails when another write came first. The caller then reads again and decides again. A tree that is passed to a
 * write belongs to the store from then on.
 */
public final class ResourceStorage {

    private final ReentrantLock lock;
    private final RevisionCounter revisionCounter;
    private final EventHistory history;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private volatile CurrentState currentState = new CurrentState(PersistentSortedMap.empty(), 0);

    ResourceStorage(ReentrantLock lock, RevisionCounter revisionCounter, EventHistory history) {
        this.lock = lock;
        this.revisionCounter = revisionCounter;
        this.history = history;
    }

    public Optional<StoredObject> get(StorageKey key) {
        return currentState.objects().get(key.path());
    }

    /** The revision of the last write to this resource, zero before the first. */
    public long lastRevision() {
        return currentState.revision();
    }

    /** The current content, with the newest revision of the store at which it is valid. */
    public ResourceSnapshot snapshot() {
        // The revision is read first: the content has every write up to it, and perhaps newer ones.
        long known = revisionCounter.current();
        CurrentState now = currentState;
        return new ResourceSnapshot(now.objects(), Math.max(known, now.revision()));
    }

    /** The content at a past revision; empty when the history no longer contains it. */
    public Optional<ResourceSnapshot> snapshotAtRevision(long revision) {
        lock.lock();
        try {
            if (revision < history.oldestRevision() || revision > revisionCounter.current()) {
                return Optional.empty();
            }
            return Optional.of(new ResourceSnapshot(history.stateAt(revision, currentState.objects()), revision));
        } finally {
            lock.unlock();
        }
    }

    /** Stores a new object; empty when the key is in use. */
    public Optional<StoredObject> insert(StorageKey key, ObjectNode tree) {
        StoredObject written;
        lock.lock();
        try {
            if (currentState.objects().get(key.path()).isPresent()) {
                return Optional.empty();
            }
            long revision = revisionCounter.next();
            ObjectMetaEditor.setResourceVersion(tree, revision);
            written = new StoredObject(key, tree, revision);
            publish(StorageEvent.Type.ADDED, written, Optional.empty());
        } finally {
            lock.unlock();
        }
        wakeListeners();
        return Optional.of(written);
    }

    /** Replaces a version; empty when it is not the current one. */
    public Optional<StoredObject> replace(StoredObject expected, ObjectNode tree) {
        StoredObject written;
        lock.lock();
        try {
            if (!isCurrent(expected)) {
                return Optional.empty();
            }
            long revision = revisionCounter.next();
            ObjectMetaEditor.setResourceVersion(tree, revision);
            written = new StoredObject(expected.key(), tree, revision);
            publish(StorageEvent.Type.MODIFIED, written, Optional.of(expected));
        } finally {
            lock.unlock();
        }
        wakeListeners();
        return Optional.of(written);
    }

    /** Removes a version and returns the last state; empty when it is not the current one. */
    public Optional<StoredObject> remove(StoredObject expected) {
        StoredObject last;
        lock.lock();
        try {
            if (!isCurrent(expected)) {
                return Optional.empty();
            }
            last = expected.withRevision(revisionCounter.next());
            publish(StorageEvent.Type.DELETED, last, Optional.of(expected));
        } finally {
            lock.unlock();
        }
        wakeListeners();
        return Optional.of(last);
    }

    /** Watches all changes after a revision; empty when the history no longer contains it. */
    public Optional<StorageWatcher> watch(long revision) {
        lock.lock();
        try {
            return revision < history.oldestRevision()
                    ? Optional.empty()
                    : Optional.of(
                            new StorageWatcher(this, history, revisionCounter, history.firstSequenceAfter(revision)));
        } finally {
            lock.unlock();
        }
    }

    /** The oldest revision that a watch can start from. */
    public long oldestRevision() {
        lock.lock();
        try {
            return history.oldestRevision();
        } finally {
            lock.unlock();
        }
    }

    /** Compacts the history. Call under the lock of the store. */
    void compact(long revision) {
        history.compact(currentState.objects(), revision);
    }

    void addListener(Runnable listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    private boolean isCurrent(StoredObject expected) {
        return currentState
                .objects()
                .get(expected.key().path())
                .filter(expected::equals)
                .isPresent();
    }

    private void publish(StorageEvent.Type type, StoredObject object, Optional<StoredObject> previous) {
        PersistentSortedMap<StoredObject> now = currentState.objects();
        String path = object.key().path();
        PersistentSortedMap<StoredObject> next =
                type == StorageEvent.Type.DELETED ? now.without(path) : now.with(path, object);
        currentState = new CurrentState(next, object.revision());
        history.append(new StorageEvent(history.end(), type, object, previous.orElse(null), next));
        revisionCounter.publish(object.revision());
    }

    private void wakeListeners() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    private record CurrentState(PersistentSortedMap<StoredObject> objects, long revision) {}
}
