package dev.berth.embedded.rest.reading;

import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.select.Selection;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.wire.Look;
import dev.berth.embedded.rest.wire.ObjectList;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Snapshot;
import dev.berth.embedded.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Get and list. */
public final class Reading {

    private final Backend backend;

    public Reading(Backend backend) {
        this.backend = backend;
    }

    public Answer get(Target target, Request request) {
        Look look = Look.of(request, target.kind());
        return backend.presenter().object(200, look, backend.present(target));
    }

    public Answer list(Target target, Request request) {
        Look look = Look.of(request, target.kind());
        return backend.presenter().list(look, select(target, ListOptions.of(target, request.query())));
    }

    /** The objects that the options select. */
    public ObjectList select(Target target, ListOptions options) {
        Shelf shelf = backend.shelf(target);
        Optional<ContinueToken> continuation = options.continuation();
        Snapshot snapshot = snapshot(shelf, options, continuation);
        Optional<ObjectKey> after = continuation.map(ContinueToken::after);
        return cut(snapshot, options, after);
    }

    private static ObjectList cut(Snapshot snapshot, ListOptions options, Optional<ObjectKey> after) {
        Selection selection = options.selection();
        String namespace = namespace(selection);
        List<Stored> items = new ArrayList<>();
        long limit = options.limit() > 0 ? options.limit() : Long.MAX_VALUE;
        boolean[] more = {false};
        snapshot.visit(namespace, after, each -> {
            if (!selection.matches(each.tree())) {
                return true;
            }
            if (items.size() == limit) {
                more[0] = true;
                return false;
            }
            return items.add(each);
        });
        if (!more[0]) {
            return ObjectList.whole(items, snapshot.revision());
        }
        ObjectKey last = items.get(items.size() - 1).key();
        // Only where nothing is filtered is the number of what remains known without looking at it.
        OptionalLong remaining =
                selection.isUnfiltered() ? OptionalLong.of(snapshot.countAfter(namespace, last)) : OptionalLong.empty();
        String token = new ContinueToken(snapshot.revision(), last).encode();
        return new ObjectList(items, snapshot.revision(), token, remaining);
    }

    private static String namespace(Selection selection) {
        return selection.namespace().isEmpty()
                ? selection.fields().exact("metadata.namespace").orElse("")
                : selection.namespace();
    }

    private static Snapshot snapshot(Shelf shelf, ListOptions options, Optional<ContinueToken> continuation) {
        if (continuation.isPresent() && continuation.get().revision() > 0) {
            ContinueToken token = continuation.get();
            return shelf.snapshotAt(token.revision()).orElseThrow(() -> expired(token));
        }
        Snapshot now = shelf.snapshot();
        long wanted = continuation.isPresent() ? 0 : options.revision().orElse(0L);
        if (wanted > now.revision()) {
            throw tooLarge(wanted, now.revision());
        }
        if (wanted > 0 && options.exact()) {
            return shelf.snapshotAt(wanted)
                    .orElseThrow(() -> new ApiFailure(ApiStatus.expired("too old resource version: " + wanted)));
        }
        return now;
    }

    private static ApiFailure expired(ContinueToken token) {
        ApiStatus status = ApiStatus.expired("The provided continue parameter is too old: the list it belongs to is no"
                + " longer kept. List again without it, or go on with the token of this answer, which mixes the rest"
                + " as it is now with the parts already read.");
        status.tree().putObject("metadata").put("continue", new ContinueToken(-1, token.after()).encode());
        return new ApiFailure(status);
    }

    private static ApiFailure tooLarge(long wanted, long current) {
        ApiStatus status = ApiStatus.timeout(
                "Too large resource version: " + wanted + ", current: " + current, Duration.ofSeconds(1));
        return new ApiFailure(status.cause("ResourceVersionTooLarge", "Too large resource version"));
    }
}
