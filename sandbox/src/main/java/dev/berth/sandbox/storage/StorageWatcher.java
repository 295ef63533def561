package dev.berth.sandbox.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The position of a reader in the history of a resource. The reader pulls changes. A reader that is too slow loses
 * changes and notices it; the server never keeps more for it. Not safe for several threads at once, except {@link #close}.
 */
public final class StorageWatcher implements AutoCloseable {

    private final ResourceStorage resourceStorage;
    private final EventHistory history;
    private final RevisionCounter revisionCounter;

    private long nextSequence;
    private volatile @Nullable Runnable listener;

    StorageWatcher(ResourceStorage resourceStorage, EventHistory history, RevisionCounter revisionCounter, long next) {
        this.resourceStorage = resourceStorage;
        this.history = history;
        this.revisionCounter = revisionCounter;
        this.nextSequence = next;
    }

    /** Calls the listener after each later write of the resource, on the writer's thread, holding no lock. */
    public void onChange(Runnable wake) {
        close();
        listener = wake;
        resourceStorage.addListener(wake);
    }

    /** The next changes, at most that many; empty when the history was compacted and the reader must list again. */
    public Optional<EventBatch> pull(int maxEvents) {
        if (maxEvents < 1) {
            throw new IllegalArgumentException("most (" + maxEvents + ") is below 1");
        }
        // Read before the end of the history: all writes up to this revision are then before the end.
        long known = revisionCounter.current();
        long end = history.end();
        List<StorageEvent> storageEvents = new ArrayList<>();
        while (nextSequence < end && storageEvents.size() < maxEvents) {
            Optional<StorageEvent> storageEvent = history.find(nextSequence);
            if (storageEvent.isEmpty()) {
                return Optional.empty();
            }
            storageEvents.add(storageEvent.get());
            nextSequence++;
        }
        long newest = storageEvents.isEmpty()
                ? 0
                : storageEvents.get(storageEvents.size() - 1).revision();
        return Optional.of(new EventBatch(
                storageEvents, nextSequence == end ? Math.max(known, newest) : newest, nextSequence < end));
    }

    /** Whether a pull would return changes or report lost ones. */
    public boolean hasNext() {
        return nextSequence < history.end();
    }

    /** Whether the next change was overwritten. */
    public boolean hasFallenBehind() {
        return hasNext() && history.find(nextSequence).isEmpty();
    }

    /** Ends the calls to the listener. A second call has no effect. */
    @Override
    public void close() {
        Runnable wake = listener;
        listener = null;
        if (wake != null) {
            resourceStorage.removeListener(wake);
        }
    }

    /**
     * The result of one pull: the changes in order, the revision up to which the reader is complete, and whether
     * there is more.
     */
    public record EventBatch(List<StorageEvent> events, long revision, boolean more) {

        public EventBatch {
            events = List.copyOf(events);
        }
    }
}
