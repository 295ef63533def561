package dev.berth.embedded.rest.reading;

import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.wire.Look;
import dev.berth.embedded.rest.wire.WatchFraming;
import dev.berth.embedded.store.Feed;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Snapshot;
import dev.berth.embedded.store.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Opens watches. */
public final class Watching {

    private static final Duration LONGEST = Duration.ofHours(1);

    private final Backend backend;

    public Watching(Backend backend) {
        this.backend = backend;
    }

    public WatchStream watch(Target target, Request request) {
        Look look = Look.of(request, target.kind());
        ListOptions options = ListOptions.of(target, request.query());
        WatchFraming framing = new WatchFraming(backend.presenter(), look);
        Shelf shelf = backend.shelf(target);
        long asked = options.revision().orElse(0L);
        boolean wantsInitial = options.sendInitialEvents().orElse(asked == 0);
        if (wantsInitial) {
            return fromState(shelf, options, framing, target);
        }
        long from = asked == 0 ? shelf.snapshot().revision() : asked;
        Optional<Feed> feed = shelf.follow(from);
        if (feed.isEmpty()) {
            return new RefusedWatch(framing.contentType(), tooOld(framing, from, shelf.oldestRevision()));
        }
        return new ObjectWatch(feed.get(), plan(options, from, target), framing, List.of());
    }

    private WatchStream fromState(Shelf shelf, ListOptions options, WatchFraming framing, Target target) {
        Snapshot snapshot = shelf.snapshot();
        Optional<Feed> feed = shelf.follow(snapshot.revision());
        if (feed.isEmpty()) {
            // So much was written since the snapshot was taken that it is already out of reach.
            return new RefusedWatch(
                    framing.contentType(), tooOld(framing, snapshot.revision(), shelf.oldestRevision()));
        }
        List<Stored> initial = new ArrayList<>();
        snapshot.visit(target.namespace(), Optional.empty(), each -> {
            if (options.selection().matches(each.tree())) {
                initial.add(each);
            }
            return true;
        });
        return new ObjectWatch(feed.get(), plan(options, snapshot.revision(), target), framing, initial);
    }

    private ObjectWatch.Plan plan(ListOptions options, long from, Target target) {
        Instant now = backend.births().now();
        return new ObjectWatch.Plan(
                options.selection(),
                from,
                options.bookmarks(),
                options.sendInitialEvents().orElse(false),
                now,
                now.plus(options.timeout().orElse(LONGEST)),
                target.kind().rules().warnings());
    }

    private static WatchEvent tooOld(WatchFraming framing, long asked, long oldest) {
        return framing.error(ApiStatus.expired("too old resource version: " + asked + " (" + oldest + ")"));
    }
}
