package dev.berth.embedded.rest.reading;

import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import dev.berth.embedded.rest.select.Selection;
import dev.berth.embedded.rest.wire.WatchFraming;
import dev.berth.embedded.store.Change;
import dev.berth.embedded.store.Feed;
import dev.berth.embedded.store.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One watch: initial events if any, then every change its selection sees, with bookmarks in between. */
final class ObjectWatch implements WatchStream {

    private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);
    private static final Duration LAST_BOOKMARK_BEFORE_END = Duration.ofSeconds(2);

    private final Feed feed;
    private final Plan plan;
    private final WatchFraming framing;
    private final Deque<Stored> initial;

    private boolean initialEndDue;
    private Instant lastBookmark;
    private boolean bookmarkDue;
    private boolean ended;
    private volatile @Nullable Runnable listener;

    /**
     * What a watch was asked for.
     *
     * @param from events up to this revision are not sent
     */
    record Plan(
            Selection selection,
            long from,
            boolean bookmarks,
            boolean endsInitialEvents,
            Instant opened,
            Instant deadline,
            List<String> warnings) {}

    ObjectWatch(Feed feed, Plan plan, WatchFraming framing, List<Stored> initial) {
        this.feed = feed;
        this.plan = plan;
        this.framing = framing;
        this.initial = new ArrayDeque<>(initial);
        this.initialEndDue = plan.endsInitialEvents() && plan.bookmarks();
        this.lastBookmark = plan.opened();
    }

    @Override
    public String contentType() {
        return framing.contentType();
    }

    @Override
    public List<String> warnings() {
        return plan.warnings();
    }

    @Override
    public List<WatchEvent> pull(int most) {
        List<WatchEvent> events = new ArrayList<>();
        while (!initial.isEmpty() && events.size() < most) {
            events.add(framing.object(WatchEvent.Type.ADDED, initial.removeFirst()));
        }
        if (initial.isEmpty() && initialEndDue && events.size() < most) {
            initialEndDue = false;
            events.add(framing.bookmark(plan.from(), true));
        }
        if (!initial.isEmpty() || initialEndDue || events.size() >= most || ended) {
            return events;
        }
        Optional<Feed.Batch> batch = feed.pull(most - events.size());
        if (batch.isEmpty()) {
            overtaken(events);
            return events;
        }
        batch.get().changes().forEach(change -> translate(change).ifPresent(events::add));
        if (bookmarkDue && !batch.get().more()) {
            bookmarkDue = false;
            events.add(framing.bookmark(Math.max(plan.from(), batch.get().upTo()), false));
        }
        return events;
    }

    @Override
    public void tick(Instant now) {
        if (!now.isBefore(plan.deadline())) {
            end();
        } else if (plan.bookmarks() && !now.isBefore(nextBookmark())) {
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

    /** A minute after the last, or shortly before the end, so that the client need not start from far back. */
    private Instant nextBookmark() {
        Instant regular = lastBookmark.plus(BOOKMARK_EVERY);
        Instant last = plan.deadline().minus(LAST_BOOKMARK_BEFORE_END);
        return last.isBefore(regular) && last.isAfter(lastBookmark) ? last : regular;
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public boolean overtaken() {
        return !ended && feed.isOvertaken();
    }

    @Override
    public void onReady(Runnable wake) {
        listener = wake;
        feed.onChange(wake);
    }

    @Override
    public void close() {
        listener = null;
        feed.close();
    }

    private void end() {
        ended = true;
        feed.close();
    }

    private void overtaken(List<WatchEvent> events) {
        events.add(framing.error(ApiStatus.expired("too old resource version: the watch fell behind the history of"
                + " changes that is kept. List again and watch from there.")));
        end();
    }

    /** What the change looks like to somebody who only sees the selection. */
    private Optional<WatchEvent> translate(Change change) {
        if (change.revision() <= plan.from()) {
            return Optional.empty();
        }
        Selection selection = plan.selection();
        boolean sawBefore = change.previous()
                .filter(before -> selection.matches(before.tree()))
                .isPresent();
        boolean seesNow = change.type() != Change.Type.DELETED
                && selection.matches(change.object().tree());
        if (seesNow) {
            return Optional.of(
                    framing.object(sawBefore ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED, change.object()));
        }
        if (!sawBefore) {
            return Optional.empty();
        }
        Stored last = change.type() == Change.Type.DELETED
                ? change.object()
                : change.previous().orElseThrow().at(change.revision());
        return Optional.of(framing.object(WatchEvent.Type.DELETED, last));
    }
}
