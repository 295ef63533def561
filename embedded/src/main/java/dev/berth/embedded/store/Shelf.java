package dev.berth.embedded.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The objects of one resource and their recent history. Reads take no lock. A write names the version it was made from
 * and comes to nothing when another one was quicker; the caller then reads again and decides anew. A tree given to a
 * write is the store's from then on.
 */
public final class Shelf {

    private final ReentrantLock lock;
    private final Revisions revisions;
    private final History history;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private volatile Content content = new Content(SortedTree.empty(), 0);

    Shelf(ReentrantLock lock, Revisions revisions, History history) {
        this.lock = lock;
        this.revisions = revisions;
        this.history = history;
    }

    public Optional<Stored> get(ObjectKey key) {
        return content.objects().get(key.path());
    }

    /** The revision of the last write to this resource, zero before the first. */
    public long lastChange() {
        return content.revision();
    }

    /** What is here now, with the newest revision of the whole store it is known to be valid at. */
    public Snapshot snapshot() {
        // The revision is read first: the content read after it holds every write up to it, and perhaps younger ones.
        long known = revisions.last();
        Content now = content;
        return new Snapshot(now.objects(), Math.max(known, now.revision()));
    }

    /** What was here at a past revision; empty when the history no longer reaches back to it. */
    public Optional<Snapshot> snapshotAt(long revision) {
        lock.lock();
        try {
            if (revision < history.oldestRevision() || revision > revisions.last()) {
                return Optional.empty();
            }
            return Optional.of(new Snapshot(history.at(revision, content.objects()), revision));
        } finally {
            lock.unlock();
        }
    }

    /** Stores a new object; empty when one is there already. */
    public Optional<Stored> insert(ObjectKey key, ObjectNode tree) {
        Stored written;
        lock.lock();
        try {
            if (content.objects().get(key.path()).isPresent()) {
                return Optional.empty();
            }
            long revision = revisions.next();
            Meta.stamp(tree, revision);
            written = new Stored(key, tree, revision);
            publish(Change.Type.ADDED, written, Optional.empty());
        } finally {
            lock.unlock();
        }
        wakeListeners();
        return Optional.of(written);
    }

    /** Replaces a version by another one; empty when that version is no longer the present one. */
    public Optional<Stored> replace(Stored expected, ObjectNode tree) {
        Stored written;
        lock.lock();
        try {
            if (!isPresent(expected)) {
                return Optional.empty();
            }
            long revision = revisions.next();
            Meta.stamp(tree, revision);
            written = new Stored(expected.key(), tree, revision);
            publish(Change.Type.MODIFIED, written, Optional.of(expected));
        } finally {
            lock.unlock();
        }
        wakeListeners();
        return Optional.of(written);
    }

    /** Removes a version; gives the last state as watchers see it, empty when that version is not the present one. */
    public Optional<Stored> remove(Stored expected) {
        Stored last;
        lock.lock();
        try {
            if (!isPresent(expected)) {
                return Optional.empty();
            }
            last = expected.at(revisions.next());
            publish(Change.Type.DELETED, last, Optional.of(expected));
        } finally {
            lock.unlock();
        }
        wakeListeners();
        return Optional.of(last);
    }

    /** Follows all changes after a revision; empty when the history no longer reaches back to it. */
    public Optional<Feed> follow(long revision) {
        lock.lock();
        try {
            return revision < history.oldestRevision()
                    ? Optional.empty()
                    : Optional.of(new Feed(this, history, revisions, history.firstAfter(revision)));
        } finally {
            lock.unlock();
        }
    }

    /** The oldest revision that can still be followed from. */
    public long oldestRevision() {
        lock.lock();
        try {
            return history.oldestRevision();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets how it came to what is here now. Call under the store's lock. */
    void forgetHistory(long revision) {
        history.forget(content.objects(), revision);
    }

    void addListener(Runnable listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    private boolean isPresent(Stored expected) {
        return content.objects()
                .get(expected.key().path())
                .filter(expected::equals)
                .isPresent();
    }

    private void publish(Change.Type type, Stored object, Optional<Stored> previous) {
        SortedTree<Stored> now = content.objects();
        String path = object.key().path();
        SortedTree<Stored> next = type == Change.Type.DELETED ? now.without(path) : now.with(path, object);
        content = new Content(next, object.revision());
        history.append(new Change(history.end(), type, object, previous.orElse(null), next));
        revisions.publish(object.revision());
    }

    private void wakeListeners() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    private record Content(SortedTree<Stored> objects, long revision) {}
}
