package dev.berth.sandbox.endpoints.handlers.read;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.WatchResponse;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.serializer.NegotiatedOutput;
import dev.berth.sandbox.endpoints.serializer.WatchEventEncoder;
import dev.berth.sandbox.storage.ResourceSnapshot;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageWatcher;
import dev.berth.sandbox.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles watch. */
public final class WatchHandler {

    private static final Duration MAX_TIMEOUT = Duration.ofHours(1);

    private final HandlerContext handlerContext;

    public WatchHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    public WatchResponse watch(RequestInfo requestInfo, RestRequest request) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        ListOptions options = ListOptions.of(requestInfo, request.queryParameters());
        WatchEventEncoder framing = new WatchEventEncoder(handlerContext.responseWriter(), negotiatedOutput);
        ResourceStorage resourceStorage = handlerContext.storage(requestInfo);
        long requestedRevision = options.revision().orElse(0L);
        boolean wantsInitial = options.sendInitialEvents().orElse(requestedRevision == 0);
        if (wantsInitial) {
            return watchFromCurrentState(resourceStorage, options, framing, requestInfo);
        }
        long from = requestedRevision == 0 ? resourceStorage.snapshot().revision() : requestedRevision;
        Optional<StorageWatcher> storageWatcher = resourceStorage.watch(from);
        if (storageWatcher.isEmpty()) {
            return new ErrorWatchResponse(
                    framing.contentType(), expiredEvent(framing, from, resourceStorage.oldestRevision()));
        }
        return new ObjectWatchResponse(
                storageWatcher.get(), watchOptions(options, from, requestInfo), framing, List.of());
    }

    private WatchResponse watchFromCurrentState(
            ResourceStorage resourceStorage, ListOptions options, WatchEventEncoder framing, RequestInfo requestInfo) {
        ResourceSnapshot snapshot = resourceStorage.snapshot();
        Optional<StorageWatcher> storageWatcher = resourceStorage.watch(snapshot.revision());
        if (storageWatcher.isEmpty()) {
            // So many writes came since the snapshot that the history no longer contains it.
            return new ErrorWatchResponse(
                    framing.contentType(),
                    expiredEvent(framing, snapshot.revision(), resourceStorage.oldestRevision()));
        }
        List<StoredObject> initial = new ArrayList<>();
        snapshot.visit(requestInfo.namespace(), Optional.empty(), each -> {
            if (options.selectionPredicate().matches(each.tree())) {
                initial.add(each);
            }
            return true;
        });
        return new ObjectWatchResponse(
                storageWatcher.get(), watchOptions(options, snapshot.revision(), requestInfo), framing, initial);
    }

    private ObjectWatchResponse.WatchOptions watchOptions(ListOptions options, long from, RequestInfo requestInfo) {
        Instant now = handlerContext.systemFieldGenerator().now();
        return new ObjectWatchResponse.WatchOptions(
                options.selectionPredicate(),
                from,
                options.bookmarks(),
                options.sendInitialEvents().orElse(false),
                now,
                now.plus(options.timeout().orElse(MAX_TIMEOUT)),
                requestInfo.kind().strategy().warnings());
    }

    private static EncodedWatchEvent expiredEvent(WatchEventEncoder framing, long requestedRevision, long oldest) {
        return framing.error(ApiStatus.expired("too old resource version: " + requestedRevision + " (" + oldest + ")"));
    }
}
