package dev.berth.sandbox.endpoints.handlers.read;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.serializer.NegotiatedOutput;
import dev.berth.sandbox.endpoints.serializer.ObjectList;
import dev.berth.sandbox.selector.SelectionPredicate;
import dev.berth.sandbox.storage.ResourceSnapshot;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Handles get and list. */
public final class ReadHandler {

    private final HandlerContext handlerContext;

    public ReadHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    public BodyResponse get(RequestInfo requestInfo, RestRequest request) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        return handlerContext.responseWriter().object(200, negotiatedOutput, handlerContext.getOrNotFound(requestInfo));
    }

    public BodyResponse list(RequestInfo requestInfo, RestRequest request) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        return handlerContext
                .responseWriter()
                .list(
                        negotiatedOutput,
                        selectObjects(requestInfo, ListOptions.of(requestInfo, request.queryParameters())));
    }

    /** The objects that the options select. */
    public ObjectList selectObjects(RequestInfo requestInfo, ListOptions options) {
        ResourceStorage resourceStorage = handlerContext.storage(requestInfo);
        Optional<ContinueToken> continuation = options.continueToken();
        ResourceSnapshot snapshot = snapshot(resourceStorage, options, continuation);
        Optional<StorageKey> after = continuation.map(ContinueToken::after);
        return paginate(snapshot, options, after);
    }

    private static ObjectList paginate(ResourceSnapshot snapshot, ListOptions options, Optional<StorageKey> after) {
        SelectionPredicate selectionPredicate = options.selectionPredicate();
        String namespace = namespace(selectionPredicate);
        List<StoredObject> items = new ArrayList<>();
        long limit = options.limit() > 0 ? options.limit() : Long.MAX_VALUE;
        boolean[] more = {false};
        snapshot.visit(namespace, after, each -> {
            if (!selectionPredicate.matches(each.tree())) {
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
        StorageKey last = items.get(items.size() - 1).key();
        // The number of remaining items is known only without a filter.
        OptionalLong remaining = selectionPredicate.isUnfiltered()
                ? OptionalLong.of(snapshot.countAfter(namespace, last))
                : OptionalLong.empty();
        String token = new ContinueToken(snapshot.revision(), last).encode();
        return new ObjectList(items, snapshot.revision(), token, remaining);
    }

    private static String namespace(SelectionPredicate selectionPredicate) {
        return selectionPredicate.namespace().isEmpty()
                ? selectionPredicate
                        .fields()
                        .requiredValue("metadata.namespace")
                        .orElse("")
                : selectionPredicate.namespace();
    }

    private static ResourceSnapshot snapshot(
            ResourceStorage resourceStorage, ListOptions options, Optional<ContinueToken> continuation) {
        if (continuation.isPresent() && continuation.get().revision() > 0) {
            ContinueToken token = continuation.get();
            return resourceStorage.snapshotAtRevision(token.revision()).orElseThrow(() -> expired(token));
        }
        ResourceSnapshot now = resourceStorage.snapshot();
        long wanted = continuation.isPresent() ? 0 : options.revision().orElse(0L);
        if (wanted > now.revision()) {
            throw futureRevision(wanted, now.revision());
        }
        if (wanted > 0 && options.exact()) {
            return resourceStorage
                    .snapshotAtRevision(wanted)
                    .orElseThrow(
                            () -> new ApiStatusException(ApiStatus.expired("too old resource version: " + wanted)));
        }
        return now;
    }

    private static ApiStatusException expired(ContinueToken token) {
        ApiStatus status = ApiStatus.expired("The provided continue parameter is too old: the list it belongs to is no"
                + " longer kept. List again without it, or go on with the token of this answer, which mixes the rest"
                + " as it is now with the parts already read.");
        status.tree().putObject("metadata").put("continue", new ContinueToken(-1, token.after()).encode());
        return new ApiStatusException(status);
    }

    private static ApiStatusException futureRevision(long wanted, long current) {
        ApiStatus status = ApiStatus.timeout(
                "Too large resource version: " + wanted + ", current: " + current, Duration.ofSeconds(1));
        return new ApiStatusException(status.withCause("ResourceVersionTooLarge", "Too large resource version"));
    }
}
