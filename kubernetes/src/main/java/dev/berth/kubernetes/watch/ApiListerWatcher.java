package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.Cancellable;
import dev.berth.kubernetes.projection.Bookmark;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches a kind over HTTP. Lists are consistent, paged, and read as they arrive. Protobuf is preferred, but
 * any format of the server is accepted.
 */
public final class ApiListerWatcher<T> implements ListerWatcher<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ApiListerWatcher.class);
    private static final int MIN_WATCH_SECONDS = 300;
    private static final int MAX_WATCH_SECONDS = 600;
    /** An API server sends a bookmark two seconds before the end of a watch. */
    private static final int REPLAY_SECONDS = 3;

    private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(60);
    private static final int NOT_ACCEPTABLE = 406;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int INTERNAL_ERROR = 500;
    /** The CRD of the kind may be installed later. */
    private static final Duration MISSING_KIND_RETRY = Duration.ofSeconds(10);

    private static final int GATEWAY_TIMEOUT = 504;

    private final ApiClient client;
    private final ApiResource resource;
    private final Projection<T> projection;
    private final StreamReaders readers;
    private final int pageSize;
    private final RandomGenerator random;
    private boolean jsonOnly;

    /**
     * @param readers those of the client's thread, so that all kinds share interned strings
     * @param pageSize the number of objects in a page of a list
     */
    public ApiListerWatcher(
            ApiClient client,
            ApiResource kind,
            Projection<T> projection,
            StreamReaders readers,
            int pageSize,
            RandomGenerator random) {
        this.client = client;
        this.resource = kind;
        this.projection = projection;
        this.readers = readers;
        this.pageSize = pageSize;
        this.random = random;
    }

    @Override
    public Cancellable list(String continueToken, ListCallback<T> listener) {
        String path = "%s?limit=%d".formatted(resource.path(), pageSize);
        if (!continueToken.isEmpty()) {
            path += "&continue=" + URLEncoder.encode(continueToken, StandardCharsets.UTF_8);
        }
        String accept = jsonOnly
                ? WireFormat.JSON.mediaType()
                : WireFormat.PROTOBUF.mediaType() + "," + WireFormat.JSON.mediaType();
        return client.stream(path, accept, HEAD_TIMEOUT, new ListResponseHandler(listener));
    }

    @Override
    public Cancellable watch(String version, WatchCallback<T> listener) {
        // The jitter keeps the watches of many clients from ending together.
        return watch(version, random.nextInt(MIN_WATCH_SECONDS, MAX_WATCH_SECONDS), listener);
    }

    @Override
    public Cancellable replay(String version, WatchCallback<T> listener) {
        return watch(version, REPLAY_SECONDS, listener);
    }

    private Cancellable watch(String version, int seconds, WatchCallback<T> listener) {
        String path = "%s?watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
                .formatted(resource.path(), URLEncoder.encode(version, StandardCharsets.UTF_8), seconds);
        String accept = jsonOnly
                ? WireFormat.JSON.watchMediaType()
                : WireFormat.PROTOBUF.watchMediaType() + "," + WireFormat.JSON.watchMediaType();
        return client.stream(path, accept, HEAD_TIMEOUT, new WatchResponseHandler(listener));
    }

    private ListWatchFailure classify(String verb, Status status) {
        if (status.code() == NOT_ACCEPTABLE || status.code() == UNSUPPORTED_MEDIA_TYPE) {
            jsonOnly = true;
        }
        boolean tooLargeVersion =
                status.code() == GATEWAY_TIMEOUT && status.message().contains("Too large resource version");
        boolean expired = status.code() == GONE || tooLargeVersion;
        if (resource.optional() && (status.code() == NOT_FOUND || status.code() == FORBIDDEN)) {
            String none = "the API server does not serve %s".formatted(resource.plural());
            return new ListWatchFailure(
                    ListWatchFailure.FailureCause.NOT_SERVED, none, Optional.of(MISSING_KIND_RETRY));
        }
        if (status.code() == NOT_FOUND) {
            String absent = "CustomResourceDefinition %s is not installed. %s"
                    .formatted(resource.plural(), CrdManifest.INSTALL_HINT);
            return new ListWatchFailure(
                    ListWatchFailure.FailureCause.NOT_INSTALLED, absent, Optional.of(MISSING_KIND_RETRY));
        }
        String message = "cannot %s %s: %s".formatted(verb, resource.plural(), status);
        if (expired) {
            return new ListWatchFailure(ListWatchFailure.FailureCause.EXPIRED, message, status.retryAfter());
        }
        boolean serverUnavailable = status.code() >= INTERNAL_ERROR || status.code() == TOO_MANY_REQUESTS;
        return new ListWatchFailure(
                serverUnavailable
                        ? ListWatchFailure.FailureCause.SERVER_UNAVAILABLE
                        : ListWatchFailure.FailureCause.RETRYABLE,
                message,
                status.retryAfter());
    }

    /** An exception in a projection affects only its object. */
    private ReadResult<T> read(Cursor in) {
        ReadResult<T> readResult;
        try {
            readResult = projection.read(in);
        } catch (RuntimeException bad) {
            LOG.debug("{}: an object cannot be read", resource.plural(), bad);
            return unreadable(in.objectReference(), String.valueOf(bad.getMessage()));
        }
        if (readResult.problem().isEmpty()) {
            return readResult;
        }
        ObjectReference objectReference = withType(in.objectReference());
        return readResult.uid().isEmpty()
                ? unreadable(objectReference, readResult.problem())
                : readResult.withObjectReference(objectReference);
    }

    private ReadResult<T> unreadable(ObjectReference objectReference, String problem) {
        ObjectReference typed = withType(objectReference);
        return ReadResult.unreadable(typed, "%s: %s".formatted(typed, problem));
    }

    private ObjectReference withType(ObjectReference objectReference) {
        return objectReference.withTypeIfMissing(resource.apiVersion(), resource.kind());
    }

    private final class ListResponseHandler extends StreamedResponseHandler implements ListSink {
        private final ListCallback<T> listener;
        private String listVersion = "";
        private String continueToken = "";

        private ListResponseHandler(ListCallback<T> listener) {
            this.listener = listener;
        }

        @Override
        protected void onAccepted(WireFormat format) {
            readWith(readers.listReader(format, this));
        }

        @Override
        public void onItem(Cursor in) {
            listener.onItem(read(in));
        }

        @Override
        public void onUnreadableItem(ObjectReference objectReference, String problem) {
            listener.onItem(ApiListerWatcher.this.unreadable(objectReference, problem));
        }

        @Override
        public void onListMeta(String resourceVersion, String continuing) {
            listVersion = resourceVersion;
            continueToken = continuing;
        }

        @Override
        protected void onComplete() {
            listener.onPageEnd(listVersion, continueToken);
        }

        @Override
        protected void onErrorStatus(Status status) {
            listener.onFailure(classify("list", status));
        }

        @Override
        protected void onListWatchFailure(ListWatchFailure cause) {
            listener.onFailure(cause);
        }
    }

    private final class WatchResponseHandler extends StreamedResponseHandler implements WatchSink {
        private final WatchCallback<T> listener;
        private Optional<ListWatchFailure> failure = Optional.empty();

        private WatchResponseHandler(WatchCallback<T> listener) {
            this.listener = listener;
        }

        @Override
        protected void onAccepted(WireFormat format) {
            readWith(readers.watchReader(format, this));
            listener.onOpened();
        }

        @Override
        public void onEvent(String type, Cursor object) {
            if (failure.isPresent()) {
                return;
            }
            switch (type) {
                case "ADDED", "MODIFIED" -> listener.onChanged(read(object));
                case "DELETED" -> listener.onDeleted(read(object));
                case "BOOKMARK" -> onBookmark(object);
                case "ERROR" -> fail(classify("watch", Status.read(object)));
                default ->
                    fail(ListWatchFailure.retryable(
                            "cannot watch %s: unknown event type (%s)".formatted(resource.plural(), type)));
            }
        }

        /** Skipped if not even its identity is known; but an event that ends the watch still ends it. */
        @Override
        public void onUnreadableEvent(String type, ObjectReference objectReference, String problem) {
            if (failure.isPresent()) {
                return;
            }
            ReadResult<T> skipped = ApiListerWatcher.this.unreadable(objectReference, problem);
            switch (type) {
                case "DELETED" -> listener.onDeleted(skipped);
                case "ERROR" ->
                    fail(ListWatchFailure.retryable("cannot watch %s: %s".formatted(resource.plural(), problem)));
                default -> listener.onChanged(skipped);
            }
        }

        /** An unreadable bookmark is ignored: the next one contains more. */
        private void onBookmark(Cursor object) {
            try {
                listener.onBookmark(Bookmark.read(object).resourceVersion());
            } catch (MalformedObjectException malformed) {
                LOG.warn("{}: a bookmark cannot be read: {}", resource.plural(), malformed.getMessage());
            }
        }

        private void fail(ListWatchFailure found) {
            failure = Optional.of(found);
            listener.onFailure(found);
        }

        @Override
        protected void onComplete() {
            if (failure.isEmpty()) {
                listener.onEnd();
            }
        }

        @Override
        protected void onErrorStatus(Status status) {
            listener.onFailure(classify("watch", status));
        }

        @Override
        protected void onListWatchFailure(ListWatchFailure cause) {
            if (failure.isEmpty()) {
                listener.onFailure(cause);
            }
        }
    }
}
