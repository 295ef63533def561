package dev.berth.embedded.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reader's place in the history of a resource. It is read by pulling: a reader that pulls too seldom is overtaken and
 * told so, it never makes the server keep more. Not for use by several threads at once, except {@link #close}.
 */
public final class Feed implements AutoCloseable {

    private final Shelf shelf;
    private final History history;
    private final Revisions revisions;

    private long next;
    private volatile @Nullable Runnable listener;

    Feed(Shelf shelf, History history, Revisions revisions, long next) {
        this.shelf = shelf;
        this.history = history;
        this.revisions = revisions;
        this.next = next;
    }

    /** Calls the listener after each later write of the resource, on the writer's thread, holding no lock. */
    public void onChange(Runnable wake) {
        close();
        listener = wake;
        shelf.addListener(wake);
    }

    /** The next changes, at most so many; empty when the reader was overtaken and must begin anew with a list. */
    public Optional<Batch> pull(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most (" + most + ") is below 1");
        }
        // Read before the end is: whatever the resource saw up to this revision is then within the end.
        long known = revisions.last();
        long end = history.end();
        List<Change> changes = new ArrayList<>();
        while (next < end && changes.size() < most) {
            Optional<Change> change = history.at(next);
            if (change.isEmpty()) {
                return Optional.empty();
            }
            changes.add(change.get());
            next++;
        }
        long newest = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).revision();
        return Optional.of(new Batch(changes, next == end ? Math.max(known, newest) : newest, next < end));
    }

    /** Whether a pull would give something, or tell of being overtaken. */
    public boolean hasNext() {
        return next < history.end();
    }

    /** Whether the next change was overwritten by younger ones. */
    public boolean isOvertaken() {
        return hasNext() && history.at(next).isEmpty();
    }

    /** Ends the calls to the listener; a second time changes nothing. */
    @Override
    public void close() {
        Runnable wake = listener;
        listener = null;
        if (wake != null) {
            shelf.removeListener(wake);
        }
    }

    /**
     * What one pull gave: the changes in order, the revision up to which the reader has now seen everything, and whether
     * there is more.
     */
    public record Batch(List<Change> changes, long upTo, boolean more) {

        public Batch {
            changes = List.copyOf(changes);
        }
    }
}
