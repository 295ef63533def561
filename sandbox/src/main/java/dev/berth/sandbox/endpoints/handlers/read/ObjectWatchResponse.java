package dev.berth.sandbox.endpoints.handlers.read;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.WatchResponse;
import dev.berth.sandbox.endpoints.serializer.WatchEventEncoder;
import dev.berth.sandbox.selector.SelectionPredicate;
import dev.berth.sandbox.storage.StorageEvent;
import dev.berth.sandbox.storage.StorageWatcher;
import dev.berth.sandbox.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One watch: initial events if requested, then every selected change, with bookmarks. */
final class ObjectWatchResponse implements WatchResponse {

    private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);
    private static final Duration LAST_BOOKMARK_BEFORE_END = Duration.ofSeconds(2);

    private final StorageWatcher storageWatcher;
    private final WatchOptions options;
    private final WatchEventEncoder framing;
    private final Deque<StoredObject> initial;

    private boolean initialEventsEndDue;
    private Instant lastBookmark;
    private boolean bookmarkDue;
    private boolean ended;
    private volatile @Nullable Runnable listener;

    /**
     * The options of a watch.
     *
     * @param from events up to this revision are not sent
     */
    record WatchOptions(
            SelectionPredicate selectionPredicate,
            long from,
            boolean bookmarks,
            boolean endsInitialEvents,
            Instant opened,
            Instant deadline,
            List<String> warnings) {}

    ObjectWatchResponse(
            StorageWatcher storageWatcher,
            WatchOptions watchOptions,
            WatchEventEncoder framing,
            List<StoredObject> initial) {
        this.storageWatcher = storageWatcher;
        this.options = watchOptions;
        this.framing = framing;
        this.initial = new ArrayDeque<>(initial);
        this.initialEventsEndDue = watchOptions.endsInitialEvents() && watchOptions.bookmarks();
        this.lastBookmark = watchOptions.opened();
    }

    @Override
    public String contentType() {
        return framing.contentType();
    }

    @Override
    public List<String> warnings() {
        return options.warnings();
    }

    @Override
    public List<EncodedWatchEvent> pull(int maxEvents) {
        List<EncodedWatchEvent> events = new ArrayList<>();
        while (!initial.isEmpty() && events.size() < maxEvents) {
            events.add(framing.object(EncodedWatchEvent.Type.ADDED, initial.removeFirst()));
        }
        if (initial.isEmpty() && initialEventsEndDue && events.size() < maxEvents) {
            initialEventsEndDue = false;
            events.add(framing.bookmark(options.from(), true));
        }
        if (!initial.isEmpty() || initialEventsEndDue || events.size() >= maxEvents || ended) {
            return events;
        }
        Optional<StorageWatcher.EventBatch> batch = storageWatcher.pull(maxEvents - events.size());
        if (batch.isEmpty()) {
            endAsExpired(events);
            return events;
        }
        batch.get().events().forEach(storageEvent -> toWatchEvent(storageEvent).ifPresent(events::add));
        if (bookmarkDue && !batch.get().more()) {
            bookmarkDue = false;
            events.add(framing.bookmark(Math.max(options.from(), batch.get().revision()), false));
        }
        return events;
    }

    @Override
    public void tick(Instant now) {
        if (!now.isBefore(options.deadline())) {
            end();
        } else if (options.bookmarks() && !now.isBefore(nextBookmark())) {
            lastBookmark = now;
            bookmarkDue = true;
        } else {
            return;
        }
        Runnable wake = listener;
        if (wake != null) {
            wake.run();
        }
    }

    /** One minute after the last bookmark, or shortly before the timeout, so that the client can resume near the end. */
    private Instant nextBookmark() {
        Instant regular = lastBookmark.plus(BOOKMARK_EVERY);
        Instant last = options.deadline().minus(LAST_BOOKMARK_BEFORE_END);
        return last.isBefore(regular) && last.isAfter(lastBookmark) ? last : regular;
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public boolean hasFallenBehind() {
        return !ended && storageWatcher.hasFallenBehind();
    }

    @Override
    public void onReady(Runnable wake) {
        listener = wake;
        storageWatcher.onChange(wake);
    }

    @Override
    public void close() {
        listener = null;
        storageWatcher.close();
    }

    private void end() {
        ended = true;
        storageWatcher.close();
    }

    private void endAsExpired(List<EncodedWatchEvent> events) {
        events.add(framing.error(ApiStatus.expired("too old resource version: the watch fell behind the history of"
                + " changes that is kept. List again and watch from there.")));
        end();
    }

    /** The event for a client that only sees the selection. */
    private Optional<EncodedWatchEvent> toWatchEvent(StorageEvent storageEvent) {
        if (storageEvent.revision() <= options.from()) {
            return Optional.empty();
        }
        SelectionPredicate selectionPredicate = options.selectionPredicate();
        boolean sawBefore = storageEvent
                .previous()
                .filter(before -> selectionPredicate.matches(before.tree()))
                .isPresent();
        boolean seesNow = storageEvent.type() != StorageEvent.Type.DELETED
                && selectionPredicate.matches(storageEvent.object().tree());
        if (seesNow) {
            return Optional.of(framing.object(
                    sawBefore ? EncodedWatchEvent.Type.MODIFIED : EncodedWatchEvent.Type.ADDED, storageEvent.object()));
        }
        if (!sawBefore) {
            return Optional.empty();
        }
        StoredObject last = storageEvent.type() == StorageEvent.Type.DELETED
                ? storageEvent.object()
                : storageEvent.previous().orElseThrow().withRevision(storageEvent.revision());
        return Optional.of(framing.object(EncodedWatchEvent.Type.DELETED, last));
    }
}
